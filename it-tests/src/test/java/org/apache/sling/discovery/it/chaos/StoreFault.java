// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.it.chaos;

import static org.apache.sling.discovery.it.chaos.Limits.awaitThat;

import java.time.Duration;
import java.util.List;
import org.apache.zookeeper.ZooDefs.Perms;

/** Changes to the stored tree of the cluster by other clients. */
sealed interface StoreFault extends Fault {

    /** The tree is deleted, as far as the instances allow. */
    record TreeDeleted(boolean root, int tries) implements StoreFault {
        @Override
        public boolean isForeign() {
            return true;
        }

        @Override
        public boolean isAlone() {
            return true;
        }

        @Override
        public End begin(Fleet fleet) throws Exception {
            fleet.tree().delete(root ? ClusterTree.ROOT : ClusterTree.CLUSTER, tries);
            return () -> {};
        }
    }

    /** The tree is restored to its state before an instance stood down: only the view, or all of it. */
    record Restored(int node, boolean whole) implements StoreFault {
        @Override
        public boolean isForeign() {
            return true;
        }

        @Override
        public boolean isAlone() {
            return true;
        }

        @Override
        public End begin(Fleet fleet) throws Exception {
            ClusterTree.Backup backup = fleet.tree().backup();
            long view = fleet.views();
            fleet.node(node).command("standdown");
            fleet.node(node).awaitDone();
            awaitThat("a view after " + view, () -> fleet.views() > view && fleet.isSettled());
            fleet.tree().restore(backup, whole);
            return () -> {};
        }
    }

    /** No client may change a part of the tree any more. */
    record WritesDenied(String part, Duration hold) implements StoreFault {

        static final List<String> PARTS = List.of("members", "acks", "view", "lease", "history", "departures");

        @Override
        public End begin(Fleet fleet) throws Exception {
            String path = ClusterTree.CLUSTER + "/" + part;
            fleet.tree().allow(path, Perms.READ);
            return () -> fleet.tree().allow(path, Perms.ALL);
        }
    }

    /** No client may read a part of the tree any more. */
    record ReadsDenied(String part, Duration hold) implements StoreFault {

        static final List<String> PARTS = List.of("lease", "departures");

        @Override
        public End begin(Fleet fleet) throws Exception {
            String path = ClusterTree.CLUSTER + "/" + part;
            fleet.tree().allow(path, Perms.ALL & ~Perms.READ);
            return () -> fleet.tree().allow(path, Perms.ALL);
        }
    }

    /** Another cluster below the same root appears, gets another member, loses its leader and goes, while properties of a member change. */
    record OthersComeAndGo(int node, int times) implements StoreFault {

        private static final String CLUSTER_NAME = "other";

        @Override
        public List<Integer> nodes() {
            return List.of(node);
        }

        @Override
        public End begin(Fleet fleet) throws Exception {
            fleet.node(node).command("properties 40 50");
            for (int i = 0; i < times; i++) {
                try (PlainMember first = other("x", fleet);
                        PlainMember second = other("y", fleet)) {
                    first.start();
                    awaitThat("x leads", () -> !first.order().isEmpty());
                    second.start();
                    awaitThat("y is a member", () -> first.order().size() == 2);
                }
            }
            return () -> fleet.node(node).awaitDone();
        }

        private static PlainMember other(String id, Fleet fleet) {
            return new PlainMember(id, fleet.ensemble().connectString(), CLUSTER_NAME, Fleet.SESSION_MILLIS);
        }
    }

    /** Access to the record of a member, which changes meanwhile, is denied. */
    record MemberHidden(int node, Duration hold) implements StoreFault {
        @Override
        public List<Integer> nodes() {
            return List.of(node);
        }

        @Override
        public End begin(Fleet fleet) throws Exception {
            String path = fleet.tree().member(fleet.node(node).name());
            fleet.tree().allow(path, Perms.ALL & ~Perms.READ);
            fleet.node(node).command("properties 1 0");
            return () -> {
                fleet.node(node).awaitDone();
                fleet.tree().allow(path, Perms.ALL);
            };
        }
    }

    /** The servers take no more nodes and no more data below the root. */
    record QuotaReached(Duration hold) implements StoreFault {
        @Override
        public End begin(Fleet fleet) throws Exception {
            fleet.tree().limit();
            return fleet.tree()::unlimit;
        }
    }
}
