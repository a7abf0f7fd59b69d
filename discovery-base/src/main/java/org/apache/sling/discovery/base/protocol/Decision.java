// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.protocol;

import static org.apache.sling.discovery.base.protocol.Waiting.Reason.ANNOUNCEMENT;
import static org.apache.sling.discovery.base.protocol.Waiting.Reason.CONFIRMATION;
import static org.apache.sling.discovery.base.protocol.Waiting.Reason.LEAVING;
import static org.apache.sling.discovery.base.protocol.Waiting.Reason.LISTENERS;
import static org.apache.sling.discovery.base.protocol.Waiting.Reason.NOTHING;
import static org.apache.sling.discovery.base.protocol.Waiting.Reason.PUBLICATION;
import static org.apache.sling.discovery.base.protocol.Waiting.Reason.STORE;
import static org.apache.sling.discovery.base.protocol.Waiting.Reason.UNREADABLE;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.sling.discovery.base.protocol.Effect.Ask;
import org.apache.sling.discovery.base.protocol.Effect.TellChanging;
import org.apache.sling.discovery.base.protocol.Effect.TellProperties;
import org.apache.sling.discovery.base.protocol.Effect.TellSettled;
import org.apache.sling.discovery.base.protocol.Facts.Confirmations;
import org.apache.sling.discovery.base.protocol.Settling.Changing;
import org.apache.sling.discovery.base.protocol.Settling.Settled;
import org.apache.sling.discovery.commons.model.Acknowledgement;
import org.apache.sling.discovery.commons.model.DepartureNote;
import org.apache.sling.discovery.commons.model.DepartureNote.Kind;
import org.apache.sling.discovery.commons.model.EstablishedView;
import org.apache.sling.discovery.commons.model.Member;
import org.apache.sling.discovery.commons.model.MemberRecord;
import org.apache.sling.discovery.commons.model.StoreSnapshot;
import org.apache.sling.discovery.commons.model.UnreadableMember;
import org.apache.sling.discovery.commons.spi.Request;
import org.apache.sling.discovery.commons.spi.SettlingPolicy;
import org.apache.sling.discovery.commons.spi.SettlingPolicy.SuspendedPolicy;

/** One evaluation of the {@link Protocol}; used once. */
final class Decision {

    private static final Waiting FOR_STORE =
            new Waiting(STORE, "no usable connection to the store; the last view may be void, so none is current");

    private final Facts facts;
    private final SettlingPolicy policy;
    private final long now;
    private final Explanation explanation;

    private final Candidates candidates;
    private final List<Effect> effects = new ArrayList<>();
    private boolean collect;
    private long leaseEnd = Long.MIN_VALUE;
    private long wakeAt = Long.MAX_VALUE;

    Decision(Facts facts, SettlingPolicy policy, long now) {
        this.facts = facts;
        this.policy = policy;
        this.now = now;
        this.explanation = new Explanation(facts, now);
        this.candidates = facts.store().map(Candidates::of).orElse(Candidates.NONE);
    }

    Step decide(Settling state) {
        return state instanceof Settled settled ? whileSettled(settled.held()) : whileChanging((Changing) state);
    }

    private Step whileSettled(HeldView held) {
        Optional<String> why = voided(held);
        if (why.isPresent()) {
            effects.add(new TellChanging(held, why.get()));
            collect = held.leads();
            // Nothing more in this step: whether listeners have returned is only known once they have been told.
            return step(
                    new Changing(Optional.of(held), now, OptionalLong.empty(), Optional.empty(), Optional.empty()),
                    waiting(LISTENERS, "view " + held.number() + " is void: " + why.get()));
        }
        HeldView fresh =
                facts.store().flatMap(store -> HeldView.of(held.self(), store)).orElse(held);
        HeldView told = fresh.sameProperties(held) ? held : fresh;
        if (told != held) {
            effects.add(new TellProperties(told));
        }
        confirm(held);
        facts.self().ifPresent(self -> keepRecord(self, self.record().voidUpTo(), Optional.empty()));
        facts.store().filter(store -> facts.link().usable()).ifPresent(this::leftovers);
        // Who can read a newcomer acknowledges the view; one that cannot learns of it from the acknowledgements.
        collect = held.leads() || !candidates.unknown().isEmpty();
        leaseEnd = leaseEnd(held);
        wake(leaseEnd);
        return step(new Settled(told), waiting(NOTHING, "stable"));
    }

