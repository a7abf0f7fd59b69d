// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.base.view;

import io.github.discoveryzk.base.protocol.HeldView;
import io.github.discoveryzk.leader.LeaderLease;
import io.github.discoveryzk.leader.ViewNumber;
import io.github.discoveryzk.model.EstablishedView;
import io.github.discoveryzk.model.Member;
import io.github.discoveryzk.model.MemberRecord;
import io.github.discoveryzk.model.ViewHead;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.sling.discovery.ClusterView;
import org.apache.sling.discovery.InstanceDescription;
import org.apache.sling.discovery.InstanceFilter;
import org.apache.sling.discovery.TopologyView;

/**
 * A view of the discovery API. Everything but the answer of {@link #isCurrent} is fixed at construction. Equal to itself only: two views may show the same
 * instances while one of them is invalidated; compare their instances, or their numbers.
 */
public final class ImmutableTopologyView implements TopologyView, ViewNumber.Numbered, LeaderLease.Leased {

    private final OptionalLong number;
    private final ImmutableClusterView cluster;
    private final Set<ClusterView> clusters;
    private final Set<InstanceDescription> instances;
    private final Shown shown;
    private final InstanceDescription local;
    private final Lease lease;
    private final Optional<LeaderLease> leadership;
    private volatile boolean superseded;

    private ImmutableTopologyView(OptionalLong number, HeldView held, RemoteClusters remotes, Lease lease) {
        this.number = number;
        this.lease = lease;
        boolean leads = number.isPresent() && held.leads();
        this.leadership = leads
                ? Optional.of(new Leadership(held.view().token(), held.number(), held.self(), lease))
                : Optional.empty();
        this.cluster = new ImmutableClusterView(held);
        this.clusters = Stream.concat(
                        Stream.of(cluster), remotes.clusters().stream().map(ImmutableClusterView::new))
                .collect(Collectors.toUnmodifiableSet());
        this.instances =
                clusters.stream().flatMap(each -> each.getInstances().stream()).collect(Collectors.toUnmodifiableSet());
        this.shown = new Shown(instances, remotes.withoutWays());
        this.local = cluster.getInstances().stream()
                .filter(InstanceDescription::isLocal)
                .findFirst()
                .orElseThrow();
    }

    /** Returns the view of a held view and other clusters; it is current at most as long as the lease lasts. */
    public static ImmutableTopologyView of(HeldView held, RemoteClusters remotes, Lease lease) {
        return new ImmutableTopologyView(OptionalLong.of(held.number()), held, remotes, lease);
    }

    /**
     * Returns the view to be shown before the first view is settled: this instance alone, in its own cluster, and never
     * current, because the others are unknown.
     *
     * @param own the record of the instance
     * @param clusterId the id of the cluster shown
     */
    public static ImmutableTopologyView unsettled(MemberRecord own, String clusterId) {
        Member member = new Member("unannounced", 0, 0, 0, own);
        ViewHead head = new ViewHead(1, 0, 1, 0, 0, List.of(), own.instanceId());
        EstablishedView view = new EstablishedView(head, List.of(member.incarnation()), Set.of());
        HeldView alone = new HeldView(member.node(), clusterId, view, List.of(member));
        return new ImmutableTopologyView(OptionalLong.empty(), alone, RemoteClusters.NONE, Lease.none());
    }

    @Override
    public OptionalLong number() {
        return number;
    }

    @Override
    public Optional<LeaderLease> lease() {
        return leadership;
    }

    /**
     * As long as the lease lasts and the view shows the same as the latest view of that lease. When the properties change back, a listener
     * that was busy meanwhile receives no event, so the view that it holds is current again.
     */
    @Override
    public boolean isCurrent() {
        return lease.isHeld() && (!superseded || lease.shows(shown));
    }

    /** Returns for how long the lease lasts if it is not extended, in milliseconds; 0 when it is over. */
    public long leaseMillis() {
        return lease.remainingMillis();
    }

    @Override
    public InstanceDescription getLocalInstance() {
        return local;
    }

    @Override
    public Set<InstanceDescription> getInstances() {
        return instances;
    }

    @Override
    public Set<InstanceDescription> findInstances(InstanceFilter filter) {
        if (filter == null) {
            throw new IllegalArgumentException("findInstances needs a filter; pass instance -> true for all instances");
        }
        return instances.stream().filter(filter::accept).collect(Collectors.toSet());
    }

    @Override
    public Set<ClusterView> getClusterViews() {
        return clusters;
    }

    @Override
    public String toString() {
        String name = number.isPresent() ? "view " + number.getAsLong() : "unsettled view";
        String members = cluster.getInstances().stream().map(Objects::toString).collect(Collectors.joining(", "));
        return name + " of cluster " + cluster.getId() + " [" + members + "]";
    }

    /** Records that another view has replaced this one; the lease of this one may continue. */
    public void supersede(ImmutableTopologyView next) {
        lease.show(next.shown);
        superseded = true;
    }

    /** A leadership for as long as the lease lasts. Views that share a lease have equal leaderships, others never do. */
    private record Leadership(long token, long viewNumber, String node, Lease lease) implements LeaderLease, ViewFence {

        @Override
        public boolean isHeld() {
            return lease.isHeld();
        }

        @Override
        public Duration remaining() {
            return Duration.ofMillis(lease.remainingMillis());
        }

        @Override
        public String toString() {
            return "leadership with token " + token + (isHeld() ? ", held" : ", over");
        }
    }

    /** What distinguishes views of one lease. The equality of instances does not cover the order and the leaders of other clusters. */
    private record Shown(Set<InstanceDescription> instances, RemoteClusters remotes) {}
}
