// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.protocol;

import static org.apache.sling.discovery.base.protocol.Waiting.Reason.ACKNOWLEDGEMENTS;
import static org.apache.sling.discovery.base.protocol.Waiting.Reason.LEASE;
import static org.apache.sling.discovery.base.protocol.Waiting.Reason.PUBLICATION;
import static org.apache.sling.discovery.base.protocol.Waiting.Reason.QUIET;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.sling.discovery.base.protocol.Settling.Changing;
import org.apache.sling.discovery.commons.model.Acknowledgement;
import org.apache.sling.discovery.commons.model.EstablishedView;
import org.apache.sling.discovery.commons.model.Member;
import org.apache.sling.discovery.commons.model.StoreSnapshot;
import org.apache.sling.discovery.commons.spi.Request;
import org.apache.sling.discovery.commons.spi.SettlingPolicy;

/**
 * The coordinator's part of one {@link Decision}: when the next view is published, and by which candidate. The most senior candidate
 * publishes; each further one steps in slightly later, which is safe because the store accepts only one of them.
 */
final class Coordination {

    /**
     * If a published view does not exist any more, the members that must acknowledge are unknown: after the settle timeout each
     * of them has noticed that the view is void, or has lost its lease.
     */
    private static final String VIEW_LOST =
            "the view in the store is gone, cannot be read, or is older than an earlier one; a new view follows after the"
                    + " settle timeout";

    /** What happens at the {@link #deadline}. */
    static final String LEFT_OUT = "left out in";

    private static final int NAMED = 12;

    private static final Waiting FOR_COORDINATOR =
            new Waiting(PUBLICATION, "waiting for the coordinator to publish the next view");

    private final Facts facts;
    private final SettlingPolicy policy;
    private final long now;
    private final Candidates candidates;
    private final Agenda agenda;
    private final StoreSnapshot store;
    private final Member self;
    private final ChangeProgress progress;
    private final Changing changing;
    private final boolean viewLost;
    private final EarlierLease lease;

    /**
     * Prepares the part of this instance in a change.
     *
     * @param progress the progress of the change
     * @param changing the state of this instance before the decision
     */
    Coordination(Decision decision, StoreSnapshot store, Member self, ChangeProgress progress, Changing changing) {
        this.facts = decision.facts();
        this.policy = decision.policy();
        this.now = decision.now();
        this.candidates = decision.candidates();
        this.agenda = decision.agenda();
        this.store = store;
        this.self = self;
        this.progress = progress;
        this.changing = changing;
        this.viewLost = isViewLost(changing);
        this.lease = new EarlierLease(facts, store, progress, changing, now, viewLost);
    }

    /**
     * The result of {@link #advance}.
     *
     * @param progress the new progress of the change
     * @param waiting what the change waits for
     */
    record Result(ChangeProgress progress, Waiting waiting) {}

    /** Advances the change if this instance is a candidate. */
    Result advance() {
        Optional<Long> delay = candidates.seniors(self.node()).map(seniors -> seniors * policy.stepInMillis());
        if (delay.isEmpty() || !agenda.isReached(progress.since() + delay.get())) {
            return new Result(progress, FOR_COORDINATOR);
        }
        agenda.collect(true);
        if (isBlind()) {
            return new Result(progress, Explanation.unreadable(candidates));
        }
        Result result = store.acknowledgements()
                .map(all -> collect(all, delay.get()))
                .orElse(new Result(progress, FOR_COORDINATOR));
        agenda.wake(lease.leaseProbeDue());
        if (lease.needsLeaseProbe()) {
            agenda.ask(new Request.ProbeLease());
        }
        return result;
    }

    /** Returns when members that have not acknowledged may be left out, in monotonic milliseconds. */
    long deadline() {
        return progress.since() + settleTimeout();
    }

    private Result collect(Set<Acknowledgement> acknowledgements, long delay) {
        long deadline = deadline();
        boolean safe = lease.isOver();
        List<Member> missing = missing(acknowledgements);
        boolean acknowledged = missing.isEmpty();
        boolean complete =
                acknowledged && !viewLost && candidates.unreadableNewcomers().isEmpty();
        boolean ready = acknowledged
                && safe
                && isQuiet()
                && (complete || agenda.isReached(deadline))
                && (viewLost || awaited().isEmpty() || agenda.isReached(regrouped()));
        ChangeProgress next = progress.withReadiness(ready, now);
        if (next.readySince().isPresent()) {
            if (agenda.isReached(next.readySince().getAsLong() + delay)) {
                publish(List.of());
            }
            return new Result(next, FOR_COORDINATOR);
        }
        if (!safe && !viewLost && (acknowledged || now >= deadline)) {
            return new Result(next, leaseWaiting());
        }
        if (acknowledged) {
            return new Result(next, quietWaiting(deadline));
        }
        if (agenda.isReached(deadline + delay)) {
            leaveOut(missing, deadline, safe);
        }
        return new Result(next, new Waiting(ACKNOWLEDGEMENTS, sentence(missing)).until(LEFT_OUT, deadline));
    }

