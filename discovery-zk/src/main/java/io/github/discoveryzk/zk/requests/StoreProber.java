// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.zk.requests;

import io.github.discoveryzk.model.EstablishedView;
import io.github.discoveryzk.model.LeaseProbe;
import io.github.discoveryzk.model.LeaveRecord;
import io.github.discoveryzk.model.Renewal;
import io.github.discoveryzk.model.StoreSnapshot;
import io.github.discoveryzk.zk.cache.ClusterCache;
import io.github.discoveryzk.zk.cache.ClusterNodes;
import io.github.discoveryzk.zk.cache.LeaseRead;
import io.github.discoveryzk.zk.client.MultiRead;
import io.github.discoveryzk.zk.client.NodeData;
import io.github.discoveryzk.zk.client.Session;
import io.github.discoveryzk.zk.tree.Codecs;
import io.github.discoveryzk.zk.tree.Names;
import io.github.discoveryzk.zk.tree.NodeKind;
import io.github.discoveryzk.zk.tree.Paths;
import io.github.discoveryzk.zk.tree.Unreadable;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The cheap reads that prove that the store replies to this instance. Each costs one packet, and its reply counts after the changes that
 * came before it. If the number of members does not match the cache, everything is read again first.
 */
final class StoreProber {
    private static final Logger LOG = LoggerFactory.getLogger(StoreProber.class);

    private static final int MAX_REMOVED = 100;

    private final Paths paths;
    private final ClusterCache cache;

    /** The names below the folder of leave records that this version did not recognize at the last lease probe. */
    private Set<String> unknown = Set.of();

    StoreProber(Paths paths, ClusterCache cache) {
        this.paths = paths;
        this.cache = cache;
    }

    /** Reads how many members there are. */
    CompletableFuture<Void> probe(Session session) {
        return session.exists(paths.members())
                .thenCompose(
                        stat -> cache.applyAfterUpdates(nodes -> compareMemberCount(nodes, stat.getNumChildren())));
    }

    /** Reads the leave records, the last renewal of the lease, and how many members there are. */
    CompletableFuture<Void> probeLease(Session session) {
        MultiRead reads = new MultiRead(session);
        CompletableFuture<List<String>> leaveRecords = reads.list(paths.departures());
        CompletableFuture<NodeData> lease = reads.read(paths.lease());
        CompletableFuture<NodeData> members = reads.read(paths.members());
        reads.send();
        return CompletableFuture.allOf(leaveRecords, lease, members).thenCompose(all -> {
            LeaseRead read = leaseRead(leaveRecords.join(), lease.join());
            return cache.applyAfterUpdates(nodes -> {
                nodes.putLeaseProbe(read);
                cache.updates().notifyObserver();
                compareMemberCount(nodes, members.join().stat().getNumChildren());
            });
        });
    }

    /**
     * Deletes leave records of kinds that only newer versions know when those versions need them no longer: the node is neither live nor
     * in the view that was published last. The leave records would accumulate otherwise, because this version does not take them in.
     */
    void removeUnknown(Session session, EstablishedView published) {
        StoreSnapshot known = cache.nodes().snapshot(0);
        unknown.stream()
                .filter(name -> Names.nodeOfUnknownLeaveRecord(name)
                        .filter(node -> !published.contains(node) && !known.isLive(node))
                        .isPresent())
                .limit(MAX_REMOVED)
                .forEach(name -> session.delete(paths.leaveRecord(name)));
    }

    /** The transaction id of the last renewal stands for their number: it never repeats, even when the node is created again. */
    private LeaseRead leaseRead(List<String> names, NodeData lease) {
        Set<LeaveRecord> leaveRecords = new HashSet<>();
        TreeMap<String, String> problems = new TreeMap<>();
        for (String name : names) {
            Names.parseLeaveRecord(name)
                    .ifPresentOrElse(
                            leaveRecords::add,
                            () -> problems.put(name, NodeKind.foreignSentence(paths.leaveRecord(name))));
        }
        unknown = Set.copyOf(problems.keySet());
        Optional<Renewal> last = Optional.empty();
        // It is empty before the first renewal, and when the leader is of an earlier version.
        if (lease.data().length > 0) {
            try {
                last = Optional.of(Codecs.readRenewal(lease.data()));
            } catch (Unreadable e) {
                problems.put(
                        paths.lease(),
                        "The last renewal in " + paths.lease() + " cannot be read: " + e.getMessage()
                                + ". The leader's next renewal replaces it; find out which client wrote it.");
            }
        }
        return new LeaseRead(
                new LeaseProbe(lease.stat().getMzxid(), last, leaveRecords),
                lease.stat().getVersion(),
                NodeKind.shortened(problems.values().stream(), problems.size()));
    }

    private void compareMemberCount(ClusterNodes nodes, int members) {
        if (members != nodes.members().count()) {
            LOG.info(
                    "The number of members below {} does not match the watch events; reading everything again.",
                    paths.members());
            cache.schedule().read();
        }
    }
}
