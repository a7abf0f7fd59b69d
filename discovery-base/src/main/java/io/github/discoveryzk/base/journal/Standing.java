// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.base.journal;

import io.github.discoveryzk.base.protocol.Facts.Link;
import io.github.discoveryzk.base.protocol.HeldView;
import io.github.discoveryzk.base.protocol.Settling;
import io.github.discoveryzk.base.protocol.Waiting;
import io.github.discoveryzk.base.view.RemoteClusters;
import io.github.discoveryzk.model.ReasonCode;
import io.github.discoveryzk.model.StoreSnapshot;
import io.github.discoveryzk.report.Change;
import io.github.discoveryzk.report.State;
import io.github.discoveryzk.report.TopologyReport.Status;
import java.util.EnumSet;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * What the instance does and knows at one moment.
 *
 * @param status its status
 * @param store the snapshot that the last turn of the engine saw; empty without one
 * @param acknowledged the number of the last view whose acknowledgement this instance has requested
 * @param acting the view that listeners received last; empty before the first
 * @param remotes the other clusters of that view, each with the present way of its announcement
 * @param change the change that is going on; empty while a view is held
 * @param lastChange the last change that was settled; empty before the first
 */
public record Standing(
        Status status,
        Optional<StoreSnapshot> store,
        OptionalLong acknowledged,
        Optional<Acting> acting,
        RemoteClusters remotes,
        Optional<Change> change,
        Optional<Change.Settled> lastChange) {

    private static final Set<ReasonCode> LISTENERS = EnumSet.of(
            ReasonCode.VIEW_INVALIDATED,
            ReasonCode.ANNOUNCING_NEXT,
            ReasonCode.REJOINING_NEXT,
            ReasonCode.STEPPING_DOWN_NEXT,
            ReasonCode.ACKNOWLEDGING_NEXT);

    /**
     * The view that listeners received last.
     *
     * @param held the view
     * @param sinceMillis since when, wall-clock
     */
    public record Acting(HeldView held, long sinceMillis) {}

    public State state() {
        return status.state();
    }

    Standing with(Acting now, Optional<Change> nowChange, Optional<Change.Settled> nowLastChange) {
        return new Standing(status, store, acknowledged, Optional.of(now), remotes, nowChange, nowLastChange);
    }

    Standing with(Change began) {
        return new Standing(status, store, acknowledged, acting, remotes, Optional.of(began), lastChange);
    }

    Standing with(RemoteClusters shown) {
        return new Standing(status, store, acknowledged, acting, shown, change, lastChange);
    }

    Standing with(Status now, Optional<StoreSnapshot> seen, OptionalLong nowAcknowledged) {
        return new Standing(now, seen, nowAcknowledged, acting, remotes, change, lastChange);
    }

    static boolean isForListeners(Waiting waiting) {
        return LISTENERS.contains(waiting.code());
    }

    /** Returns whether a view has followed without this instance although its member node lives. */
    static boolean isExcluded(Settling.Changing changing, Optional<StoreSnapshot> seen) {
        return seen.flatMap(store -> changing.last()
                        .filter(held -> store.view()
                                .filter(view -> view.number() > held.number())
                                .isPresent())
                        .map(HeldView::self)
                        .filter(self -> store.isLive(self) && !store.isInView(self)))
                .isPresent();
    }

    /** Returns the name of a state; one that was excluded stays so until it is admitted again. */
    static State name(Settling state, Waiting waiting, Link link, boolean excluded) {
        if (state instanceof Settling.Settled) {
            return link.usable() ? State.SETTLED : State.SUSPENDED;
        }
        boolean before = state.last().isEmpty();
        return switch (waiting.code()) {
            case DISCONNECTED -> before ? State.CONNECTING : State.CUT_OFF;
            case HELD, HELD_BY_PREDECESSOR, INCOMPATIBLE -> State.REFUSED;
            case LEAVING -> State.STOPPED;
            case QUARANTINED -> State.QUARANTINED;
            case ANNOUNCING, REJOINING, STEPPING_DOWN, STEPPING_DOWN_IDLE -> excluded ? State.EXCLUDED : State.JOINING;
            default -> excluded && isForListeners(waiting) ? State.EXCLUDED : before ? State.JOINING : State.CHANGING;
        };
    }
}
