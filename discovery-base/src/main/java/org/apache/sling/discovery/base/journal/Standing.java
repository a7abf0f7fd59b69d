// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.journal;

import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import org.apache.sling.discovery.base.protocol.Facts.Link;
import org.apache.sling.discovery.base.protocol.HeldView;
import org.apache.sling.discovery.base.protocol.Settling;
import org.apache.sling.discovery.base.protocol.Waiting;
import org.apache.sling.discovery.commons.model.ReasonCode;
import org.apache.sling.discovery.commons.model.StoreSnapshot;
import org.apache.sling.discovery.commons.report.TopologyReport.State;

/**
 * The status of the instance, with the rules by which its state gets a name.
 *
 * @param state by name
 * @param waiting explained
 * @param sinceMillis since when, wall-clock
 * @param number the number of the settled view, 0 while there is none
 */
public record Standing(State state, Waiting waiting, long sinceMillis, long number) {

    private static final Set<ReasonCode> LISTENERS = EnumSet.of(
            ReasonCode.VIEW_VOID,
            ReasonCode.ANNOUNCING_NEXT,
            ReasonCode.REJOINING_NEXT,
            ReasonCode.STANDING_DOWN_NEXT,
            ReasonCode.ACKNOWLEDGING_NEXT);

    static boolean isForListeners(Waiting waiting) {
        return LISTENERS.contains(waiting.code());
    }

    /** Returns whether a view has followed without this instance although its member node lives. */
    static boolean isLeftOut(Settling.Changing changing, Optional<StoreSnapshot> seen) {
        return seen.flatMap(store -> changing.last()
                        .filter(held -> store.view()
                                .filter(view -> view.number() > held.number())
                                .isPresent())
                        .map(HeldView::self)
                        .filter(self -> store.isLive(self) && !store.isInView(self)))
                .isPresent();
    }

    /** Returns the name of a state; one that was left out stays so until it is admitted again. */
    static State name(Settling state, Waiting waiting, Link link, boolean leftOut) {
        if (state instanceof Settling.Settled) {
            return link.usable() ? State.SETTLED : State.SUSPENDED;
        }
        boolean before = state.last().isEmpty();
        return switch (waiting.code()) {
            case DISCONNECTED -> before ? State.CONNECTING : State.CUT_OFF;
            case HELD, HELD_BY_PREDECESSOR, INCOMPATIBLE -> State.REFUSED;
            case LEAVING -> State.STOPPED;
            case QUARANTINED -> State.QUARANTINED;
            case ANNOUNCING, REJOINING, STANDING_DOWN, STANDING_DOWN_IDLE -> leftOut ? State.LEFT_OUT : State.JOINING;
            default -> leftOut && isForListeners(waiting) ? State.LEFT_OUT : before ? State.JOINING : State.CHANGING;
        };
    }
}
