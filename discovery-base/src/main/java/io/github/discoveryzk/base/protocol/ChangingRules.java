// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.base.protocol;

import static io.github.discoveryzk.model.ReasonCode.ACKNOWLEDGING_NEXT;
import static io.github.discoveryzk.model.ReasonCode.ANNOUNCING;
import static io.github.discoveryzk.model.ReasonCode.ANNOUNCING_LATER_VIEWS;
import static io.github.discoveryzk.model.ReasonCode.ANNOUNCING_NEXT;
import static io.github.discoveryzk.model.ReasonCode.DISCONNECTED;
import static io.github.discoveryzk.model.ReasonCode.FEW_INSTANCES;
import static io.github.discoveryzk.model.ReasonCode.HELD;
import static io.github.discoveryzk.model.ReasonCode.HELD_BY_PREDECESSOR;
import static io.github.discoveryzk.model.ReasonCode.INCOMPATIBLE;
import static io.github.discoveryzk.model.ReasonCode.INVALIDATING;
import static io.github.discoveryzk.model.ReasonCode.LEASE_CONFIRMATION;
import static io.github.discoveryzk.model.ReasonCode.LEAVING;
import static io.github.discoveryzk.model.ReasonCode.OWN_RECORD_UNREADABLE;
import static io.github.discoveryzk.model.ReasonCode.QUARANTINED;
import static io.github.discoveryzk.model.ReasonCode.REGROUPING;
import static io.github.discoveryzk.model.ReasonCode.REJOINING;
import static io.github.discoveryzk.model.ReasonCode.REJOINING_NEXT;
import static io.github.discoveryzk.model.ReasonCode.SETTLED;
import static io.github.discoveryzk.model.ReasonCode.STEPPING_DOWN;
import static io.github.discoveryzk.model.ReasonCode.STEPPING_DOWN_IDLE;
import static io.github.discoveryzk.model.ReasonCode.STEPPING_DOWN_NEXT;

import io.github.discoveryzk.base.protocol.Effect.NotifySettled;
import io.github.discoveryzk.base.protocol.Settling.Changing;
import io.github.discoveryzk.base.protocol.Settling.Settled;
import io.github.discoveryzk.model.Acknowledgement;
import io.github.discoveryzk.model.EstablishedView;
import io.github.discoveryzk.model.LeaveRecord;
import io.github.discoveryzk.model.LeaveRecord.Kind;
import io.github.discoveryzk.model.Member;
import io.github.discoveryzk.model.ProcessInfo;
import io.github.discoveryzk.model.ReasonCode;
import io.github.discoveryzk.model.StoreSnapshot;
import io.github.discoveryzk.model.UnreadableMember;
import io.github.discoveryzk.spi.Request;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The rules of an instance that acts on no view. It enters this state at its start, and from {@link SettledRules} when its view
 * is invalidated. It leaves the state for a view in the store that has all live members and that it has not acknowledged, as soon
 * as its lease is confirmed: the listeners receive the view. Until then it announces itself, acknowledges the last view, and
 * takes part in publishing the next one ({@link Coordination}).
 */
final class ChangingRules {

    private final Decision decision;
    private final Facts facts;
    private final Candidates candidates;

    ChangingRules(Decision decision) {
        this.decision = decision;
        this.facts = decision.facts();
        this.candidates = decision.candidates();
    }

    Step decide(Changing changing) {
        Changing idle = changing.idle();
        boolean usable = facts.link().usable() && facts.store().isPresent();
        if (facts.intent().leaving()) {
            facts.self()
                    .filter(self -> usable && facts.delivered())
                    .ifPresent(self -> removeOwnNode(self, Kind.STOPPED));
            return decision.step(idle, Waiting.of(LEAVING));
        }
        if (!usable) {
            return decision.step(idle, Waiting.of(DISCONNECTED));
        }
        StoreSnapshot store = facts.store().get();
        decision.removeStaleMembers(store);
        Optional<UnreadableMember> unreadable = facts.unreadableSelf();
        if (unreadable.isPresent()) {
            return rewrite(idle, store, unreadable.get());
        }
        Optional<Member> self = facts.self();
        return self.isEmpty() ? announce(idle, store) : decideAsMember(changing, store, self.get());
    }

    /** Its own record is broken, or an earlier version wrote it in this session: the instance writes it again. */
    private Step rewrite(Changing idle, StoreSnapshot store, UnreadableMember self) {
        decision.ask(new Request.Update(self.node(), decision.record(store, idle.acknowledged(), Optional.empty())));
        probe();
        return decision.step(idle, Waiting.of(OWN_RECORD_UNREADABLE, self.node(), self.why()));
    }

