// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.zk;

import io.github.discoveryzk.model.FormatRange;
import io.github.discoveryzk.spi.ClusterStore;
import io.github.discoveryzk.zk.tree.Formats;

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
