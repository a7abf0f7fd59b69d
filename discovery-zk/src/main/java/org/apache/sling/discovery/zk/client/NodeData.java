// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.zk.client;

import org.apache.zookeeper.data.Stat;

/** What a node holds, and what the server keeps about it. */
public record NodeData(byte[] data, Stat stat) {
    public NodeData {
        data = data == null ? new byte[0] : data;
    }
}
