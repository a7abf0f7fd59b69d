// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.base.protocol;

import io.github.discoveryzk.base.protocol.Facts.Confirmations;
import io.github.discoveryzk.base.protocol.Facts.Intent;
import io.github.discoveryzk.base.protocol.Facts.Link;
import io.github.discoveryzk.model.EstablishedView;
import io.github.discoveryzk.model.LeaseProbe;
import io.github.discoveryzk.model.Member;
import io.github.discoveryzk.model.MemberRecord;
import io.github.discoveryzk.model.StoreSnapshot;
import io.github.discoveryzk.model.Suspicion;
import io.github.discoveryzk.model.UnreadableMember;
import io.github.discoveryzk.spi.Request;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/**
 * Collects the observations of the store as {@link Facts} for the next decision. Has no thread and no clock: the caller
 * confines it to one thread and passes the time, in monotonic milliseconds.
 */
public final class Observations {

    /** An instance with a longer round trip does not judge others: the fault may be its own. */
    private static final long SLOW_MILLIS = 100;

    private MemberRecord own;
    private Link link = Link.NONE;
    private Optional<StoreSnapshot> snapshot = Optional.empty();
    private Candidates candidates = Candidates.NONE;
    private Confirmations confirmations = Confirmations.NONE;
    private Optional<Request.Acknowledge> acknowledged = Optional.empty();
    private OptionalLong renewals = OptionalLong.empty();
    private long renewalsSince;
    private long highest;
    private OptionalLong lastReply = OptionalLong.empty();
    private long calmSince = Link.NONE.outageOver();
    private long suspectingSince = calmSince;

    /** Makes observations that have only its own record of the instance. */
    public Observations(MemberRecord own) {
        this.own = own;
    }

    /** Changes its own record of the instance. */
    public void updateOwnRecord(UnaryOperator<MemberRecord> change) {
        own = change.apply(own);
    }

    /** Records a connection; it is usable once a snapshot has been read over it. A lease is counted by the shorter time of the two. */
    public void connected(long session, int sessionTimeoutMillis, int leaseMillis) {
        if (session != link.session()) {
            expired();
        }
        link = new Link(
                session,
                sessionTimeoutMillis,
                Math.max(link.longestMillis(), Math.min(sessionTimeoutMillis, leaseMillis)),
                false,
                link.outageOver());
    }

    /** Records the loss of the connection. */
    public void suspended() {
        link = usable(false, link.outageOver());
    }

    /** Records the end of the session, and with it of all confirmations and acknowledgements. */
    public void expired() {
        link = Link.NONE;
        snapshot = Optional.empty();
        candidates = Candidates.NONE;
        confirmations = Confirmations.NONE;
        acknowledged = Optional.empty();
    }

    /** Records that until now this process was paused, or its thread was busy. */
    public void recordPause(long now) {
        calmSince = now;
    }

    /** Records a snapshot of the store. */
    public void observed(StoreSnapshot seen, long now) {
        // Most snapshots of a change have new acknowledgements only, and each is decided upon.
        if (snapshot.filter(seen::hasSameMembers).isEmpty()) {
            candidates = Candidates.of(seen);
        }
        Set<Suspicion> before = ownSuspicions();
        snapshot = Optional.of(seen);
        calmSince = link.usable() ? calmSince : now;
        suspectingSince = before.containsAll(ownSuspicions()) ? suspectingSince : now;
        seen.leaseProbe()
                .map(LeaseProbe::renewals)
                .map(OptionalLong::of)
                .filter(read -> !read.equals(renewals))
                .ifPresent(read -> {
                    renewals = read;
                    renewalsSince = now;
                });
        highest = Math.max(highest, shown(seen));
        if (!link.usable() && lastReply.isPresent() && now - lastReply.getAsLong() >= link.timeoutMillis()) {
            // ZooKeeper's client gives up a session when it has heard nothing for four thirds of its timeout.
            long givenUp = lastReply.getAsLong() + link.timeoutMillis() * 4L / 3;
            link = usable(link.session() != 0, Math.max(now, givenUp));
        } else {
            link = usable(link.session() != 0, link.outageOver());
        }
    }

    private Link usable(boolean usable, long outageOver) {
        return new Link(link.session(), link.timeoutMillis(), link.longestMillis(), usable, outageOver);
    }

    /** Records the success of a request that was started at that time. An announcement may have waited in the store. */
    public void recordSuccess(Request request, long startedAt, long now) {
        if (now - startedAt > SLOW_MILLIS && !(request instanceof Request.Announce)) {
            calmSince = now;
        }
        confirmations = confirmations.with(request, startedAt);
        lastReply = OptionalLong.of(startedAt);
        if (request instanceof Request.Acknowledge acknowledge) {
            acknowledged = Optional.of(acknowledge);
        }
    }

    /** Records the end of a lease: earlier confirmations do not count for the next one. */
    public void endLease() {
        confirmations = Confirmations.NONE;
    }

    /**
     * Says whether a snapshot shows an older view than one seen before. Next to an own node, which is newer than everything
     * seen, an older view is not a late message.
     */
    public boolean isBackwards(StoreSnapshot seen) {
        return shown(seen) > 0
                && shown(seen) < highest
                && seen.owned(own.process().runtimeId(), link.session()).isPresent();
    }

    private static long shown(StoreSnapshot seen) {
        return seen.view().map(EstablishedView::number).orElse(0L);
    }

    /** Returns the member node of the present session, made by this process. */
    public Optional<Member> self() {
        return snapshot.flatMap(seen -> seen.owned(own.process().runtimeId(), link.session()));
    }

    /** Returns the name of that node, whether its record can be read or not. */
    public Optional<String> ownNode() {
        return self().map(Member::node).or(() -> snapshot.filter(seen -> link.session() != 0)
                .flatMap(seen -> seen.unreadableOwned(link.session()))
                .map(UnreadableMember::node));
    }

    private Set<Suspicion> ownSuspicions() {
        Optional<String> own = ownNode();
        return snapshot.map(StoreSnapshot::suspicions).orElse(Set.of()).stream()
                .filter(each ->
                        own.equals(Optional.of(each.by())) && snapshot.get().isLive(each.node()))
                .collect(Collectors.toSet());
    }

    public Link link() {
        return link;
    }

    /** Returns the last snapshot of the present session; it is old while the link is not usable. */
    public Optional<StoreSnapshot> snapshot() {
        return snapshot;
    }

    /** Returns the highest number of a view that this process has ever seen, 0 for none. */
    public long highest() {
        return highest;
    }

    /** Returns the facts: the observations together with the given data from other sources. */
    public Facts facts(List<String> delivering, Set<Object> underWay, Intent intent, long wallMillis) {
        return new Facts(
                own,
                link,
                new Facts.Seen(snapshot, candidates, renewalsSince, highest, acknowledgedNumber()),
                confirmations,
                calmSince,
                suspectingSince,
                new Facts.Activity(delivering, underWay),
                intent,
                wallMillis);
    }

    /** An acknowledgement of an earlier node ends with that node. */
    private OptionalLong acknowledgedNumber() {
        return acknowledged
                .filter(known ->
                        self().filter(own -> own.node().equals(known.node())).isPresent())
                .map(known -> OptionalLong.of(known.number()))
                .orElse(OptionalLong.empty());
    }
}
