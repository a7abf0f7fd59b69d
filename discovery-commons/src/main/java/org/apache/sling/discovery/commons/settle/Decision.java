// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.commons.settle;

import static org.apache.sling.discovery.commons.settle.Waiting.Reason.ANNOUNCEMENT;
import static org.apache.sling.discovery.commons.settle.Waiting.Reason.CONFIRMATION;
import static org.apache.sling.discovery.commons.settle.Waiting.Reason.HOLDER;
import static org.apache.sling.discovery.commons.settle.Waiting.Reason.LEAVING;
import static org.apache.sling.discovery.commons.settle.Waiting.Reason.LISTENERS;
import static org.apache.sling.discovery.commons.settle.Waiting.Reason.NOTHING;
import static org.apache.sling.discovery.commons.settle.Waiting.Reason.PUBLICATION;
import static org.apache.sling.discovery.commons.settle.Waiting.Reason.QUARANTINE;
import static org.apache.sling.discovery.commons.settle.Waiting.Reason.STORE;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.sling.discovery.commons.model.Acknowledgement;
import org.apache.sling.discovery.commons.model.Farewell;
import org.apache.sling.discovery.commons.model.Farewell.Kind;
import org.apache.sling.discovery.commons.model.Member;
import org.apache.sling.discovery.commons.model.MemberRecord;
import org.apache.sling.discovery.commons.model.ProcessInfo;
import org.apache.sling.discovery.commons.model.StoreSnapshot;
import org.apache.sling.discovery.commons.settle.Effect.Ask;
import org.apache.sling.discovery.commons.settle.Effect.TellChanging;
import org.apache.sling.discovery.commons.settle.Effect.TellProperties;
import org.apache.sling.discovery.commons.settle.Effect.TellSettled;
import org.apache.sling.discovery.commons.settle.Facts.Confirmations;
import org.apache.sling.discovery.commons.settle.Settling.Changing;
import org.apache.sling.discovery.commons.settle.Settling.Settled;
import org.apache.sling.discovery.commons.settle.SettlingPolicy.SuspendedPolicy;
import org.apache.sling.discovery.commons.spi.Request;

/** One evaluation of the {@link Protocol}; used once. */
final class Decision {

    private static final Waiting FOR_STORE =
            new Waiting(STORE, "no usable connection to the store; the last view may be void, so none is current");

