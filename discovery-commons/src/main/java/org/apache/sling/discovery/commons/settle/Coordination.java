// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.commons.settle;

import static org.apache.sling.discovery.commons.settle.Waiting.Reason.ACKNOWLEDGEMENTS;
import static org.apache.sling.discovery.commons.settle.Waiting.Reason.LEASE;
import static org.apache.sling.discovery.commons.settle.Waiting.Reason.PUBLICATION;
import static org.apache.sling.discovery.commons.settle.Waiting.Reason.QUIET;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.sling.discovery.commons.model.Acknowledgement;
import org.apache.sling.discovery.commons.model.EstablishedView;
import org.apache.sling.discovery.commons.model.Member;
import org.apache.sling.discovery.commons.model.StoreSnapshot;
import org.apache.sling.discovery.commons.settle.Settling.Changing;
import org.apache.sling.discovery.commons.spi.Request;

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
    private boolean needsConfirmation;
    private boolean needsInquiry;
    private boolean safe;
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

    Round advance(Round round, Changing changing) {
        if (rank == Integer.MAX_VALUE) {
            return round;
        }
        collects = reached(round.since() + turn());
        if (!collects) {
            return round;
        }
        safe = leaseIsOver(round, changing);
        if (store.acknowledgements().isEmpty()) {
            return round;
        }
        List<Member> missing = missing(store.acknowledgements().get(), round.number());
        boolean viewLost = isViewLost(changing);
        boolean ready =
                missing.isEmpty() && safe && quiet(round) && (!viewLost || reached(round.since() + settleTimeout()));
        Round next = round.withReadiness(ready, now);
        long deadline = round.since() + settleTimeout();
        if (next.readySince().isPresent()) {
            publishAfter(next.readySince().getAsLong(), missing, changing);
        } else if (!safe && (missing.isEmpty() || now >= deadline)) {
            waiting = lease();
        } else if (missing.isEmpty()) {
            waiting = Decision.waiting(QUIET, viewLost ? VIEW_LOST : "waiting for joins and leaves to calm down");
        } else {
            waiting =
                    Decision.waiting(ACKNOWLEDGEMENTS, sentence(missing, round)).until("left out in", deadline);
            leaveOutAfter(deadline, missing, changing);
        }
        return next;
    }

    boolean collects() {
        return collects;
    }

    boolean needsConfirmation() {
        return needsConfirmation;
    }

    boolean needsInquiry() {
        return needsInquiry;
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

    /** Never shorter than the longest session: only then an unresponsive member has noticed the change or lost its lease. */
    private long settleTimeout() {
        return store.members().stream()
                .mapToLong(member -> member.record().sessionTimeoutMillis())
                .reduce(policy.settleTimeoutMillis(), Math::max);
    }

    private List<Member> missing(Set<Acknowledgement> acknowledgements, long number) {
        return store.view().map(view -> view.survivors(store.members())).orElse(List.of()).stream()
                .filter(member -> !acknowledgements.contains(new Acknowledgement(member.node(), number)))
                .toList();
    }

    /** A quiet period damps; it may not put the change off beyond the settle timeout. */
    private boolean quiet(Round round) {
        return reached(Math.min(round.candidatesSince() + policy.quietMillis(), round.since() + settleTimeout()));
    }

    /** Nobody knows then who acts on which view. */
    private boolean isViewLost(Changing changing) {
        return store.view()
                .map(view -> store.latestNumber() > view.number())
                .orElse(store.slot().version() > 0 || changing.last().isPresent());
    }

    /**
     * A leader that has gone may not have noticed, if its node or its session was ended for it or its server was cut off. What it
     * has done for its lease was done before the number of renewals was first read that is still the newest one after it has gone.
     */
    private boolean leaseIsOver(Round round, Changing changing) {
        Optional<EstablishedView> view = store.view();
        boolean allThere = view.map(present -> present.members().stream().allMatch(each -> store.isLive(each.node())))
                .orElse(true);
        if (allThere) {
            return true;
        }
        needsInquiry = store.inquiry().isEmpty() || facts.confirmations().inquired() < round.candidatesSince();
        if (needsInquiry) {
            return false;
        }
        String leader = view.get().leader().node();
        boolean own = changing.last().filter(held -> held.self().equals(leader)).isPresent();
        boolean released = store.inquiry()
                .get()
                .of(leader)
                .filter(farewell -> farewell.kind().isReleased())
                .isPresent();
        return store.isLive(leader) || own || released || reached(leaseOver());
    }

    private long leaseOver() {
        int known = store.view().map(EstablishedView::sessionMillis).orElse(0);
        return LeaseTerm.over(
                facts.renewalsSince(), known > 0 ? known : facts.link().timeoutMillis());
    }

    private Waiting lease() {
        if (needsInquiry) {
            return Decision.waiting(LEASE, "asking the store how the members that have gone have left");
        }
        String leader = store.view().map(view -> view.leader().instanceId()).orElse("");
        return Decision.waiting(
                        LEASE,
                        "waiting until the lease of leader " + leader
                                + " is over, which has gone and may not have noticed")
                .until("over in", leaseOver());
    }

    private void publishAfter(long ready, List<Member> missing, Changing changing) {
        if (reached(ready + turn())) {
            publish(missing, changing);
        }
    }

    private void leaveOutAfter(long deadline, List<Member> missing, Changing changing) {
        if (!reached(deadline + turn())) {
            return;
        }
        // An acknowledgement may have been written in time and not have been heard yet, after a pause of this process.
        needsConfirmation = facts.confirmations().any() < deadline;
        if (!needsConfirmation && safe) {
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
        Succession succession = new Succession(store, facts.highest(), members, missing);
        EstablishedView next = succession.view(self.instanceId(), facts.wallMillis());
        publication = Optional.of(new Request.Publish(
                next,
                store.slot().version(),
                self.node(),
                succession.history(next, facts.wallMillis(), now - changing.since()),
                succession.heard()));
    }

    private boolean reached(long time) {
        if (now < time) {
            wakeAt = Math.min(wakeAt, time);
        }
        return now >= time;
    }

    private static String sentence(List<Member> missing, Round round) {
        return "waiting for "
                + String.join(", ", missing.stream().map(Succession::blame).toList())
                + " to acknowledge view " + round.number();
    }
}