    /**
     * A member whose record cannot be read may have declared the view void, and when the view is unknown too, any node may
     * belong to a member. Other instances that can read the record publish instead.
     */
    private boolean isBlind() {
        return !candidates.unreadable().isEmpty()
                || viewLost && !candidates.unreadableNewcomers().isEmpty();
    }

    /**
     * Returns the settle timeout, never shorter than the longest session: only after that time has an unresponsive member
     * noticed the change or lost its lease. The views on which a member may act count too: a record may not yet show a longer
     * session timeout that was granted after a reconnect.
     */
    private long settleTimeout() {
        Stream<Integer> views = Stream.concat(store.view().stream(), changing.last().map(HeldView::view).stream())
                .map(EstablishedView::sessionTimeoutMillis);
        Stream<Integer> members = Stream.of(store.longestSessionTimeoutMillis());
        return Stream.concat(views, members)
                .mapToLong(Integer::longValue)
                .reduce(policy.settleTimeoutMillis(), Math::max);
    }

    private List<Member> missing(Set<Acknowledgement> acknowledgements) {
        return store.survivors().stream()
                .filter(member -> !acknowledgements.contains(new Acknowledgement(member.node(), progress.number())))
                .toList();
    }

    /** The quiet period must not delay the change beyond the settle timeout. */
    private boolean isQuiet() {
        return agenda.isReached(
                Math.min(progress.candidatesSince() + policy.quietMillis(), progress.since() + settleTimeout()));
    }

    /** Returns the members to regroup with. It costs as much as there are members, so it is asked for when nothing else is waited for. */
    private Set<String> awaited() {
        boolean outage = facts.link().outageOver() >= changing.since();
        return policy.regroupMillis() == 0 ? Set.of() : Regrouping.awaited(store, candidates, outage);
    }

    private long regrouped() {
        return progress.since() + policy.regroupMillis();
    }

    /** Without the view, the members that act on it are unknown. */
    private boolean isViewLost(Changing state) {
        return store.view()
                .map(view -> store.latestNumber() > view.number())
                .orElse(store.slot().version() > 0
                        || store.slot().recorded() > 0
                        || facts.highest() > 0
                        || state.last().isPresent());
    }

    private Waiting quietWaiting(long deadline) {
        if (viewLost) {
            agenda.wake(lease.over());
            return new Waiting(QUIET, VIEW_LOST);
        }
        if (!candidates.unreadableNewcomers().isEmpty()) {
            return Explanation.unreadableNewcomers(candidates).until(LEFT_OUT, deadline);
        }
        Set<String> awaited = isQuiet() ? awaited() : Set.of();
        return awaited.isEmpty()
                ? new Waiting(QUIET, "waiting for the end of the quiet period")
                : new Waiting(
                                QUIET,
                                "sessions of view " + progress.number() + " have ended in an outage; waiting for "
                                        + shortened(awaited) + " to be announced again")
                        .until("the next view is published in", regrouped());
    }

    private Waiting leaseWaiting() {
        agenda.wake(lease.over());
        if (lease.needsNotes() || store.leaseProbe().isEmpty()) {
            return new Waiting(LEASE, "reading from the store how members have left");
        }
        return new Waiting(
                        LEASE,
                        "waiting for the end of the lease of leader "
                                + lease.leader().orElse("(not known)") + ", which may not have noticed the change")
                .until("over in", lease.over());
    }

    /** After a pause of this process, an acknowledgement may have been written in time but not have been observed yet. */
    private void leaveOut(List<Member> missing, long deadline, boolean safe) {
        boolean needsProbe = facts.confirmations().any() < deadline;
        if (needsProbe) {
            agenda.ask(new Request.Probe());
        } else if (safe) {
            publish(missing);
        }
    }

    private void publish(List<Member> missing) {
        Set<String> absent = missing.stream().map(Member::node).collect(Collectors.toSet());
        List<Member> members = candidates.members().stream()
                .filter(member -> !absent.contains(member.node()))
                .toList();
        if (members.isEmpty()) {
            return;
        }
        NextView nextView = new NextView(store, facts.highest(), members, missing, candidates.unreadableNewcomers());
        EstablishedView next = nextView.view(self.instanceId(), facts.wallMillis());
        agenda.ask(new Request.Publish(
                next,
                store.slot().version(),
                self.node(),
                nextView.history(next, facts.wallMillis(), now - changing.since()),
                nextView.obsoleteNotes(),
                lease.renewals(),
                candidates.format(store.formats()),
                facts.link().longestMillis()));
    }

    private static String shortened(Set<String> ids) {
        return ids.size() > NAMED ? ids.size() + " members" : String.join(", ", ids);
    }

    /** The names are listed once they are few: each acknowledgement changes the sentence. */
    private String sentence(List<Member> missing) {
        String whom = missing.size() > NAMED
                ? missing.size() + " members"
                : String.join(", ", missing.stream().map(NextView::blame).toList());
        return "waiting for " + whom + " to acknowledge view " + progress.number();
    }
}
