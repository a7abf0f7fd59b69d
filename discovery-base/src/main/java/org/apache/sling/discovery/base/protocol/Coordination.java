// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.protocol;

import static org.apache.sling.discovery.base.protocol.Waiting.Reason.ACKNOWLEDGEMENTS;
import static org.apache.sling.discovery.base.protocol.Waiting.Reason.LEASE;
import static org.apache.sling.discovery.base.protocol.Waiting.Reason.PUBLICATION;
import static org.apache.sling.discovery.base.protocol.Waiting.Reason.QUIET;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.sling.discovery.base.protocol.Settling.Changing;
import org.apache.sling.discovery.commons.model.Acknowledgement;
import org.apache.sling.discovery.commons.model.EstablishedView;
import org.apache.sling.discovery.commons.model.Member;
import org.apache.sling.discovery.commons.model.StoreSnapshot;
import org.apache.sling.discovery.commons.spi.Request;
import org.apache.sling.discovery.commons.spi.SettlingPolicy;

/**
 * The coordinator's part of one {@link Decision}: when the next view is published, and by whom. The eldest candidate does it;
 * each further one steps in a little later, which is safe because the store accepts only one of them.
 */
final class Coordination {

    /**
     * A view that was published and is not there any more does not tell who has to acknowledge: after the settle timeout each of
     * them has noticed that it is void, or has lost its lease.
     */
    private static final String VIEW_LOST =
            "the view in the store is gone, cannot be read, or is older than one that was there before; a new one follows after the"
                    + " settle timeout";

    private final Facts facts;
    private final SettlingPolicy policy;
    private final long now;
    private final StoreSnapshot store;
    private final Candidates candidates;
    private final Member self;
    private final int rank;

    private boolean collects;
    private boolean needsProbe;
    private boolean needsLeaseProbe;
    private EarlierLease lease;
    private long wakeAt = Long.MAX_VALUE;
    private Optional<Request> publication = Optional.empty();
    private Waiting waiting = Decision.waiting(PUBLICATION, "waiting for the coordinator to publish the next view");

    Coordination(
            Facts facts, SettlingPolicy policy, long now, StoreSnapshot store, Candidates candidates, Member self) {
        this.facts = facts;
        this.policy = policy;
        this.now = now;
        this.store = store;
        this.candidates = candidates;
        this.self = self;
        this.rank = candidates.rank(self.node()).orElse(Integer.MAX_VALUE);
    }

    ChangeProgress advance(ChangeProgress round, Changing changing) {
        if (rank == Integer.MAX_VALUE) {
            return round;
        }
        collects = reached(round.since() + turn());
        if (!collects) {
            return round;
        }
        boolean viewLost = isViewLost(changing);
        if (isBlind(viewLost)) {
            waiting = Explanation.unreadable(candidates);
            return round;
        }
        lease = new EarlierLease(facts, store, round, changing, now, viewLost);
        needsLeaseProbe = lease.needsLeaseProbe();
        reached(lease.leaseProbeDue());
        return store.acknowledgements()
                .map(all -> collected(missing(all, round.number()), round, changing, viewLost))
                .orElse(round);
    }

    private ChangeProgress collected(List<Member> missing, ChangeProgress round, Changing changing, boolean viewLost) {
        long deadline = round.since() + settleTimeout(changing);
        boolean safe = lease.isOver();
        boolean complete =
                missing.isEmpty() && !viewLost && candidates.unknown().isEmpty();
        boolean ready = missing.isEmpty() && safe && quiet(round, changing) && (complete || reached(deadline));
        ChangeProgress next = round.withReadiness(ready, now);
        if (next.readySince().isPresent()) {
            publishAfter(next.readySince().getAsLong(), missing, changing);
        } else if (!safe && !viewLost && (missing.isEmpty() || now >= deadline)) {
            waiting = leaseEnd();
        } else if (missing.isEmpty()) {
            waiting = calm(viewLost, deadline);
        } else {
            waiting =
                    Decision.waiting(ACKNOWLEDGEMENTS, sentence(missing, round)).until("left out in", deadline);
            leaveOutAfter(deadline, missing, changing, safe);
        }
        return next;
    }

    /**
     * A member that cannot be read is one whose word is not known, and when the view is not known either, any node may be a member's.
     * Others who can read it publish instead.
     */
    private boolean isBlind(boolean viewLost) {
        return !candidates.unreadable().isEmpty()
                || viewLost && !candidates.unknown().isEmpty();
    }

