// SPDX-License-Identifier: Apache-2.0
/**
 * Helpers for applications that listen to the topology. The types, their members and the package version are those that
 * release 1.1.0 of Sling's discovery commons has in this package, so that bundles which import them from there find them here.
 */
@Version("1.2.2")
package org.apache.sling.discovery.commons;

import org.osgi.annotation.versioning.Version;
