// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.protocol;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.apache.sling.discovery.base.protocol.Facts.Confirmations;
import org.apache.sling.discovery.base.protocol.Facts.Intent;
import org.apache.sling.discovery.base.protocol.Facts.Link;
import org.apache.sling.discovery.commons.model.EstablishedView;
import org.apache.sling.discovery.commons.model.LeaseProbe;
import org.apache.sling.discovery.commons.model.Member;
import org.apache.sling.discovery.commons.model.MemberRecord;
import org.apache.sling.discovery.commons.model.StoreSnapshot;
import org.apache.sling.discovery.commons.spi.Request;

/**
 * Keeps what an instance knows of the store, from what the store tells it, as {@link Facts} for the next decision. Has no
 * thread and no clock: the caller confines it to one thread and names the time, in monotonic milliseconds.
 */
public final class Observations {

    private MemberRecord own;
    private Link link = Link.NONE;
    private Optional<StoreSnapshot> snapshot = Optional.empty();
    private Confirmations confirmations = Confirmations.NONE;
    private Optional<Request.Acknowledge> acknowledged = Optional.empty();
    private OptionalLong renewals = OptionalLong.empty();
    private long renewalsSince;
    private long highest;

    /** Knows nothing yet but what the instance says of itself. */
    public Observations(MemberRecord own) {
        this.own = own;
    }

    /** Changes what the instance says of itself. */
    public void publish(UnaryOperator<MemberRecord> change) {
        own = change.apply(own);
    }

    /** There is a connection; it is usable once a snapshot has been read over it. */
    public void connected(long session, int sessionTimeoutMillis) {
        if (session != link.session()) {
            expired();
        }
        link = new Link(session, sessionTimeoutMillis, false);
    }

    /** The connection is lost; what is known gets old. */
    public void suspended() {
        link = new Link(link.session(), link.timeoutMillis(), false);
    }

    /** The session is over, and with it what was confirmed and acknowledged in it. */
    public void expired() {
        link = Link.NONE;
        snapshot = Optional.empty();
        confirmations = Confirmations.NONE;
        acknowledged = Optional.empty();
    }

    /** Takes in how the store looks now. */
    public void observed(StoreSnapshot seen, long now) {
        snapshot = Optional.of(seen);
        seen.leaseProbe()
                .map(LeaseProbe::renewals)
                .map(OptionalLong::of)
                .filter(read -> !read.equals(renewals))
                .ifPresent(read -> {
                    renewals = read;
                    renewalsSince = now;
                });
        highest = Math.max(highest, shown(seen));
        link = new Link(link.session(), link.timeoutMillis(), link.session() != 0);
    }

    /** Takes in that a request that was started then has been carried out. */
    public void recordSuccess(Request request, long startedAt) {
        confirmations = confirmations.with(request, startedAt);
        if (request instanceof Request.Acknowledge acknowledge) {
            acknowledged = Optional.of(acknowledge);
        }
    }

    /** A lease has ended: what was confirmed before does not count for the next one. */
    public void endLease() {
        confirmations = Confirmations.NONE;
    }

    /**
     * Says whether a snapshot shows an older view than one seen before. Beside an own node, which is newer than all that was
     * seen, an older view is not just a late message.
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

    /** Returns all of it, together with what is known from elsewhere. */
    public Facts facts(
            List<String> delivering, Set<Class<? extends Request>> underWay, Intent intent, long wallMillis) {
        return new Facts(
                own,
                link,
                snapshot,
                confirmations,
                renewalsSince,
                highest,
                acknowledgedNumber(),
                delivering,
                underWay,
                intent,
                wallMillis);
    }

    /** What an earlier node has acknowledged is gone with that node. */
    private OptionalLong acknowledgedNumber() {
        return acknowledged
                .filter(known ->
                        self().filter(own -> own.node().equals(known.node())).isPresent())
                .map(known -> OptionalLong.of(known.number()))
                .orElse(OptionalLong.empty());
    }
}
