// SPDX-License-Identifier: Apache-2.0
/**
 * Views of the discovery API made from what an instance holds. For the discovery service, not for applications: the version
 * stays below 1 and any release may change it.
 */
@Version("0.1.0")
package org.apache.sling.discovery.commons.view;

import org.osgi.annotation.versioning.Version;
