// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.it.chaos;

import static org.apache.sling.discovery.it.chaos.Limits.awaitThat;

import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.sling.discovery.it.cluster.PlainInstance;
import org.apache.sling.discovery.zk.ZooKeeperStoreConfig;
import org.apache.zookeeper.ZooDefs.Perms;

/** Faults of the servers of the ensemble, and changes to the stored tree of the cluster by other clients. */
final class StoreFaults {

    /** The parts of the tree that clients may be forbidden to change, and to read. */
    static final List<String> WRITTEN = List.of("members", "acks", "view", "lease", "history", "departures");

    static final List<String> READ = List.of("lease", "departures");

    private static final String OTHER_CLUSTER = "other";

    private StoreFaults() {}

    /** One server is parted from the others; its clients stay connected to it. */
    static Fault serverParted(int server, Duration hold) {
        return new Fault("server parted", server).lasting(hold).ofServers().doing(fleet -> {
            fleet.ensemble().part(server);
            return () -> {
                fleet.ensemble().join(server);
                fleet.ensemble().awaitServing();
            };
        });
    }

    /** Each server is stopped and started again, one after the other. */
    static Fault rollingRestart() {
        return new Fault("rolling restart").ofServers().doing(fleet -> {
            for (ServerProcess server : fleet.ensemble().servers()) {
                server.stop();
                server.start();
                fleet.ensemble().awaitServing();
            }
            return () -> {};
        });
    }

    /** All servers are killed and started again after a while. */
    static Fault allServersDown(Duration hold) {
        return new Fault("all servers down").lasting(hold).ofServers().doing(fleet -> {
            fleet.ensemble().servers().forEach(ServerProcess::kill);
            return () -> {
                for (ServerProcess server : fleet.ensemble().servers()) {
                    server.start();
                }
                fleet.ensemble().awaitServing();
            };
        });
    }

    /** A server loses its disk and starts with an empty one. */
    static Fault diskLost(int server) {
        return new Fault("disk lost", server).ofServers().doing(fleet -> {
            ServerProcess lost = fleet.ensemble().server(server);
            lost.kill();
            lost.wipe();
            lost.start();
            return fleet.ensemble()::awaitServing;
        });
    }

    /** A server is paused for a while. */
    static Fault serverPaused(int server, Duration hold) {
        return new Fault("server paused", server).lasting(hold).ofServers().doing(fleet -> {
            Pause pause = fleet.ensemble().server(server).pause();
            return () -> {
                pause.close();
                fleet.ensemble().awaitServing();
            };
        });
    }

    /** Some servers, which may be a majority, take longer for each write before they acknowledge it. */
    static Fault slowDisks(int first, int count, Duration each, Duration hold) {
        return new Fault("slow disks", first, count, each)
                .lasting(hold)
                .ofServers()
                .doing(fleet -> {
                    List<ServerProcess> servers = IntStream.range(first, first + count)
                            .mapToObj(i -> fleet.ensemble().server(i % Ensemble.SIZE))
                            .toList();
                    for (ServerProcess server : servers) {
                        server.slowDisk(each);
                    }
                    return () -> {
                        for (ServerProcess server : servers) {
                            server.slowDisk(Duration.ZERO);
                        }
                        fleet.ensemble().awaitServing();
                    };
                });
    }

    /** The tree is deleted, as far as the instances allow. */
    static Fault treeDeleted(boolean root, int tries) {
        String path = root ? ClusterTree.ROOT : ClusterTree.CLUSTER;
        return new Fault("tree deleted", path, tries).foreign().alone().doing(fleet -> {
            fleet.tree().delete(path, tries);
            return () -> {};
        });
    }

    /** The tree is restored to its state before an instance stood down: only the view, or all of it. */
    static Fault restored(int node, boolean whole) {
        return new Fault("restored", whole ? "all" : "the view")
                .on(node)
                .foreign()
                .alone()
                .doing(fleet -> {
                    ClusterTree.Backup backup = fleet.tree().backup();
                    long view = fleet.views();
                    fleet.node(node).command("standdown");
                    fleet.node(node).awaitDone();
                    awaitThat("a view after " + view, () -> fleet.views() > view && fleet.isSettled());
                    fleet.tree().restore(backup, whole);
                    return () -> {};
                });
    }

    /** No client may change a part of the tree any more. */
    static Fault writesDenied(String part, Duration hold) {
        return allowing(new Fault("writes denied", part), part, Perms.READ, hold);
    }

    /** No client may read a part of the tree any more. */
    static Fault readsDenied(String part, Duration hold) {
        return allowing(new Fault("reads denied", part), part, Perms.ALL & ~Perms.READ, hold);
    }

    private static Fault allowing(Fault fault, String part, int rights, Duration hold) {
        String path = ClusterTree.CLUSTER + "/" + part;
        return fault.lasting(hold).doing(fleet -> {
            fleet.tree().allow(path, rights);
            return () -> fleet.tree().allow(path, Perms.ALL);
        });
    }

    /** Access to the record of a member, which changes meanwhile, is denied. */
    static Fault memberHidden(int node, Duration hold) {
        return new Fault("member hidden").on(node).lasting(hold).doing(fleet -> {
            String path = fleet.tree().member(fleet.node(node).name());
            fleet.tree().allow(path, Perms.ALL & ~Perms.READ);
            fleet.node(node).command("properties 1 0");
            return () -> {
                fleet.node(node).awaitDone();
                fleet.tree().allow(path, Perms.ALL);
            };
        });
    }

    /** Another cluster below the same root appears, gets another member, loses its leader and goes, while properties of a member change. */
    static Fault othersComeAndGo(int node, int times) {
        return new Fault("others come and go", times).on(node).doing(fleet -> {
            fleet.node(node).command("properties 40 50");
            for (int i = 0; i < times; i++) {
                try (PlainInstance first = other("x", fleet);
                        PlainInstance second = other("y", fleet)) {
                    first.start();
                    awaitThat("x leads", () -> !first.order().isEmpty());
                    second.start();
                    awaitThat("y is a member", () -> first.order().size() == 2);
                }
            }
            return fleet.node(node)::awaitDone;
        });
    }

    private static PlainInstance other(String id, Fleet fleet) {
        return new PlainInstance(
                id,
                ZooKeeperStoreConfig.of(fleet.ensemble().connectString())
                        .withClusterName(OTHER_CLUSTER)
                        .withSessionTimeout(Fleet.SESSION_MILLIS));
    }

    /** The servers take no more nodes and no more data below the root. */
    static Fault quotaReached(Duration hold) {
        return new Fault("quota reached").lasting(hold).doing(fleet -> {
            fleet.tree().limit();
            return fleet.tree()::unlimit;
        });
    }
}
