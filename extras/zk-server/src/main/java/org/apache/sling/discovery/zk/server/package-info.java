// SPDX-License-Identifier: Apache-2.0
/**
 * The ensemble of ZooKeeper servers that run in the containers, as one of them sees it. For consoles and monitoring: the version
 * stays below 1 and any release may change it.
 */
@Version("0.1.0")
package org.apache.sling.discovery.zk.server;

import org.osgi.annotation.versioning.Version;
