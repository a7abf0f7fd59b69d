// SPDX-License-Identifier: Apache-2.0
/** What applications may query beyond the discovery API. */
@Version("1.2.0")
package io.github.discoveryzk.leader;

import org.osgi.annotation.versioning.Version;
