// SPDX-License-Identifier: Apache-2.0
/**
 * The discovery service: one instance of a cluster, assembled by OSGi or in plain Java. For programs that embed discovery, not
 * for applications: the version stays below 1 and any release may change it.
 */
@Version("0.1.0")
package io.github.discoveryzk.base;

import org.osgi.annotation.versioning.Version;