    /** Why the view is not current any more; empty as long as it is. */
    private Optional<String> voided(HeldView held) {
        if (facts.intent().leaving()) {
            return Optional.of("this instance is leaving");
        }
        if (isRetiring(held.self())) {
            return Optional.of("this instance stands down");
        }
        if (!facts.link().usable() && policy.suspended() == SuspendedPolicy.STRICT) {
            return Optional.of("the connection to the store is lost");
        }
        if (facts.self().filter(self -> self.node().equals(held.self())).isEmpty()) {
            return Optional.of(
                    facts.unreadableSelf().isPresent()
                            ? "the record of this instance in the store cannot be read"
                            : "the session of this instance is over");
        }
        if (now >= leaseEnd(held)) {
            return Optional.of("the store has not answered for so long that the lease is over");
        }
        return facts.store().flatMap(store -> replaced(held, store));
    }

    private Optional<String> replaced(HeldView held, StoreSnapshot store) {
        if (store.view().filter(view -> view.number() == held.number()).isEmpty()) {
            return Optional.of("the store holds "
                    + store.view().map(view -> "view " + view.number()).orElse("no view"));
        }
        if (!store.clusterId().equals(held.clusterId())) {
            return Optional.of("the store holds another cluster");
        }
        if (!candidates.agreeWith(held.view())) {
            return Optional.of(candidates.difference(held.view()));
        }
        if (store.isAcknowledged(held.view())) {
            return Optional.of("another member has left it behind");
        }
        return candidates.unreadable().isEmpty()
                ? Optional.empty()
                : Optional.of(Explanation.unreadable(candidates).sentence());
    }

    private Step whileChanging(Changing changing) {
        Changing idle = changing.idle();
        boolean usable = facts.link().usable() && facts.store().isPresent();
        if (facts.intent().leaving()) {
            facts.self().filter(self -> usable && facts.delivered()).ifPresent(self -> giveUp(self, Kind.STOPPED));
            return step(idle, waiting(LEAVING, "the instance is leaving the cluster"));
        }
        if (!usable) {
            return step(idle, FOR_STORE);
        }
        StoreSnapshot store = facts.store().get();
        leftovers(store);
        Optional<UnreadableMember> unreadable = facts.unreadableSelf();
        if (unreadable.isPresent()) {
            return rewriting(idle, store, unreadable.get());
        }
        Optional<Member> self = facts.self();
        return self.isEmpty() ? announcing(idle, store) : announced(changing, store, self.get());
    }

    /** The own record is broken, or was written by an earlier version in this session: the instance writes it again. */
    private Step rewriting(Changing idle, StoreSnapshot store, UnreadableMember self) {
        ask(new Request.Update(self.node(), record(store, idle.acknowledged(), Optional.empty())));
        confirm(new Request.Probe(), facts.confirmations().any());
        return step(
                idle,
                waiting(
                        UNREADABLE,
                        "this instance cannot read its own record in member node " + self.node() + " (" + self.why()
                                + ") and writes it again; check the access rights"));
    }

    /** Removes nodes that have no right to be there any more, one at a time. */
    private void leftovers(StoreSnapshot store) {
        StaleMembers.of(store, facts).stream().findFirst().ifPresent(note -> ask(new Request.Delete(note)));
    }

    /** Goes before the removal of other nodes, of which one that is refused would be in the way again and again. */
    private void giveUp(Member self, Kind kind) {
        effects.removeIf(effect -> effect instanceof Ask ask && ask.request() instanceof Request.Delete);
        ask(new Request.Delete(DepartureNote.own(self.node(), kind)));
    }

    private boolean isRetiring(String node) {
        return facts.intent().retiring().filter(node::equals).isPresent();
    }

    private Step announcing(Changing idle, StoreSnapshot store) {
        confirm(new Request.Probe(), facts.confirmations().any());
        if (!facts.delivered()) {
            return step(idle, explanation.listeners("then this instance announces itself"));
        }
        if (now < facts.intent().announceAt()) {
            wake(facts.intent().announceAt());
            return step(idle, explanation.quarantine());
        }
        ask(new Request.Create(facts.own()
                .withSessionTimeout(facts.link().timeoutMillis())
                .withFormat(candidates.format(store.formats()))));
        return step(idle, waiting(ANNOUNCEMENT, "this instance is announcing itself in the store"));
    }

