// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.base.engine;

import io.github.discoveryzk.base.dispatch.Subscriptions;
import io.github.discoveryzk.base.environment.Time;
import io.github.discoveryzk.base.journal.Journal;
import io.github.discoveryzk.base.protocol.Effect;
import io.github.discoveryzk.base.protocol.HeldView;
import io.github.discoveryzk.base.view.ImmutableTopologyView;
import io.github.discoveryzk.base.view.Lease;
import io.github.discoveryzk.base.view.RemoteClusters;
import io.github.discoveryzk.model.MemberRecord;
import io.github.discoveryzk.model.Reason;
import io.github.discoveryzk.model.ReasonCode;
import io.github.discoveryzk.model.RemoteCluster;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;
import org.apache.sling.discovery.TopologyEvent.Type;

/**
 * The topology as listeners are shown it: the local cluster as the protocol settles it, and the other clusters as they are. Confined to
 * the engine's thread but for {@link #topology}.
 */
final class ShownTopology {

    private final Time time;
    private final Subscriptions subscriptions;
    private final Journal journal;
    private Lease lease = Lease.none();

    /** The other clusters of the store, those that connectors learned of, both together, and those of the last view. */
    private List<RemoteCluster> siblings = List.of();

    private List<RemoteCluster> heard = List.of();
    private List<RemoteCluster> remotes = List.of();

    private List<RemoteCluster> shownRemotes = remotes;
    private RemoteClusters clusters = RemoteClusters.NONE;

    private volatile ImmutableTopologyView topology;

    ShownTopology(MemberRecord own, Time time, Subscriptions subscriptions, Journal journal) {
        this.time = time;
        this.subscriptions = subscriptions;
        this.journal = journal;
        this.topology = ImmutableTopologyView.unsettled(own, UUID.randomUUID().toString());
    }

    ImmutableTopologyView topology() {
        return topology;
    }

    /** Sets the other clusters that the store has. */
    void updateSiblings(List<RemoteCluster> others) {
        siblings = List.copyOf(others);
        joinRemotes();
    }

    /** Sets the clusters that connectors of this cluster learned of, in the order of precedence. Those of the store come before them. */
    void updateHeard(List<RemoteCluster> others) {
        heard = List.copyOf(others);
        joinRemotes();
    }

    private void joinRemotes() {
        remotes = Stream.concat(siblings.stream(), heard.stream()).toList();
    }

    void perform(Effect.NotifyChanging notification) {
        lease.end();
        subscriptions.notifyChanging();
        journal.recordChanging(notification.last(), notification.why());
    }

    void perform(Effect.NotifySettled notification, Optional<HeldView> before, long leaseEnd) {
        show(
                notification.next(),
                RemoteClusters.of(notification.next(), remotes),
                new Lease(time.monotonic(), leaseEnd));
        shownRemotes = remotes;
        journal.recordSettled(before, notification.next());
    }

    void perform(Effect.NotifyProperties notification, Optional<HeldView> before) {
        // Other clusters as they were: a change of them is more than other properties, and showRemotes follows.
        show(notification.next(), clusters, lease);
        journal.recordPropertyChanges(before, notification.next());
    }

    /** Extends the lease of the view; returns false if it has ended. */
    boolean extend(long leaseEnd) {
        return lease.extend(leaseEnd);
    }

    private void show(HeldView held, RemoteClusters others, Lease next) {
        clusters = others;
        journal.showRemotes(clusters);
        ImmutableTopologyView old = topology;
        lease = next;
        topology = ImmutableTopologyView.of(held, clusters, next);
        old.supersede(topology);
        subscriptions.notifySettled(topology);
    }

    /**
     * Shows other clusters as they are now, if they have changed. The view of the local cluster stands, and so does its lease; no other
     * instance needs to know when the listeners of this one have returned.
     */
    void showRemotes(HeldView held) {
        if (remotes == shownRemotes) {
            return;
        }
        RemoteClusters now = RemoteClusters.of(held, remotes);
        List<Reason> differences = now.differences(clusters);
        shownRemotes = remotes;
        if (differences.isEmpty()) {
            clusters = now;
            journal.showRemotes(now);
            return;
        }
        boolean changed = differences.stream().anyMatch(each -> each.code() != ReasonCode.CLUSTER_PROPERTIES);
        if (changed) {
            subscriptions.notifyRemoteChanging();
        }
        show(held, now, lease);
        journal.recordRemotes(changed ? Type.TOPOLOGY_CHANGED : Type.PROPERTIES_CHANGED, held, differences);
    }
}
