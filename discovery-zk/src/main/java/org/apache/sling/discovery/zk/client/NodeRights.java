// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.zk.client;

import java.util.List;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.data.Stat;

/** The ACL of a node and its stat, as of one read. */
public record NodeRights(List<ACL> acl, Stat stat) {}
