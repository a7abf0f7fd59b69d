// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.zk;

import org.apache.zookeeper.data.Stat;

/** What a node holds, and what the server keeps about it. */
record NodeData(byte[] data, Stat stat) {
    NodeData {
        data = data == null ? new byte[0] : data;
    }
}
