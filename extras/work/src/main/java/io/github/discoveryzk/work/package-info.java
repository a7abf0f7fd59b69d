// SPDX-License-Identifier: Apache-2.0
/** Work that has exactly one place: each key is handled by one member of the cluster. */
@Version("1.0.0")
package io.github.discoveryzk.work;

import org.osgi.annotation.versioning.Version;
