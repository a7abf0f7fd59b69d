// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.commons.settle;

import static org.apache.sling.discovery.commons.settle.Waiting.Reason.ANNOUNCEMENT;
import static org.apache.sling.discovery.commons.settle.Waiting.Reason.CONFIRMATION;
import static org.apache.sling.discovery.commons.settle.Waiting.Reason.HOLDER;
import static org.apache.sling.discovery.commons.settle.Waiting.Reason.LEAVING;
import static org.apache.sling.discovery.commons.settle.Waiting.Reason.LISTENERS;
import static org.apache.sling.discovery.commons.settle.Waiting.Reason.NOTHING;
import static org.apache.sling.discovery.commons.settle.Waiting.Reason.PUBLICATION;
import static org.apache.sling.discovery.commons.settle.Waiting.Reason.STORE;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.sling.discovery.commons.model.EstablishedView;
import org.apache.sling.discovery.commons.model.Member;
import org.apache.sling.discovery.commons.model.MemberRecord;
import org.apache.sling.discovery.commons.model.StoreSnapshot;
import org.apache.sling.discovery.commons.settle.Effect.Ask;
import org.apache.sling.discovery.commons.settle.Effect.TellChanging;
import org.apache.sling.discovery.commons.settle.Effect.TellProperties;
import org.apache.sling.discovery.commons.settle.Effect.TellSettled;
import org.apache.sling.discovery.commons.settle.Settling.Changing;
import org.apache.sling.discovery.commons.settle.Settling.Settled;
import org.apache.sling.discovery.commons.settle.SettlingPolicy.SuspendedPolicy;
import org.apache.sling.discovery.commons.spi.Request;

/** One evaluation of the {@link Protocol}; used once. */
final class Decision {

    private static final Waiting FOR_STORE =
            new Waiting(STORE, "no usable connection to the store; the last view may be void, so none is current");

    private final Facts facts;
    private final SettlingPolicy policy;
    private final long now;
    private final List<Effect> effects = new ArrayList<>();
    private boolean collect;
    private long leaseEnd = Long.MIN_VALUE;
    private long wakeAt = Long.MAX_VALUE;

    Decision(Facts facts, SettlingPolicy policy, long now) {
        this.facts = facts;
        this.policy = policy;
        this.now = now;
    }

    Step decide(Settling state) {
        return state instanceof Settled settled ? whileSettled(settled.held()) : whileChanging((Changing) state);
    }

    private Step whileSettled(Held held) {
        Optional<String> why = voided(held);
        if (why.isPresent()) {
            effects.add(new TellChanging(held, why.get()));
            // Nothing more in this step: whether listeners have returned is only known once they have been told.
            return step(
                    new Changing(Optional.of(held), now, OptionalLong.empty(), Optional.empty()),
                    waiting(LISTENERS, "view " + held.number() + " is void: " + why.get()));
        }
        Held fresh = facts.store().flatMap(store -> Held.of(held.self(), store)).orElse(held);
        Held told = fresh.sameProperties(held) ? held : fresh;
        if (told != held) {
            effects.add(new TellProperties(told));
        }
        confirm(held.leads());
        facts.self().ifPresent(self -> keepRecord(self, self.record().abandoned(), Optional.empty()));
        facts.store().filter(store -> facts.link().usable()).ifPresent(store -> deleteOthers(store, facts.self()));
        collect = held.leads();
        leaseEnd = leaseEnd(held);
        wake(leaseEnd);
        return step(new Settled(told), waiting(NOTHING, "stable"));
    }

    /** Why the view is not current any more; empty as long as it is. */
    private Optional<String> voided(Held held) {
        if (facts.leaving()) {
            return Optional.of("this instance is leaving");
        }
        if (!facts.link().usable() && policy.suspended() == SuspendedPolicy.STRICT) {
            return Optional.of("the connection to the store is lost");
        }
        if (facts.self().filter(self -> self.node().equals(held.self())).isEmpty()) {
            return Optional.of("the session of this instance is over");
        }
        if (now >= leaseEnd(held)) {
            return Optional.of("the store has not answered for so long that the lease is over");
        }
        return facts.store().flatMap(store -> replaced(held, store));
    }

    private static Optional<String> replaced(Held held, StoreSnapshot store) {
        if (store.view().filter(view -> view.number() == held.number()).isEmpty()) {
            return Optional.of("the store holds "
                    + store.view().map(view -> "view " + view.number()).orElse("no view"));
        }
        Candidates candidates = Candidates.of(store);
        return candidates.agreeWith(held.view()) ? Optional.empty() : Optional.of(candidates.difference(held.view()));
    }

    private Step whileChanging(Changing changing) {
        Changing idle = changing.idle();
        if (facts.leaving()) {
            return step(idle, waiting(LEAVING, "the instance is leaving the cluster"));
        }
        if (!facts.link().usable() || facts.store().isEmpty()) {
            return step(idle, FOR_STORE);
        }
        StoreSnapshot store = facts.store().get();
        Optional<Member> self = facts.self();
        // A node of an earlier session may be in the view: its end counts as leaving, so the listeners come first.
        if (facts.delivered()) {
            deleteOthers(store, self);
        }
        return self.isEmpty() ? announcing(idle) : announced(changing, store, self.get());
    }

    /** Nodes of this process that are not its own node any more: left by an earlier session or by a lost reply. */
    private void deleteOthers(StoreSnapshot store, Optional<Member> self) {
        store.members().stream()
                .filter(member -> member.isOf(facts.own().process().runtimeId()))
                .filter(member -> !self.equals(Optional.of(member)))
                .findFirst()
                .ifPresent(member -> ask(new Request.Delete(member.node())));
    }

