// SPDX-License-Identifier: Apache-2.0
/**
 * The interfaces that a back end implements. For back ends, not for applications: the version stays below 1 and any release may
 * change it.
 */
@Version("0.2.0")
package io.github.discoveryzk.spi;

import org.osgi.annotation.versioning.Version;
