// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.base.protocol;

import java.util.List;
import java.util.Objects;

/**
 * The outcome of one decision.
 *
 * @param state the new state of the instance
 * @param effects what to do, in this order
 * @param collect whether the store reports acknowledgements to this instance
 * @param leaseEnd until when the settled view is current, in monotonic milliseconds; meaningless while changing
 * @param wakeAt when to decide again at the latest, in monotonic milliseconds, {@link Long#MAX_VALUE} for never
 * @param waiting what the instance waits for
 */
public record Step(Settling state, List<Effect> effects, boolean collect, long leaseEnd, long wakeAt, Waiting waiting) {

    public Step {
        Objects.requireNonNull(state, "state");
        Objects.requireNonNull(waiting, "waiting");
        effects = List.copyOf(effects);
    }

    /** Says whether listeners receive an event. */
    public boolean notifies() {
        for (Effect effect : effects) {
            if (!(effect instanceof Effect.Ask)) {
                return true;
            }
        }
        return false;
    }
}