    private static final long COUNTDOWN_MILLIS = 1_000;
    private static final int NAMED_LISTENERS = 3;
    private static final int NAME_LIMIT = 500;

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
            collect = held.leads();
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
        confirm(held);
        facts.self().ifPresent(self -> keepRecord(self, self.record().abandoned(), Optional.empty()));
        facts.store().filter(store -> facts.link().usable()).ifPresent(this::cleanUp);
        collect = held.leads();
        leaseEnd = leaseEnd(held);
        wake(leaseEnd);
        return step(new Settled(told), waiting(NOTHING, "stable"));
    }

    /** Why the view is not current any more; empty as long as it is. */
    private Optional<String> voided(Held held) {
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
        boolean usable = facts.link().usable() && facts.store().isPresent();
        if (facts.intent().leaving()) {
            facts.self().filter(self -> usable && facts.delivered()).ifPresent(self -> giveUp(self, Kind.STOPPED));
            return step(idle, waiting(LEAVING, "the instance is leaving the cluster"));
        }
        if (!usable) {
            return step(idle, FOR_STORE);
        }
        StoreSnapshot store = facts.store().get();
        cleanUp(store);
        Optional<Member> self = facts.self();
        return self.isEmpty() ? announcing(idle) : announced(changing, store, self.get());
    }

    /** Removes nodes that have no right to be there any more, one at a time. */
    private void cleanUp(StoreSnapshot store) {
        Optional<Member> self = facts.self();
        store.members().stream()
                .filter(member -> !self.equals(Optional.of(member)))
                .flatMap(member -> farewell(member, self).stream())
                .findFirst()
                .ifPresent(farewell -> ask(new Request.Delete(farewell)));
    }

    private Optional<Farewell> farewell(Member other, Optional<Member> self) {
        // A node of an earlier session may be in the view: its end counts as leaving, so the listeners come first.
        if (other.isOf(facts.own().process().runtimeId())) {
            return facts.delivered() ? Optional.of(Farewell.own(other.node(), Kind.REPLACED)) : Optional.empty();
        }
        if (facts.intent().predecessor().filter(other::isOf).isPresent()) {
            return Optional.of(Farewell.own(other.node(), Kind.DIED));
        }
        return self.filter(evictor -> facts.intent().evictions().contains(other.node()))
                .map(evictor -> new Farewell(other.node(), Kind.EVICTED, evictor.node()));
    }

    private void giveUp(Member self, Kind kind) {
        ask(new Request.Delete(Farewell.own(self.node(), kind)));
    }

    private boolean isRetiring(String node) {
        return facts.intent().retiring().filter(node::equals).isPresent();
    }

    private Step announcing(Changing idle) {
        confirm(new Request.Confirm(), facts.confirmations().any());
        if (!facts.delivered()) {
            return step(idle, forListeners("then this instance announces itself"));
        }
        if (now < facts.intent().announceAt()) {
            wake(Math.min(facts.intent().announceAt(), now + COUNTDOWN_MILLIS));
            return step(idle, quarantine());
        }
        ask(new Request.Create(facts.own().withSessionTimeout(facts.link().timeoutMillis())));
        return step(idle, waiting(ANNOUNCEMENT, "this instance is announcing itself in the store"));
    }

    private Step announced(Changing changing, StoreSnapshot store, Member self) {
        Candidates candidates = Candidates.of(store);
        Changing idle = changing.idle();
        if (candidates.outdated().contains(self.node())) {
            giveUp(self, Kind.REPLACED);
            return step(idle, forListeners("left out of the view; this instance rejoins at the end"));
        }
        confirm(new Request.Confirm(), facts.confirmations().any());
        if (isRetiring(self.node())) {
            return retiring(changing, store, self);
        }
        Member holder = candidates.holders().get(self.node());
        if (holder != null) {
            keepRecord(self, self.record().abandoned(), Optional.empty());
            return step(idle, forHolder(holder, changing));
        }
        Round round = changing.round()
                .filter(known -> known.number() == number(store))
                .orElseGet(() -> Round.starting(number(store), now));
        boolean agreed = store.view().filter(candidates::agreeWith).isPresent();
        boolean left = changing.hasAcknowledged(round);
        boolean backwards = isBackwards(store);
        OptionalLong abandoned =
                agreed && left ? OptionalLong.of(round.number()) : self.record().abandoned();
        keepRecord(self, backwards ? OptionalLong.of(remembered(store)) : abandoned, slowListeners(changing));
        if (backwards) {
            return step(idle, waiting(PUBLICATION, "the store has gone back: the others are told of the later views"));
        }
        if (agreed && left) {
            return step(changing.with(round), waiting(PUBLICATION, "the others are told that the view is void"));
        }
        return agreed ? settling(changing, round, store, self) : replacing(changing, round, store, candidates, self);
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
                        : self.record().abandoned(),
                slow);
        return step(changing.idle(), forListeners("then this instance gives up its place and comes back at the end"));
    }

    private static long number(StoreSnapshot store) {
        return store.view().map(view -> store.latestNumber()).orElse(0L);
    }

    private Step settling(Changing changing, Round round, StoreSnapshot store, Member self) {
        Held held = Held.of(self.node(), store).orElseThrow();
        if (now >= leaseEnd(held)) {
            // A publication that is under way renews the lease too.
            if (!held.leads()) {
                ask(new Request.Confirm());
            } else if (!facts.underWay().contains(Request.Publish.class)) {
                ask(renewal(self, store));
            }
            return step(changing.idle(), waiting(CONFIRMATION, "the store is asked to confirm"));
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
        if (survivor && facts.delivered() && !isRecorded(store, self, round)) {
            ask(new Request.Acknowledge(self.node(), round.number()));
            next = changing.acknowledging(round.number());
        }
        Coordination coordination = new Coordination(facts, policy, now, store, candidates, self);
        round = coordination.advance(round, changing);
        coordination.publication().ifPresent(this::ask);
        if (coordination.needsConfirmation()) {
            ask(new Request.Confirm());
        }
        if (coordination.needsInquiry()) {
            ask(new Request.Inquire());
        }
        collect = coordination.collects();
        wake(coordination.wakeAt());
        Waiting waiting = survivor && !facts.delivered()
                ? forListeners("then this instance acknowledges view " + round.number())
                : coordination.waiting();
        return step(next.with(round), waiting);
    }

    /** Whoever sees the acknowledgements believes what it sees; somebody may have deleted them. */
    private boolean isRecorded(StoreSnapshot store, Member self, Round round) {
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
        return now < limit ? Optional.empty() : Optional.of(names(facts.delivering()));
    }

    /** Short enough to be kept in the store. */
    private static String names(List<String> listeners) {
        String first = String.join(", ", listeners.subList(0, Math.min(NAMED_LISTENERS, listeners.size())));
        String cut = first.substring(0, Math.min(NAME_LIMIT, first.length()));
        int others = listeners.size() - NAMED_LISTENERS;
        return others > 0 ? cut + " and " + others + " more" : cut;
    }

    private void keepRecord(Member self, OptionalLong abandoned, Optional<String> waitingFor) {
        MemberRecord wanted =
                facts.own().withSessionTimeout(facts.link().timeoutMillis()).withProtocolFields(abandoned, waitingFor);
        if (facts.link().usable() && !wanted.equals(self.record())) {
            ask(new Request.Update(self.node(), wanted));
        }
    }

    /**
     * A ping proves nothing: a server that is cut off goes on answering it. The next in order asks for the renewals too, so that it
     * knows how long the lease of the leader lasts should that one vanish.
     */
    private void confirm(Held held) {
        Confirmations last = facts.confirmations();
        if (held.leads()) {
            facts.self()
                    .ifPresent(self -> facts.store().ifPresent(store -> confirm(renewal(self, store), last.renewed())));
        } else if (held.view().members().get(1).node().equals(held.self())) {
            confirm(new Request.Inquire(), last.inquired());
        } else {
            confirm(new Request.Confirm(), last.any());
        }
    }

    private void confirm(Request request, long last) {
        long due = last + facts.link().timeoutMillis() / 3;
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

    private long leaseEnd(Held held) {
        Confirmations last = facts.confirmations();
        int timeout = facts.link().timeoutMillis();
        if (!held.leads()) {
            return LeaseTerm.end(last.any(), timeout);
        }
        // Another server may grant more than the successor knows of.
        int known = held.view().sessionMillis();
        return LeaseTerm.end(last.renewed(), known > 0 ? Math.min(known, timeout) : timeout);
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
                        "waiting for listener " + names(facts.delivering()) + " to return from CHANGING; " + then);
    }

    private Waiting quarantine() {
        return waiting(
                QUARANTINE,
                "quarantined: this instance lost its place in the cluster "
                        + facts.intent().losses()
                        + " times lately; it announces itself again in "
                        + seconds(facts.intent().announceAt() - now)
                        + ". Look for long pauses of its process, a bad connection, or listeners that do not return");
    }

    private Waiting forHolder(Member holder, Changing changing) {
        ProcessInfo other = holder.record().process();
        ProcessInfo own = facts.own().process();
        boolean sameHome = other.host().equals(own.host()) && other.home().equals(own.home());
        long end = changing.since() + holder.record().sessionTimeoutMillis();
        if (sameHome && now < end) {
            wake(Math.min(end, now + COUNTDOWN_MILLIS));
            return waiting(
                    HOLDER,
                    "instance id " + holder.instanceId() + " is held by process " + other.pid()
                            + " of the same home, probably an earlier run of this instance; if so its session ends in at most "
                            + seconds(end - now));
        }
        return waiting(
                HOLDER,
                "refused: instance id " + holder.instanceId() + " is held by process " + other.pid() + " on host "
                        + other.host() + ", home " + other.home()
                        + "; this instance joins when that one has gone, or give it an id of its own");
    }

    static String seconds(long millis) {
        return Math.max(0, (millis + 999) / 1000) + " s";
    }

    static Waiting waiting(Waiting.Reason reason, String sentence) {
        return new Waiting(reason, sentence);
    }

    private Step step(Settling state, Waiting waiting) {
        return new Step(state, effects, collect, leaseEnd, wakeAt, waiting);
    }
}