    private Step announce(Changing idle, StoreSnapshot store) {
        probe();
        if (!facts.delivered()) {
            return decision.step(idle, Waiting.of(ANNOUNCING_NEXT, facts.slowListeners()));
        }
        decision.wake(facts.intent().announceAt());
        if (!decision.isReached(facts.intent().announceAt())) {
            return decision.step(
                    idle,
                    Waiting.of(QUARANTINED, facts.intent().losses())
                            .until(facts.intent().announceAt()));
        }
        decision.ask(new Request.Announce(facts.own()
                .withSessionTimeout(facts.link().timeoutMillis())
                .withFormat(candidates.format(store.formats()))));
        return decision.step(idle, Waiting.of(ANNOUNCING));
    }

    private Step decideAsMember(Changing changing, StoreSnapshot store, Member self) {
        Changing idle = changing.idle();
        if (candidates.refused().outdated().contains(self.node())) {
            removeOwnNode(self, Kind.REPLACED);
            return decision.step(idle, listeners(REJOINING, REJOINING_NEXT));
        }
        probe();
        if (decision.isSteppingDown(self.node()) || changing.hasSteppedDown(self.node())) {
            return stepDown(changing, store, self);
        }
        Member holder = candidates.refused().holders().get(self.node());
        if (holder != null || candidates.refused().incompatible().contains(self.node())) {
            decision.keepRecord(self, self.record().invalidatedUpTo(), Optional.empty());
            Waiting incompatible = Waiting.of(INCOMPATIBLE, self.formats(), candidates.formats());
            return decision.step(idle, holder == null ? incompatible : refused(holder, changing));
        }
        return decideAsCandidate(changing, store, self);
    }

    /** The holder may be a predecessor of this instance: its session had ended when this one began, or ends by itself. */
    private Waiting refused(Member holder, Changing changing) {
        ProcessInfo other = holder.record().process();
        ProcessInfo own = facts.own().process();
        long sessionEnd = changing.since() + holder.record().sessionTimeoutMillis();
        boolean sameHome = other.host().equals(own.host()) && other.home().equals(own.home());
        if (sameHome && decision.now() < sessionEnd) {
            decision.wake(sessionEnd);
            return Waiting.of(HELD_BY_PREDECESSOR, holder.instanceId(), other.pid())
                    .until(sessionEnd);
        }
        return Waiting.of(HELD, holder.instanceId(), other.pid(), other.host(), other.home());
    }

    private Step decideAsCandidate(Changing changing, StoreSnapshot store, Member self) {
        ChangeProgress progress = changing.progress()
                .filter(known -> known.number() == number(store))
                .orElseGet(() -> ChangeProgress.starting(number(store), decision.now()));
        boolean agreed = store.view().filter(candidates::agreeWith).isPresent();
        boolean left = changing.hasAcknowledged(progress);
        boolean backwards = facts.seen().isBackwards(store);
        OptionalLong invalidatedUpTo =
                agreed && left ? changing.acknowledged() : self.record().invalidatedUpTo();
        decision.keepRecord(
                self,
                backwards ? OptionalLong.of(facts.seen().remembered(store)) : invalidatedUpTo,
                slowListeners(changing));
        decision.collectIfLeading(false);
        if (backwards) {
            return decision.step(changing.idle(), Waiting.of(ANNOUNCING_LATER_VIEWS));
        }
        if (agreed && left) {
            // The view stands for the other members until they see the declaration, so the next change has not begun.
            return unsettled(changing, store, self, Waiting.of(INVALIDATING));
        }
        if (!agreed || store.view().filter(store::isAcknowledged).isPresent()) {
            return replace(changing, progress, store, self);
        }
        if (!candidates.unreadable().isEmpty()) {
            // The view stands and this instance cannot act on it; it checks whether other members have acknowledged it.
            decision.collect(true);
            return unsettled(changing, store, self, candidates.unreadableWaiting());
        }
        int members = store.view().orElseThrow().members().size();
        if (changing.last().isEmpty() && members < decision.policy().minInstances()) {
            // Not as a leader that cannot act: with all of them waiting, each would make way for the next.
            return decision.step(
                    changing.idle(),
                    Waiting.of(FEW_INSTANCES, members, decision.policy().minInstances()));
        }
        long rejoined = new Regrouping(decision, store, changing).rejoined(progress);
        decision.wake(rejoined);
        if (!decision.isReached(rejoined)) {
            return unsettled(changing, store, self, Waiting.of(REGROUPING).until(rejoined));
        }
        return settle(changing, store, self);
    }

