// SPDX-License-Identifier: Apache-2.0
/**
 * The report on the topology. For consoles and shells, not for applications: the version stays below 1 and any release may
 * change it.
 */
@Version("0.6.0")
package io.github.discoveryzk.report;

import org.osgi.annotation.versioning.Version;
