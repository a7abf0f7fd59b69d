// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.zk.client;

import java.util.List;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.data.Stat;

/** The ACL of a node, and the server's metadata about it. */
public record NodeRights(List<ACL> acl, Stat stat) {}
