// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.benchmarks.member;

import io.github.discoveryzk.base.environment.InstanceIdentity;
import io.github.discoveryzk.base.environment.Machine;
import io.github.discoveryzk.base.environment.Time;
import io.github.discoveryzk.base.neighbour.Neighbours;
import io.github.discoveryzk.base.protocol.HeldView;
import io.github.discoveryzk.model.EstablishedView;
import io.github.discoveryzk.model.Incarnation;
import io.github.discoveryzk.model.LeaveRecord;
import io.github.discoveryzk.model.Member;
import io.github.discoveryzk.model.MemberRecord;
import io.github.discoveryzk.model.StoreSnapshot;
import io.github.discoveryzk.spi.ClusterStore;
import io.github.discoveryzk.spi.Outcome;
import io.github.discoveryzk.spi.Request;
import io.github.discoveryzk.spi.StoreObserver;
import io.github.discoveryzk.spi.ThreadsAndClocks;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A member of this project's protocol for clusters with more members than the machine could run. It has the store of a real member, so it
 * reads, watches and writes what a real one does: it announces itself, acknowledges each view that is invalidated, probes the store at the pace of
 * a real member, watches its neighbours and is watched, and writes a leave record when it leaves. The others wait for it as for any member. It never coordinates, and has no
 * listeners and no lease.
 */
@ThreadsAndClocks
final class LightMember implements BenchmarkMember, StoreObserver {
    private static final Logger LOG = LoggerFactory.getLogger(LightMember.class);
    private static final long PACE_MILLIS = ClientMember.SESSION_MILLIS / 8;

    private final String id;
    private final Recorder recorder;
    private final ClusterStore store;
    private final Neighbours neighbours;
    private final CompletableFuture<Void> connected = new CompletableFuture<>();
    private final CompletableFuture<Void> left = new CompletableFuture<>();
    private volatile Optional<String> memberNode = Optional.empty();
    private volatile int timeoutMillis;
    private volatile MemberRecord record;

    /** The number of the view that it acknowledged last. */
    private long acknowledged;

    private long session;

    LightMember(String id, ClusterStore store, Recorder recorder) {
        this.id = id;
        this.recorder = recorder;
        this.store = store;
        this.record = MemberRecord.of(
                id, InstanceIdentity.ofThisProcess(id, Time.SYSTEM).process(), Map.of(DiscoveryMember.PROPERTY, ""));
        this.neighbours = new Neighbours(
                record.process().runtimeId(),
                Machine.THIS,
                Time.SYSTEM.monotonic(),
                store::localAddress,
                suspects -> {});
    }

    @Override
    public void connect() throws Exception {
        store.open(this);
        connected.get(CONNECT_SECONDS, TimeUnit.SECONDS);
        probe();
    }

    private void probe() {
        if (!left.isDone()) {
            store.request(new Request.Probe());
        }
    }

    @Override
    public void connected(long present, int sessionTimeoutMillis) {
        session = present;
        timeoutMillis = sessionTimeoutMillis;
        record = record.withProcess(neighbours.listen(record.process()));
    }

    @Override
    public void suspended() {
        LOG.error("{} has lost its connection", id);
    }

    @Override
    public void expired() {
        LOG.error("The session of {} has ended", id);
    }

    @Override
    public void observed(StoreSnapshot seen) {
        connected.complete(null);
        Optional<EstablishedView> view = seen.view();
        seen.owned(record.process().runtimeId(), session)
                .map(Member::node)
                .filter(node ->
                        view.filter(established -> established.contains(node)).isPresent())
                .ifPresent(node -> settle(node, view.get(), seen));
    }

    /** Does what a real member does after its listeners, of which this one has none. */
    private void settle(String node, EstablishedView view, StoreSnapshot seen) {
        memberNode = Optional.of(node);
        if (acknowledged >= view.number()) {
            return;
        }
        if (isCurrent(view, seen)) {
            String value = seen.members().get(0).record().properties().getOrDefault(DiscoveryMember.PROPERTY, "");
            recorder.notified(id, view.members().size(), value);
            neighbours.follow(new HeldView(node, seen.clusterId(), view, seen.members()), seen);
        } else {
            recorder.changing(id);
            acknowledged = view.number();
            store.request(new Request.Acknowledge(node, view.number()));
        }
    }

    /** Says whether the view has the live members, none of which has invalidated it. */
    private static boolean isCurrent(EstablishedView view, StoreSnapshot seen) {
        return seen.members().stream()
                        .map(Member::node)
                        .toList()
                        .equals(view.members().stream().map(Incarnation::node).toList())
                && seen.members().stream()
                        .allMatch(member -> member.record().invalidatedUpTo().orElse(0) < view.number());
    }

    @Override
    public void completed(Request request, Outcome outcome) {
        if (outcome.status() != Outcome.Status.DONE && !left.isDone()) {
            LOG.error("{} has got {} for {}", id, outcome, request);
        }
        if (request instanceof Request.Probe) {
            CompletableFuture.delayedExecutor(PACE_MILLIS, TimeUnit.MILLISECONDS)
                    .execute(this::probe);
        } else if (request instanceof Request.Delete) {
            left.complete(null);
        }
    }

    @Override
    public void troubled(String sentence) {
        if (!sentence.isEmpty()) {
            LOG.error("{}: {}", id, sentence);
        }
    }

    @Override
    public void join() {
        store.request(new Request.Announce(record.withSessionTimeout(timeoutMillis)));
    }

    @Override
    public void leave() throws Exception {
        if (memberNode.isPresent()) {
            String node = memberNode.get();
            store.request(new Request.Delete(new LeaveRecord(node, LeaveRecord.Kind.STOPPED, node, 0)));
            left.get(CONNECT_SECONDS, TimeUnit.SECONDS);
        }
        left.complete(null);
        neighbours.close().join();
        store.close();
    }
}
