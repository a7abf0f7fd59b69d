// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.zk.client;

import org.apache.zookeeper.data.Stat;

/** The data of a node, and the server's metadata about it. */
public record NodeData(byte[] data, Stat stat) {
    public NodeData {
        data = data == null ? new byte[0] : data;
    }
}