    private Step announced(Changing changing, StoreSnapshot store, Member self) {
        Changing idle = changing.idle();
        if (candidates.outdated().contains(self.node())) {
            giveUp(self, Kind.REPLACED);
            return step(idle, explanation.listeners("left out of the view; this instance rejoins at the end"));
        }
        confirm(new Request.Probe(), facts.confirmations().any());
        if (isRetiring(self.node()) || changing.hasGivenUp(self.node())) {
            return retiring(changing, store, self);
        }
        Member holder = candidates.holders().get(self.node());
        if (holder != null) {
            keepRecord(self, self.record().voidUpTo(), Optional.empty());
            if (explanation.isEarlierRun(holder, changing)) {
                wake(Explanation.sessionEnd(holder, changing));
            }
            return step(idle, explanation.holder(holder, changing));
        }
        if (candidates.incompatible().contains(self.node())) {
            keepRecord(self, self.record().voidUpTo(), Optional.empty());
            return step(idle, Explanation.incompatible(self, candidates));
        }
        ChangeProgress round = changing.round()
                .filter(known -> known.number() == number(store))
                .orElseGet(() -> ChangeProgress.starting(number(store), now));
        boolean agreed = store.view().filter(candidates::agreeWith).isPresent();
        boolean left = changing.hasAcknowledged(round);
        boolean backwards = isBackwards(store);
        OptionalLong voidUpTo =
                agreed && left ? changing.acknowledged() : self.record().voidUpTo();
        keepRecord(self, backwards ? OptionalLong.of(remembered(store)) : voidUpTo, slowListeners(changing));
        if (backwards) {
            return step(idle, waiting(PUBLICATION, "the store has gone back: the others are told of the later views"));
        }
        if (agreed && left) {
            // The view stands for the others until they are told, so the round that replaces it has not begun.
            return unsettled(changing, store, self, waiting(PUBLICATION, "the others are told that the view is void"));
        }
        if (!agreed || store.view().filter(store::isAcknowledged).isPresent()) {
            return replacing(changing, round, store, self);
        }
        return candidates.unreadable().isEmpty() ? settling(changing, store, self) : blinded(changing, store, self);
    }

    /** The view stands, and this instance cannot act on it; it looks whether others have left it behind. */
    private Step blinded(Changing changing, StoreSnapshot store, Member self) {
        collect = true;
        return unsettled(changing, store, self, Explanation.unreadable(candidates));
    }

    /** A leader that cannot act is of no use to the others: after the settle timeout it makes room for the next in order. */
    private Step unsettled(Changing changing, StoreSnapshot store, Member self, Waiting waiting) {
        EstablishedView view = store.view().orElseThrow();
        if (!view.leader().node().equals(self.node()) || view.members().size() == 1) {
            return step(changing.idle(), waiting);
        }
        Changing leading = changing.leading(self.node(), view.number(), now);
        long limit =
                leading.idleLead().orElseThrow().since() + Math.max(policy.settleTimeoutMillis(), view.sessionMillis());
        wake(limit);
        if (now < limit || !facts.delivered()) {
            return step(leading, waiting);
        }
        collect = false;
        effects.removeIf(effect -> effect instanceof Ask ask && ask.request() instanceof Request.Renew);
        return retiring(leading.givingUp(), store, self);
    }

    /** The own node is as new as anything this process has seen, so an older view beside it is no late message. */
    private boolean isBackwards(StoreSnapshot store) {
        return store.view().isPresent() && store.latestNumber() < remembered(store);
    }

    private long remembered(StoreSnapshot store) {
        return Math.max(facts.highest(), store.slot().recorded());
    }

    /** Whose listeners take too long holds nobody up: the view is void for the others too, who leave this instance out. */
    private Step retiring(Changing changing, StoreSnapshot store, Member self) {
        if (facts.delivered()) {
            giveUp(self, Kind.STOOD_DOWN);
        }
        Optional<String> slow = slowListeners(changing);
        keepRecord(
                self,
                slow.isPresent()
                        ? OptionalLong.of(number(store))
                        : self.record().voidUpTo(),
                slow);
        return step(
                changing.idle(),
                changing.hasGivenUp(self.node())
                        ? waiting(
                                ANNOUNCEMENT,
                                "this instance led and could not act for a settle timeout; it gives up its place and comes back"
                                        + " at the end")
                        : explanation.listeners("then this instance gives up its place and comes back at the end"));
    }

    private static long number(StoreSnapshot store) {
        return store.view().map(view -> store.latestNumber()).orElse(0L);
    }

    private Step settling(Changing changing, StoreSnapshot store, Member self) {
        HeldView held = HeldView.of(self.node(), store).orElseThrow();
        if (now >= (held.leads() ? renewalDue(held) : leaseEnd(held))) {
            // A publication that is under way renews the lease too.
            if (!held.leads()) {
                ask(new Request.Probe());
            } else if (!facts.underWay().contains(Request.Publish.class)) {
                ask(renewal(self, store));
            }
            return unsettled(changing, store, self, waiting(CONFIRMATION, "the store is asked to confirm"));
        }
        effects.add(new TellSettled(held));
        collect = held.leads();
        leaseEnd = leaseEnd(held);
        wake(leaseEnd);
        return step(new Settled(held), waiting(NOTHING, "stable"));
    }

