// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.zk;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import org.apache.sling.discovery.commons.spi.ClusterStore;
import org.apache.sling.discovery.zk.tree.Formats;

/** Versions of the store that know different formats of records, none of which a version that does not know it can read. */
public enum StoreVersion {
    /** Knows the first format only. */
    OLDER(Layouts.FIRST),
    /** Knows both formats, as a version does that comes between the others. */
    BETWEEN(Layouts.FIRST, Layouts.SECOND),
    /** Knows the second format only. */
    NEWER(Layouts.SECOND);

    private final Formats formats;

    StoreVersion(Formats.Layout... layouts) {
        this.formats = new Formats(List.of(layouts));
    }

    /** Returns an unopened store of this version. */
    public ClusterStore store(String connectString) {
        return new ZooKeeperStore(ZooKeeperStoreConfig.of(connectString), formats);
    }

    /** In a class of its own, because an enum cannot refer to its own constants while it is made. */
    private static final class Layouts {

        private static final Formats.Layout FIRST = new Formats.Layout(1, fields -> fields, stored -> stored);

        /** All fields are one level deeper. */
        private static final Formats.Layout SECOND = new Formats.Layout(
                2, fields -> (ObjectNode) JsonNodeFactory.instance.objectNode().set("record", fields), stored ->
                        (ObjectNode) stored.path("record"));
    }
}