    private Step settle(Changing changing, StoreSnapshot store, Member self) {
        HeldView held = HeldView.of(self.node(), store).orElseThrow();
        OwnLease lease = new OwnLease(facts, held);
        if (decision.now() >= (held.leads() ? lease.renewalDue() : lease.end())) {
            // A publication in flight renews the lease too.
            if (!held.leads()) {
                decision.ask(new Request.Probe());
            } else if (!facts.activity().underWay().contains(Request.Publish.class)) {
                decision.ask(decision.renewal(self, store));
            }
            return unsettled(changing, store, self, Waiting.of(LEASE_CONFIRMATION));
        }
        decision.emit(new NotifySettled(held));
        decision.collectIfLeading(held.leads());
        decision.settleUntil(lease.end());
        return decision.step(new Settled(held), Waiting.of(SETTLED));
    }

    /**
     * A leader that cannot act is useless to the other members: after the settle timeout it makes way for the successor.
     */
    private Step unsettled(Changing changing, StoreSnapshot store, Member self, Waiting waiting) {
        EstablishedView view = store.view().orElseThrow();
        if (!view.leader().node().equals(self.node()) || view.members().size() == 1) {
            return decision.step(changing.idle(), waiting);
        }
        Changing leading = changing.leading(self.node(), view.number(), decision.now());
        long limit = leading.idleLead().orElseThrow().since()
                + Math.max(decision.policy().settleTimeoutMillis(), view.sessionTimeoutMillis());
        decision.wake(limit);
        if (!decision.isReached(limit) || !facts.delivered()) {
            return decision.step(leading, waiting);
        }
        decision.collect(false);
        decision.withdraw(Request.Renew.class);
        return stepDown(leading.steppingDown(), store, self);
    }

    /**
     * An instance with slow listeners does not delay the others: it invalidates the view for them too, and they leave it out.
     */
    private Step stepDown(Changing changing, StoreSnapshot store, Member self) {
        if (facts.delivered()) {
            removeOwnNode(self, Kind.STEPPED_DOWN);
        }
        Optional<String> slow = slowListeners(changing);
        decision.keepRecord(
                self,
                slow.isPresent()
                        ? OptionalLong.of(number(store))
                        : self.record().invalidatedUpTo(),
                slow);
        return decision.step(
                changing.idle(),
                changing.hasSteppedDown(self.node())
                        ? Waiting.of(STEPPING_DOWN_IDLE)
                        : listeners(STEPPING_DOWN, STEPPING_DOWN_NEXT));
    }

    private Step replace(Changing changing, ChangeProgress progress, StoreSnapshot store, Member self) {
        ChangeProgress known = progress.withCandidates(
                candidates.nodes(), facts.confirmations().leaseProbed(), decision.now());
        Changing next = changing;
        boolean survivor = store.isInView(self.node());
        if (survivor && facts.delivered() && !isRecorded(store, self, known)) {
            decision.ask(new Request.Acknowledge(self.node(), known.number()));
            next = changing.acknowledging(known.number());
        }
        Coordination coordination = new Coordination(decision, store, self, known, changing);
        Coordination.Result result = coordination.advance();
        Waiting waiting = result.waiting();
        if (survivor && !facts.delivered()) {
            Waiting slow = Waiting.of(ACKNOWLEDGING_NEXT, facts.slowListeners(), known.number());
            boolean alone = candidates.members().size() == 1;
            waiting = alone ? slow : slow.until(coordination.deadline());
        }
        return decision.step(next.with(result.progress()), waiting);
    }

    /** An instance that collects acknowledgements relies on the store: another client may have deleted its own. */
    private boolean isRecorded(StoreSnapshot store, Member self, ChangeProgress progress) {
        Acknowledgement own = new Acknowledgement(self.node(), progress.number());
        return facts.seen().acknowledged().equals(OptionalLong.of(progress.number()))
                && store.acknowledgements().map(all -> all.contains(own)).orElse(true);
    }

    /** Removes its own node before other nodes, because a removal that the store keeps refusing would block it. */
    private void removeOwnNode(Member self, Kind kind) {
        decision.withdraw(Request.Delete.class);
        decision.ask(new Request.Delete(LeaveRecord.own(self.node(), kind)));
    }

    private Waiting listeners(ReasonCode returned, ReasonCode waiting) {
        return facts.delivered() ? Waiting.of(returned) : Waiting.of(waiting, facts.slowListeners());
    }

    private void probe() {
        decision.confirm(new Request.Probe(), facts.confirmations().any());
    }

    /**
     * Returns the slow listeners to name in the record before the settle timeout, so that the others can name them when they leave this
     * instance out.
     */
    private Optional<String> slowListeners(Changing changing) {
        if (facts.delivered()) {
            return Optional.empty();
        }
        long limit = changing.since() + decision.policy().settleTimeoutMillis() / 4;
        decision.wake(limit);
        return decision.isReached(limit) ? Optional.of(facts.slowListeners()) : Optional.empty();
    }

    private static long number(StoreSnapshot store) {
        return store.view().map(view -> store.latestNumber()).orElse(0L);
    }
}
