// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.base.protocol;

import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The state of an instance in the settling protocol. There are two states; everything else is a fact from outside or a reason
 * for waiting.
 */
public sealed interface Settling {

    /** Returns the state of an instance that has not held any view yet. */
    static Settling starting(long now) {
        return new Changing(Optional.empty(), now, OptionalLong.empty(), Optional.empty(), Optional.empty());
    }

    /** Returns the view that the listeners received last. */
    Optional<HeldView> last();

    /** Listeners act on a view, which is current as long as the lease lasts. */
    record Settled(HeldView held) implements Settling {
        public Settled {
            Objects.requireNonNull(held, "held");
        }

        @Override
        public Optional<HeldView> last() {
            return Optional.of(held);
        }
    }

    /**
     * No view is current. Listeners that had INIT have received CHANGING.
     *
     * @param last the view they acted on before, empty before INIT
     * @param since when this began, in monotonic milliseconds
     * @param acknowledged the number of the last view whose acknowledgement this instance has requested; it never acts on that
     *     view or an earlier one again, even if the request was lost, because it may still arrive
     * @param progress the progress of the change being settled, empty without a usable connection and while the view stands
     * @param idleLead since when this instance has led a view that stands without being able to act on it, and whether it has
     *     stepped down from that lead; empty otherwise
     */
    record Changing(
            Optional<HeldView> last,
            long since,
            OptionalLong acknowledged,
            Optional<ChangeProgress> progress,
            Optional<IdleLead> idleLead)
            implements Settling {

        public Changing {
            Objects.requireNonNull(acknowledged, "acknowledged");
            Objects.requireNonNull(last, "last");
            Objects.requireNonNull(progress, "progress");
            Objects.requireNonNull(idleLead, "idleLead");
        }

        Changing idle() {
            return new Changing(last, since, acknowledged, Optional.empty(), lasting());
        }

        /** Returns this state for an instance that leads a view that stands, by that node, and does not act on it. */
        Changing leading(String node, long number, long now) {
            IdleLead lead = idleLead.filter(
                            known -> known.isBy(node) && (known.steppedDown() || known.number() == number))
                    .orElseGet(() -> new IdleLead(node, number, now, false));
            return new Changing(last, since, acknowledged, Optional.empty(), Optional.of(lead));
        }

        /** Returns this state after a request to remove the node by which this instance leads. */
        Changing steppingDown() {
            return new Changing(last, since, acknowledged, progress, idleLead.map(IdleLead::asSteppedDown));
        }

        /** Says whether this instance has requested the removal of that node, which may happen at any time from then on. */
        boolean hasSteppedDown(String node) {
            return lasting().filter(lead -> lead.isBy(node)).isPresent();
        }

        private Optional<IdleLead> lasting() {
            return idleLead.filter(IdleLead::steppedDown);
        }

        Changing with(ChangeProgress next) {
            return new Changing(last, since, acknowledged, Optional.of(next), lasting());
        }

        Changing acknowledging(long number) {
            return new Changing(last, since, OptionalLong.of(number), progress, lasting());
        }

        boolean hasAcknowledged(ChangeProgress ofView) {
            return acknowledged.isPresent() && acknowledged.getAsLong() >= ofView.number();
        }
    }

    /**
     * The lead of an instance that does not act on its view.
     *
     * @param node the node by which this instance leads
     * @param number the number of the view
     * @param since since when, in monotonic milliseconds
     * @param steppedDown whether the removal of the node was requested, with a leave record that its owner has stopped acting: from then on
     *     this instance never acts on a view by that node, even if the request was lost, because it may still arrive
     */
    record IdleLead(String node, long number, long since, boolean steppedDown) {
        boolean isBy(String other) {
            return node.equals(other);
        }

        IdleLead asSteppedDown() {
            return new IdleLead(node, number, since, true);
        }
    }
}