    private Step announcing(Changing idle) {
        confirm(false);
        if (!facts.delivered()) {
            return step(idle, forListeners("then this instance announces itself"));
        }
        ask(new Request.Create(facts.own().withSessionTimeout(facts.link().timeoutMillis())));
        return step(idle, waiting(ANNOUNCEMENT, "this instance is announcing itself in the store"));
    }

    private Step announced(Changing changing, StoreSnapshot store, Member self) {
        Candidates candidates = Candidates.of(store);
        Changing idle = changing.idle();
        if (candidates.outdated().contains(self.node())) {
            ask(new Request.Delete(self.node()));
            return step(idle, forListeners("left out of the view; this instance rejoins at the end"));
        }
        confirm(candidates.rank(self.node()).equals(Optional.of(0)));
        Member holder = candidates.holders().get(self.node());
        if (holder != null) {
            keepRecord(self, self.record().abandoned(), Optional.empty());
            return step(idle, forHolder(holder));
        }
        Round round = changing.round()
                .filter(known -> known.number() == number(store))
                .orElseGet(() -> Round.starting(number(store), now));
        boolean agreed = store.view().filter(candidates::agreeWith).isPresent();
        boolean left = changing.hasAcknowledged(round);
        keepRecord(
                self,
                agreed && left ? OptionalLong.of(round.number()) : self.record().abandoned(),
                slowListeners(changing));
        if (agreed && left) {
            return step(changing.with(round), waiting(PUBLICATION, "the others are told that the view is void"));
        }
        return agreed ? settling(changing, round, store, self) : replacing(changing, round, store, candidates, self);
    }

    private static long number(StoreSnapshot store) {
        return store.view().map(EstablishedView::number).orElse(0L);
    }

    private Step settling(Changing changing, Round round, StoreSnapshot store, Member self) {
        Held held = Held.of(self.node(), store).orElseThrow();
        if (now >= leaseEnd(held)) {
            return step(changing.with(round), waiting(CONFIRMATION, "the store is asked to confirm"));
        }
        effects.add(new TellSettled(held));
        collect = held.leads();
        leaseEnd = leaseEnd(held);
        wake(leaseEnd);
        return step(new Settled(held), waiting(NOTHING, "stable"));
    }

    private Step replacing(Changing changing, Round known, StoreSnapshot store, Candidates candidates, Member self) {
        Round round = known.withCandidates(candidates.nodes(), now);
        Changing next = changing;
        boolean survivor =
                store.view().filter(view -> view.contains(self.node())).isPresent();
        if (survivor && facts.delivered() && !facts.acknowledged().equals(OptionalLong.of(round.number()))) {
            ask(new Request.Acknowledge(self.node(), round.number()));
            next = changing.acknowledging(round.number());
        }
        Coordination coordination = new Coordination(facts, policy, now, store, candidates, self);
        round = coordination.advance(round, changing.since());
        coordination.publication().ifPresent(this::ask);
        if (coordination.needsConfirmation()) {
            ask(new Request.Confirm(candidates.members().get(0).node().equals(self.node())));
        }
        collect = coordination.collects();
        wake(coordination.wakeAt());
        Waiting waiting = survivor && !facts.delivered()
                ? forListeners("then this instance acknowledges view " + round.number())
                : coordination.waiting();
        return step(next.with(round), waiting);
    }

    /** Names the listeners at fault to the others before the settle timeout, so that whoever leaves this instance out can. */
    private Optional<String> slowListeners(Changing changing) {
        long limit = changing.since() + policy.settleTimeoutMillis() / 4;
        if (facts.delivered()) {
            return Optional.empty();
        }
        wake(limit);
        return now < limit ? Optional.empty() : Optional.of(String.join(", ", facts.delivering()));
    }

    private void keepRecord(Member self, OptionalLong abandoned, Optional<String> waitingFor) {
        MemberRecord wanted =
                facts.own().withSessionTimeout(facts.link().timeoutMillis()).withProtocolFields(abandoned, waitingFor);
        if (facts.link().usable() && !wanted.equals(self.record())) {
            ask(new Request.Update(self.node(), wanted));
        }
    }

    private void confirm(boolean write) {
        long last =
                write ? facts.confirmations().write() : facts.confirmations().any();
        long due = last + facts.link().timeoutMillis() / 3;
        if (!facts.link().usable()) {
            return;
        }
        if (now >= due) {
            ask(new Request.Confirm(write));
        } else {
            wake(due);
        }
    }

    private long leaseEnd(Held held) {
        long start = held.leads()
                ? facts.confirmations().write()
                : facts.confirmations().any();
        return start + facts.link().timeoutMillis() * 2L / 3;
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

    private Waiting forListeners(String then) {
        return facts.delivered()
                ? waiting(ANNOUNCEMENT, then)
                : waiting(
                        LISTENERS,
                        "waiting for listener " + String.join(", ", facts.delivering()) + " to return from CHANGING; "
                                + then);
    }

    private static Waiting forHolder(Member holder) {
        return waiting(
                HOLDER,
                "refused: instance id " + holder.instanceId() + " is held by process "
                        + holder.record().process().pid() + " on host "
                        + holder.record().process().host() + ", home "
                        + holder.record().process().home()
                        + "; this instance joins when that one has gone, or give it an id of its own");
    }

    static Waiting waiting(Waiting.Reason reason, String sentence) {
        return new Waiting(reason, sentence);
    }

    private Step step(Settling state, Waiting waiting) {
        return new Step(state, effects, collect, leaseEnd, wakeAt, waiting);
    }
}
