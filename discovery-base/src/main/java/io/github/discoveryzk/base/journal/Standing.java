// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.base.journal;

import io.github.discoveryzk.base.protocol.Facts;
import io.github.discoveryzk.base.protocol.Facts.Link;
import io.github.discoveryzk.base.protocol.HeldView;
import io.github.discoveryzk.base.protocol.Settling;
import io.github.discoveryzk.base.protocol.Waiting;
import io.github.discoveryzk.base.view.RemoteClusters;
import io.github.discoveryzk.model.ReasonCode;
import io.github.discoveryzk.model.StoreSnapshot;
import io.github.discoveryzk.report.Change;
import io.github.discoveryzk.report.Recent;
import io.github.discoveryzk.report.State;
import io.github.discoveryzk.report.TopologyReport.ExplainedState;
import java.util.EnumSet;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * All from which a report is made: what the instance knew in its last turn, its state, and what has happened before.
 *
 * @param facts what it knows
 * @param state its state in the settling protocol
 * @param past what has happened
 */
public record Standing(Facts facts, Settling state, Past past) {

    private static final Set<ReasonCode> LISTENERS = EnumSet.of(
            ReasonCode.VIEW_INVALIDATED,
            ReasonCode.ANNOUNCING_NEXT,
            ReasonCode.REJOINING_NEXT,
            ReasonCode.STEPPING_DOWN_NEXT,
            ReasonCode.ACKNOWLEDGING_NEXT);

    /**
     * What has happened.
     *
     * @param status the status since the last transition
     * @param heldSince since when the listeners have the last view, wall-clock; its members may have got other properties since then
     * @param remotes the other clusters of that view, each with the present way of its announcement
     * @param change the change that is going on; empty while a view is held
     * @param lastChange the last change that was settled; empty before the first
     * @param recent the last events and transitions
     */
    public record Past(
            ExplainedState status,
            OptionalLong heldSince,
            RemoteClusters remotes,
            Optional<Change> change,
            Optional<Change.Settled> lastChange,
            Recent recent) {

        Past with(ExplainedState now) {
            return new Past(now, heldSince, remotes, change, lastChange, recent);
        }

        Past with(RemoteClusters shown) {
            return new Past(status, heldSince, shown, change, lastChange, recent);
        }

        Past with(Change began) {
            return new Past(status, heldSince, remotes, Optional.of(began), lastChange, recent);
        }

        Past with(Change.Settled settled) {
            OptionalLong since = OptionalLong.of(settled.settledMillis());
            return new Past(status, since, remotes, Optional.empty(), Optional.of(settled), recent);
        }

        Past with(Recent now) {
            return new Past(status, heldSince, remotes, change, lastChange, now);
        }
    }

    /** Returns the snapshot that the last turn saw; empty without one. */
    public Optional<StoreSnapshot> store() {
        return facts.store();
    }

    /** Returns the view that listeners received last; empty before the first. */
    public Optional<HeldView> held() {
        return state.last();
    }

    /** Returns since when the listeners have that view, wall-clock. */
    public long heldSinceMillis() {
        return past.heldSince().orElseGet(this::changingSinceMillis);
    }

    /** Returns when the change began that is going on, wall-clock. */
    public long changingSinceMillis() {
        return past.change().map(Change::sinceMillis).orElse(status().sinceMillis());
    }

    /** Says whether the store can be reached. */
    public boolean isUsable() {
        return facts.link().usable();
    }

    public ExplainedState status() {
        return past.status();
    }

    public State name() {
        return status().state();
    }

    /** Says whether this instance means to remove its member node, because it stops or steps down. */
    public boolean isParting() {
        Facts.Intent intent = facts.intent();
        return intent.leaving()
                || facts.self()
                        .filter(own -> intent.steppingDown().equals(Optional.of(own.node())))
                        .isPresent();
    }

    /** Says whether this instance has requested the acknowledgement of a view. */
    public boolean hasAcknowledged(long number) {
        return state instanceof Settling.Changing changing
                && changing.acknowledged().orElse(0) >= number;
    }

    Standing with(Past now) {
        return new Standing(facts, state, now);
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
