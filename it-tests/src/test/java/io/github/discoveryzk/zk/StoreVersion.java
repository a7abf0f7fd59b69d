// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.zk;

import org.apache.sling.discovery.commons.model.FormatRange;
import org.apache.sling.discovery.commons.spi.ClusterStore;
import org.apache.sling.discovery.zk.tree.Formats;

/** Versions of the store with different record formats; no version can read a format that it does not know. */
public enum StoreVersion {
    /** Knows the first format only. */
    OLDER(1, 1),
    /** Knows both formats, as an intermediate version does. */
    BETWEEN(1, 2),
    /** Knows the second format only. */
    NEWER(2, 2);

    private final Formats formats;

    StoreVersion(int oldest, int newest) {
        this.formats = new Formats(new FormatRange(oldest, newest));
    }

    /** Returns an unopened store of this version. */
    public ClusterStore store(ZooKeeperStoreConfig config) {
        return new ZooKeeperStore(config, formats);
    }
}