    private Step replacing(Changing changing, ChangeProgress known, StoreSnapshot store, Member self) {
        ChangeProgress round =
                known.withCandidates(candidates.nodes(), facts.confirmations().leaseProbed(), now);
        Changing next = changing;
        boolean survivor =
                store.view().filter(view -> view.contains(self.node())).isPresent();
        if (survivor && facts.delivered() && !isRecorded(store, self, round)) {
            ask(new Request.Acknowledge(self.node(), round.number()));
            next = changing.acknowledging(round.number());
        }
        Coordination coordination = new Coordination(facts, policy, now, store, candidates, self);
        round = coordination.advance(round, changing);
        coordination.publication().ifPresent(this::ask);
        if (coordination.needsProbe()) {
            ask(new Request.Probe());
        }
        if (coordination.needsLeaseProbe()) {
            ask(new Request.ProbeLease());
        }
        collect = coordination.collects();
        wake(coordination.wakeAt());
        Waiting waiting = survivor && !facts.delivered()
                ? explanation.listeners("then this instance acknowledges view " + round.number())
                : coordination.waiting();
        return step(next.with(round), waiting);
    }

    /** Whoever sees the acknowledgements believes what it sees; somebody may have deleted them. */
    private boolean isRecorded(StoreSnapshot store, Member self, ChangeProgress round) {
        Acknowledgement own = new Acknowledgement(self.node(), round.number());
        return facts.acknowledged().equals(OptionalLong.of(round.number()))
                && store.acknowledgements().map(all -> all.contains(own)).orElse(true);
    }

    /** Names the listeners at fault to the others before the settle timeout, so that whoever leaves this instance out can. */
    private Optional<String> slowListeners(Changing changing) {
        long limit = changing.since() + policy.settleTimeoutMillis() / 4;
        if (facts.delivered()) {
            return Optional.empty();
        }
        wake(limit);
        return now < limit ? Optional.empty() : Optional.of(explanation.slowListeners());
    }

    private void keepRecord(Member self, OptionalLong voidUpTo, Optional<String> waitingFor) {
        facts.store().filter(store -> facts.link().usable()).ifPresent(store -> {
            MemberRecord wanted = record(store, voidUpTo, waitingFor);
            if (!wanted.equals(self.record())) {
                ask(new Request.Update(self.node(), wanted));
            }
        });
    }

    private MemberRecord record(StoreSnapshot store, OptionalLong voidUpTo, Optional<String> waitingFor) {
        return facts.own()
                .withSessionTimeout(facts.link().timeoutMillis())
                .withProtocolFields(voidUpTo, waitingFor)
                .withFormat(candidates.format(store.formats()));
    }

    /**
     * A ping proves nothing: a server that is cut off goes on answering it. The next in order asks for the renewals too, so that it
     * knows how long the lease of the leader lasts should that one vanish.
     */
    private void confirm(HeldView held) {
        Confirmations last = facts.confirmations();
        if (held.leads()) {
            facts.self().ifPresent(self -> facts.store()
                    .ifPresent(store -> confirmAt(renewalDue(held), renewal(self, store))));
        } else if (held.view().members().get(1).node().equals(held.self())) {
            confirm(new Request.ProbeLease(), last.leaseProbed());
        } else {
            confirm(new Request.Probe(), last.any());
        }
    }

    private void confirm(Request request, long last) {
        confirmAt(last + facts.link().timeoutMillis() / 3, request);
    }

    private void confirmAt(long due, Request request) {
        if (!facts.link().usable()) {
            return;
        }
        if (now >= due) {
            ask(request);
        } else {
            wake(due);
        }
    }

    private static Request renewal(Member self, StoreSnapshot store) {
        return new Request.Renew(self.node(), store.slot().version());
    }

    /**
     * When a leader has to renew its lease. Nobody renews while CHANGING, so one that is led by another's publication renews first:
     * what is left of its lease might end before the first renewal is answered.
     */
    private long renewalDue(HeldView held) {
        return facts.confirmations().renewed() + leaseMillis(held) / 3;
    }

    private long leaseEnd(HeldView held) {
        Confirmations last = facts.confirmations();
        return LeaseTerm.end(held.leads() ? last.renewed() : last.any(), leaseMillis(held));
    }

    /** Another server may grant a leader more than its successor knows of. */
    private int leaseMillis(HeldView held) {
        int timeout = facts.link().timeoutMillis();
        int known = held.view().sessionMillis();
        return held.leads() && known > 0 ? Math.min(known, timeout) : timeout;
    }

    private void ask(Request request) {
        boolean asked = effects.stream()
                .anyMatch(effect -> effect instanceof Ask ask && ask.request().kind() == request.kind());
        if (!asked && !facts.underWay().contains(request.kind())) {
            effects.add(new Ask(request));
        }
    }

    private void wake(long at) {
        if (at > now) {
            wakeAt = Math.min(wakeAt, at);
        }
    }

    static Waiting waiting(Waiting.Reason reason, String sentence) {
        return new Waiting(reason, sentence);
    }

    private Step step(Settling state, Waiting waiting) {
        return new Step(state, effects, collect, leaseEnd, wakeAt, waiting);
    }
}
