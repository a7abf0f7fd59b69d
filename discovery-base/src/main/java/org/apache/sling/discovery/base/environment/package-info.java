// SPDX-License-Identifier: Apache-2.0
/** What an instance is given by the process that it lives in: its identity, clocks and threads. */
@Version("0.1.0")
package org.apache.sling.discovery.base.environment;

import org.osgi.annotation.versioning.Version;
