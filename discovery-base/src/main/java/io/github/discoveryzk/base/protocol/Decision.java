// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.base.protocol;

import io.github.discoveryzk.base.protocol.Effect.Ask;
import io.github.discoveryzk.model.Member;
import io.github.discoveryzk.model.MemberRecord;
import io.github.discoveryzk.model.StoreSnapshot;
import io.github.discoveryzk.spi.Request;
import io.github.discoveryzk.spi.SettlingPolicy;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * One evaluation of the {@link Protocol}: the input of the rules, and the effects and requests that they add. Used once. Times are
 * monotonic milliseconds.
 */
final class Decision {

    private final Facts facts;
    private final SettlingPolicy policy;
    private final long now;
    private final List<Effect> effects = new ArrayList<>();
    private boolean collect;
    private long leaseEnd = Long.MIN_VALUE;
    private long wakeAt = Long.MAX_VALUE;

    /**
     * Begins a decision.
     *
     * @param facts the facts that the instance knows
     * @param policy how long to wait
     */
    Decision(Facts facts, SettlingPolicy policy, long now) {
        this.facts = facts;
        this.policy = policy;
        this.now = now;
    }

    Facts facts() {
        return facts;
    }

    SettlingPolicy policy() {
        return policy;
    }

    long now() {
        return now;
    }

    /** Returns the members that the next view would have. */
    Candidates candidates() {
        return facts.candidates();
    }

    /** Says whether this instance is giving up the seniority of that node. */
    boolean isSteppingDown(String node) {
        return facts.intent().steppingDown().filter(node::equals).isPresent();
    }

    void emit(Effect effect) {
        effects.add(effect);
    }

    /**
     * Adds a request to the store, unless a request of that kind is in flight, backs off after a failure, or was added already.
     */
    void ask(Request request) {
        boolean asked = effects.stream()
                .anyMatch(effect ->
                        effect instanceof Ask ask && ask.request().kind().equals(request.kind()));
        if (!asked && !facts.activity().underWay().contains(request.kind())) {
            effects.add(new Ask(request));
        }
    }

    /** Adds a request to the store once a time is reached, if the connection is usable. */
    void askAt(long due, Request request) {
        if (facts.link().usable()) {
            wake(due);
            if (isReached(due)) {
                ask(request);
            }
        }
    }

    /** Removes a request of that kind. */
    void withdraw(Class<? extends Request> kind) {
        effects.removeIf(effect -> effect instanceof Ask ask && kind.isInstance(ask.request()));
    }

    /** Adds a request when it is due since the last confirmation. */
    void confirm(Request request, long last) {
        askAt(last + OwnLease.intervalMillis(facts), request);
    }

    /** Requests the removal of stale nodes, one at a time. */
    void removeStaleMembers(StoreSnapshot store) {
        StaleMembers.of(store, facts, now).stream()
                .findFirst()
                .ifPresent(leaveRecord -> ask(new Request.Delete(leaveRecord)));
    }

    /** Sets whether the store reports acknowledgements to this instance. */
    void collect(boolean wanted) {
        collect = wanted;
    }

    /**
     * Collects the acknowledgements if this instance leads, or cannot read a newcomer: an instance that can read it acknowledges the view,
     * and one that cannot must see that. It sees it also while CHANGING, or the view would stand for it again.
     */
    void collectIfLeading(boolean leads) {
        collect(leads || !candidates().unreadableNewcomers().isEmpty());
    }

    /** Sets until when the settled view is current. */
    void settleUntil(long end) {
        leaseEnd = end;
        wake(end);
    }

    /** Makes the instance decide again at that time, if it is in the future. */
    void wake(long at) {
        if (at > now) {
            wakeAt = Math.min(wakeAt, at);
        }
    }

    /** Says whether a time is reached. Rules that wait for it call {@link #wake} too. */
    boolean isReached(long time) {
        return now >= time;
    }

    /**
     * Rewrites its own record in the store when it is out of date.
     *
     * @param invalidatedUpTo the number of the latest view that this instance invalidates
     * @param waitingFor the slow listeners that the record of this instance names
     */
    void keepRecord(Member self, OptionalLong invalidatedUpTo, Optional<String> waitingFor) {
        facts.store().filter(store -> facts.link().usable()).ifPresent(store -> {
            MemberRecord wanted = record(store, invalidatedUpTo, waitingFor);
            if (!wanted.equals(self.record())) {
                ask(new Request.Update(self.node(), wanted));
            }
        });
    }

    /** Returns the record of this instance as it must be in the store. */
    MemberRecord record(StoreSnapshot store, OptionalLong invalidatedUpTo, Optional<String> waitingFor) {
        return facts.own()
                .withSessionTimeout(facts.link().timeoutMillis())
                .withProtocolFields(invalidatedUpTo, waitingFor)
                .withFormat(candidates().format(store.formats()));
    }

    /** Returns the request by which the leader of the present view renews its lease. */
    Request renewal(Member self, StoreSnapshot store) {
        return new Request.Renew(
                self.node(), store.slot().version(), facts.link().longestMillis());
    }

    Step step(Settling state, Waiting waiting) {
        return new Step(state, effects, collect, leaseEnd, wakeAt, waiting);
    }
}
