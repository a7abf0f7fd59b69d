// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.protocol;

import java.util.ArrayList;
import java.util.List;
import org.apache.sling.discovery.base.protocol.Effect.Ask;
import org.apache.sling.discovery.commons.spi.Request;

/** The effects and requests of one decision, collected while the rules are applied; used once. */
final class Agenda {

    private final Facts facts;
    private final long now;
    private final List<Effect> effects = new ArrayList<>();
    private boolean collect;
    private long leaseEnd = Long.MIN_VALUE;
    private long wakeAt = Long.MAX_VALUE;

    Agenda(Facts facts, long now) {
        this.facts = facts;
        this.now = now;
    }

    void tell(Effect effect) {
        effects.add(effect);
    }

    /**
     * Adds a request to the store, unless a request of that kind is in flight, backs off after a failure, or was added already.
     */
    void ask(Request request) {
        boolean asked = effects.stream()
                .anyMatch(effect -> effect instanceof Ask ask && ask.request().kind() == request.kind());
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

    /** Sets whether the store reports acknowledgements to this instance. */
    void collect(boolean wanted) {
        collect = wanted;
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

    Step step(Settling state, Waiting waiting) {
        return new Step(state, effects, collect, leaseEnd, wakeAt, waiting);
    }
}
