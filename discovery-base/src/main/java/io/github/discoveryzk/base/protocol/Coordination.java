// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.base.protocol;

import static io.github.discoveryzk.model.ReasonCode.ACKNOWLEDGEMENTS;
import static io.github.discoveryzk.model.ReasonCode.COORDINATOR;
import static io.github.discoveryzk.model.ReasonCode.EARLIER_LEASE;
import static io.github.discoveryzk.model.ReasonCode.LEAVE_RECORDS;
import static io.github.discoveryzk.model.ReasonCode.MANY_ACKNOWLEDGEMENTS;
import static io.github.discoveryzk.model.ReasonCode.QUIET;
import static io.github.discoveryzk.model.ReasonCode.REGROUPING_NEXT;
import static io.github.discoveryzk.model.ReasonCode.VIEW_LOST;

import io.github.discoveryzk.base.protocol.Settling.Changing;
import io.github.discoveryzk.model.Acknowledgement;
import io.github.discoveryzk.model.EstablishedView;
import io.github.discoveryzk.model.Member;
import io.github.discoveryzk.model.Renewal;
import io.github.discoveryzk.model.StoreSnapshot;
import io.github.discoveryzk.spi.Request;
import io.github.discoveryzk.spi.SettlingPolicy;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The coordinator's part of one {@link Decision}: when the next view is published, and by which candidate. The most senior candidate
 * publishes; each further one steps in slightly later, which is safe because the store accepts only one of them.
 */
final class Coordination {

    private static final int NAMED = 12;

    private static final Waiting FOR_COORDINATOR = Waiting.of(COORDINATOR);

    private final Decision decision;
    private final Facts facts;
    private final SettlingPolicy policy;
    private final Candidates candidates;
    private final StoreSnapshot store;
    private final Member self;
    private final ChangeProgress progress;
    private final Changing changing;
    private final boolean viewLost;
    private final EarlierLease lease;
    private final Regrouping regrouping;

    /**
     * Prepares the part of this instance in a change.
     *
     * @param progress the progress of the change
     * @param changing the state of this instance before the decision
     */
    Coordination(Decision decision, StoreSnapshot store, Member self, ChangeProgress progress, Changing changing) {
        this.decision = decision;
        this.facts = decision.facts();
        this.policy = decision.policy();
        this.candidates = decision.candidates();
        this.store = store;
        this.self = self;
        this.progress = progress;
        this.changing = changing;
        this.viewLost = isViewLost(changing);
        this.lease = new EarlierLease(decision, store, progress, changing, viewLost);
        this.regrouping = new Regrouping(decision, store, changing);
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
        delay.ifPresent(millis -> decision.wake(progress.since() + millis));
        if (delay.isEmpty() || !decision.isReached(progress.since() + delay.get())) {
            return new Result(progress, FOR_COORDINATOR);
        }
        decision.collect(true);
        if (isBlind()) {
            return new Result(progress, candidates.unreadableWaiting());
        }
        Result result = store.acknowledgements()
                .map(all -> collect(all, delay.get()))
                .orElse(new Result(progress, FOR_COORDINATOR));
        decision.wake(lease.leaseProbeDue());
        if (lease.needsLeaseProbe()) {
            decision.ask(new Request.ProbeLease());
        }
        return result;
    }

    /** Returns when members that have not acknowledged may be excluded, in monotonic milliseconds. */
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
        boolean ready = acknowledged && safe && isReady(complete ? quietEnd() : Math.max(quietEnd(), deadline));
        ChangeProgress next = progress.withReadiness(ready, decision.now());
        if (next.readySince().isPresent()) {
            long turn = next.readySince().getAsLong() + delay;
            decision.wake(turn);
            if (decision.isReached(turn)) {
                publish(List.of());
            }
            return new Result(next, FOR_COORDINATOR);
        }
        if (!safe && !viewLost && (acknowledged || decision.isReached(deadline))) {
            return new Result(next, leaseWaiting());
        }
        if (acknowledged) {
            return new Result(next, quietWaiting(deadline));
        }
        decision.wake(deadline + delay);
        if (decision.isReached(deadline + delay)) {
            exclude(missing, deadline, safe);
        }
        return new Result(next, acknowledgementsOf(missing).until(deadline));
    }

    /**
     * A member whose record cannot be read may have invalidated the view, and when the view is unknown too, any node may
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
    private long quietEnd() {
        return Math.min(progress.candidatesSince() + policy.quietMillis(), progress.since() + settleTimeout());
    }

    /** Who is awaited after an outage costs as much as there are members, so it is asked for when nothing else is waited for. */
    private boolean isReady(long earliest) {
        boolean regroups = decision.isReached(earliest)
                && !viewLost
                && !regrouping.awaited(candidates).isEmpty();
        long time = regroups ? Math.max(earliest, regrouping.end(progress)) : earliest;
        decision.wake(time);
        return decision.isReached(time);
    }

    /** Without the view, the members that act on it are unknown. */
    private boolean isViewLost(Changing state) {
        return store.view()
                .map(view -> store.latestNumber() > view.number())
                .orElse(store.slot().version() > 0
                        || store.slot().recorded() > 0
                        || facts.seen().highest() > 0
                        || state.last().isPresent());
    }

    private Waiting quietWaiting(long deadline) {
        if (viewLost) {
            decision.wake(lease.over());
            // The members that must acknowledge are unknown: after the settle timeout each of them has noticed that the
            // view is invalidated, or has lost its lease.
            return Waiting.of(VIEW_LOST);
        }
        if (!candidates.unreadableNewcomers().isEmpty()) {
            return candidates.unreadableNewcomersWaiting().until(deadline);
        }
        Set<String> awaited = decision.isReached(quietEnd()) ? regrouping.awaited(candidates) : Set.of();
        return awaited.isEmpty()
                ? Waiting.of(QUIET)
                : Waiting.of(REGROUPING_NEXT, progress.number(), awaited).until(regrouping.end(progress));
    }

    private Waiting leaseWaiting() {
        decision.wake(lease.over());
        if (lease.needsLeaveRecords() || store.leaseProbe().isEmpty()) {
            return Waiting.of(LEAVE_RECORDS);
        }
        return Waiting.of(EARLIER_LEASE, lease.leader().orElse("(not known)")).until(lease.over());
    }

    /** After a pause of this process, an acknowledgement may have been written in time but not have been observed yet. */
    private void exclude(List<Member> missing, long deadline, boolean safe) {
        boolean needsProbe = facts.confirmations().any() < deadline;
        if (needsProbe) {
            decision.ask(new Request.Probe());
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
        NextView nextView =
                new NextView(store, facts.seen().highest(), members, missing, candidates.unreadableNewcomers());
        EstablishedView next = nextView.view(self.instanceId(), facts.wallMillis());
        decision.ask(new Request.Publish(
                next,
                store.slot().version(),
                new Renewal(self.node(), facts.link().longestMillis()),
                nextView.history(next, facts.wallMillis(), decision.now() - changing.since()),
                nextView.obsoleteLeaveRecords(),
                lease.renewals(),
                candidates.format(store.formats())));
    }

    /** The names are listed once they are few: each acknowledgement changes the list. */
    private Waiting acknowledgementsOf(List<Member> missing) {
        if (missing.size() > NAMED) {
            return Waiting.of(MANY_ACKNOWLEDGEMENTS, progress.number(), missing.size());
        }
        List<String> blamed = missing.stream()
                .flatMap(member -> Stream.of(
                        member.instanceId(), member.record().waitingFor().orElse("")))
                .toList();
        return Waiting.of(ACKNOWLEDGEMENTS, progress.number(), blamed);
    }
}
