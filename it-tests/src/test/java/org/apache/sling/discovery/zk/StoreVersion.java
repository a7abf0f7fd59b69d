// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.zk;

import java.util.List;
import org.apache.sling.discovery.commons.spi.ClusterStore;
import org.apache.sling.discovery.zk.tree.Fields;
import org.apache.sling.discovery.zk.tree.Formats;

/** Versions of the store with different record formats; no version can read a format that it does not know. */
public enum StoreVersion {
    /** Knows the first format only. */
    OLDER(Layouts.FIRST),
    /** Knows both formats, as an intermediate version does. */
    BETWEEN(Layouts.FIRST, Layouts.SECOND),
    /** Knows the second format only. */
    NEWER(Layouts.SECOND);

    private final Formats formats;

    StoreVersion(Formats.Layout... layouts) {
        this.formats = new Formats(List.of(layouts));
    }

    /** Returns an unopened store of this version. */
    public ClusterStore store(ZooKeeperStoreConfig config) {
        return new ZooKeeperStore(config, formats);
    }

    /** A separate class, because an enum cannot refer to its own constants during its initialization. */
    private static final class Layouts {

        private static final Formats.Layout FIRST = Formats.Layout.plain(1);

        /** All fields are one level deeper. */
        private static final Formats.Layout SECOND =
                new Formats.Layout(2, fields -> new Fields().put("record", fields), stored -> stored.object("record"));
    }
}
