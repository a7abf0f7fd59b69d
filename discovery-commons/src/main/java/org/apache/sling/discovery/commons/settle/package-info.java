// SPDX-License-Identifier: Apache-2.0
/**
 * The settling protocol as a pure function: no thread, lock, timer, logger or store in here. For the discovery service and
 * for tests of back ends, not for applications: the version stays below 1 and any release may change it.
 */
@Version("0.1.0")
package org.apache.sling.discovery.commons.settle;

import org.osgi.annotation.versioning.Version;