    boolean collects() {
        return collects;
    }

    boolean needsProbe() {
        return needsProbe;
    }

    boolean needsLeaseProbe() {
        return needsLeaseProbe;
    }

    long wakeAt() {
        return wakeAt;
    }

    Optional<Request> publication() {
        return publication;
    }

    Waiting waiting() {
        return waiting;
    }

    private long turn() {
        return rank * policy.stepInMillis();
    }

    /**
     * Never shorter than the longest session: only then an unresponsive member has noticed the change or lost its lease. The views
     * that somebody may act on count, too: the record of who was granted more after a reconnect may not tell yet.
     */
    private long settleTimeout(Changing changing) {
        Stream<Integer> views = Stream.concat(store.view().stream(), changing.last().map(HeldView::view).stream())
                .map(EstablishedView::sessionMillis);
        Stream<Integer> members =
                store.members().stream().map(member -> member.record().sessionTimeoutMillis());
        return Stream.concat(views, members)
                .mapToLong(Integer::longValue)
                .reduce(policy.settleTimeoutMillis(), Math::max);
    }

    private List<Member> missing(Set<Acknowledgement> acknowledgements, long number) {
        return store.view().map(view -> view.survivors(store.members())).orElse(List.of()).stream()
                .filter(member -> !acknowledgements.contains(new Acknowledgement(member.node(), number)))
                .toList();
    }

    /** A quiet period damps; it may not put the change off beyond the settle timeout. */
    private boolean quiet(ChangeProgress round, Changing changing) {
        return reached(
                Math.min(round.candidatesSince() + policy.quietMillis(), round.since() + settleTimeout(changing)));
    }

    /** Nobody knows then who acts on which view. */
    private boolean isViewLost(Changing changing) {
        return store.view()
                .map(view -> store.latestNumber() > view.number())
                .orElse(store.slot().version() > 0
                        || facts.highest() > 0
                        || changing.last().isPresent());
    }

    private Waiting calm(boolean viewLost, long deadline) {
        if (viewLost) {
            reached(lease.over());
            return Decision.waiting(QUIET, VIEW_LOST);
        }
        return candidates.unknown().isEmpty()
                ? Decision.waiting(QUIET, "waiting for joins and leaves to calm down")
                : Explanation.unknown(candidates).until("left out in", deadline);
    }

    private Waiting leaseEnd() {
        reached(lease.over());
        if (lease.needsNotes() || store.leaseProbe().isEmpty()) {
            return Decision.waiting(LEASE, "asking the store how the members that have gone have left");
        }
        return Decision.waiting(
                        LEASE,
                        "waiting until the lease of leader " + lease.leader().orElse("(not known)")
                                + " is over, which may not have noticed the change")
                .until("over in", lease.over());
    }

    private void publishAfter(long ready, List<Member> missing, Changing changing) {
        if (reached(ready + turn())) {
            publish(missing, changing);
        }
    }

    private void leaveOutAfter(long deadline, List<Member> missing, Changing changing, boolean safe) {
        if (!reached(deadline + turn())) {
            return;
        }
        // An acknowledgement may have been written in time and not have been heard yet, after a pause of this process.
        needsProbe = facts.confirmations().any() < deadline;
        if (!needsProbe && safe) {
            publish(missing, changing);
        }
    }

    private void publish(List<Member> missing, Changing changing) {
        List<Member> members = candidates.members().stream()
                .filter(member -> !missing.contains(member))
                .toList();
        if (members.isEmpty()) {
            return;
        }
        NextView succession = new NextView(store, facts.highest(), members, missing, candidates.unknown());
        EstablishedView next = succession.view(self.instanceId(), facts.wallMillis());
        publication = Optional.of(new Request.Publish(
                next,
                store.slot().version(),
                self.node(),
                succession.history(next, facts.wallMillis(), now - changing.since()),
                succession.heard(),
                lease.renewals(),
                candidates.format(store.formats())));
    }

    private boolean reached(long time) {
        if (now < time) {
            wakeAt = Math.min(wakeAt, time);
        }
        return now >= time;
    }

    private static String sentence(List<Member> missing, ChangeProgress round) {
        return "waiting for "
                + String.join(", ", missing.stream().map(NextView::blame).toList())
                + " to acknowledge view " + round.number();
    }
}
