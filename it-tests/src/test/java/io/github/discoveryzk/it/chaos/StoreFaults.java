// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.it.chaos;

import static io.github.discoveryzk.it.outside.Limit.awaitThat;

import io.github.discoveryzk.it.chaos.Fault.Trait;
import io.github.discoveryzk.it.cluster.PlainInstance;
import io.github.discoveryzk.zk.ZooKeeperStoreConfig;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.SortedMap;
import org.apache.zookeeper.ZooDefs.Perms;

/** Faults of the servers of the ensemble, and changes to the stored tree of the cluster by other clients. */
final class StoreFaults {

    /** The parts of the tree that clients may be forbidden to change, and to read. */
    static final List<String> WRITTEN = List.of("members", "acks", "view", "lease", "history", "departures");

    static final List<String> READ = List.of("lease", "departures");

    private StoreFaults() {}

    /** A fault of the ensemble. */
    private interface OfServers {
        Fault.End begin(Ensemble ensemble) throws Exception;
    }

    private static Fault of(String kind, OfServers fault, Object... details) {
        return Fault.of(kind, List.of(details), fleet -> fault.begin(fleet.ensemble()), Trait.OF_SERVERS);
    }

    /** One server is parted from the others; its clients stay connected to it. */
    static Fault serverParted(int server, Duration hold) {
        OfServers parted = ensemble -> {
            ensemble.part(server);
            return () -> {
                ensemble.join(server);
                ensemble.awaitServing();
                ensemble.renewData(server);
            };
        };
        return of("server parted", parted, server).lasting(hold);
    }

    /** Each server is stopped and started again, one after the other. */
    static Fault rollingRestart() {
        return of("rolling restart", ensemble -> {
            ensemble.restartOneByOne();
            return () -> {};
        });
    }

    /** All servers are killed and started again after a while. */
    static Fault allServersDown(Duration hold) {
        OfServers down = ensemble -> {
            ensemble.servers().forEach(ServerProcess::kill);
            return ensemble::startAll;
        };
        return of("all servers down", down).lasting(hold);
    }

    /** A server loses its disk and starts with an empty one. */
    static Fault diskLost(int server) {
        OfServers lost = ensemble -> {
            ServerProcess process = ensemble.server(server);
            process.kill();
            process.wipe();
            process.start();
            return ensemble::awaitServing;
        };
        return of("disk lost", lost, server);
    }

    /** A server is paused for a while. */
    static Fault serverPaused(int server, Duration hold) {
        OfServers paused = ensemble -> {
            Pause pause = ensemble.server(server).pause();
            return () -> {
                pause.close();
                ensemble.awaitServing();
            };
        };
        return of("server paused", paused, server).lasting(hold);
    }

    /** Some servers, which may be a majority, take longer for each write before they acknowledge it. */
    static Fault slowDisks(int first, int count, Duration each, Duration hold) {
        OfServers slow = ensemble -> {
            slowDisks(ensemble, first, count, each);
            return () -> {
                slowDisks(ensemble, first, count, Duration.ZERO);
                ensemble.awaitServing();
            };
        };
        return of("slow disks", slow, first, count, each).lasting(hold);
    }

    private static void slowDisks(Ensemble ensemble, int first, int count, Duration each) throws IOException {
        for (int i = first; i < first + count; i++) {
            ensemble.server(i % Ensemble.SIZE).slowDisk(each);
        }
    }

    /** The tree is deleted, as far as the instances allow. */
    static Fault treeDeleted(boolean root, int tries) {
        String path = root ? ClusterTree.ROOT : ClusterTree.CLUSTER;
        Fault.Begin begin = fleet -> {
            fleet.tree().delete(path, tries);
            return () -> {};
        };
        return Fault.of("tree deleted", List.of(path, tries), begin, Trait.FOREIGN, Trait.ALONE);
    }

    /** The tree is restored to its state before an instance stepped down: only the view, or all of it. */
    static Fault restored(int node, boolean whole) {
        Fault.Begin begin = fleet -> {
            SortedMap<String, byte[]> backup = fleet.tree().backup();
            long view = fleet.views();
            NodeFaults.steppedDown(node).begin().in(fleet).run();
            awaitThat("a view after " + view, () -> fleet.views() > view && fleet.isSettled());
            fleet.tree().restore(backup, whole);
            return () -> {};
        };
        return Fault.of("restored", List.of(whole ? "all" : "the view"), begin, Trait.FOREIGN, Trait.ALONE)
                .on(node);
    }

    /** Clients may no longer change a part of the tree. */
    static Fault writesDenied(String part, Duration hold) {
        return allowing("writes denied", part, Perms.READ, hold);
    }

    /** Clients may no longer read a part of the tree. */
    static Fault readsDenied(String part, Duration hold) {
        return allowing("reads denied", part, Perms.ALL & ~Perms.READ, hold);
    }

    private static Fault allowing(String kind, String part, int rights, Duration hold) {
        String path = ClusterTree.CLUSTER + "/" + part;
        Fault.Begin begin = fleet -> {
            fleet.tree().allow(path, rights);
            return () -> fleet.tree().allow(path, Perms.ALL);
        };
        return Fault.of(kind, List.of(part), begin).lasting(hold);
    }

    /** Access to the record of a member, which changes meanwhile, is denied. */
    static Fault memberHidden(int node, Duration hold) {
        Fault.Begin begin = fleet -> {
            String path = fleet.tree().member(fleet.node(node).name());
            fleet.tree().allow(path, Perms.ALL & ~Perms.READ);
            fleet.node(node).command("properties 1 0");
            return () -> {
                fleet.node(node).awaitDone();
                fleet.tree().allow(path, Perms.ALL);
            };
        };
        return Fault.of("member hidden", List.of(), begin).on(node).lasting(hold);
    }

    /** Another cluster below the same root appears, gets another member, loses its leader and goes, while properties of a member change. */
    static Fault othersComeAndGo(int node, int times) {
        Fault.Begin begin = fleet -> {
            fleet.node(node).command("properties 40 50");
            for (int i = 0; i < times; i++) {
                try (PlainInstance first = other("x", fleet).join();
                        PlainInstance second = other("y", fleet).join()) {
                    awaitThat("both are members", () -> first.order().size() == 2 && second.isCurrent());
                }
            }
            return fleet.node(node)::awaitDone;
        };
        return Fault.of("others come and go", List.of(times), begin).on(node);
    }

    private static PlainInstance other(String id, Fleet fleet) {
        return new PlainInstance(
                id,
                ZooKeeperStoreConfig.of(fleet.ensemble().connectString())
                        .withClusterName("other")
                        .withSessionTimeout(NodeSettings.SESSION_MILLIS));
    }

    /** The servers take no more nodes and no more data below the root. */
    static Fault quotaReached(Duration hold) {
        Fault.Begin begin = fleet -> {
            fleet.tree().limit();
            return fleet.tree()::unlimit;
        };
        // An instance of another cluster that joins meanwhile would wait for the end of it, and that for the instance.
        return Fault.of("quota reached", List.of(), begin, Trait.OF_SERVERS).lasting(hold);
    }
}
