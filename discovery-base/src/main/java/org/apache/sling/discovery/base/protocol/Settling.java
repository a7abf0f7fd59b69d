// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.protocol;

import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Where an instance stands in the settling protocol. There are two states; everything else is a fact from outside or a reason
 * for still waiting.
 */
public sealed interface Settling {

    /** Returns the state of an instance that has not held any view yet. */
    static Settling starting(long now) {
        return new Changing(Optional.empty(), now, OptionalLong.empty(), Optional.empty(), Optional.empty());
    }

    /** Returns the view whose content the listeners were told last. */
    Optional<HeldView> last();

    /** Listeners act on a view that is current as long as the lease lasts. */
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
     * No view is current. Listeners that had INIT have been told CHANGING.
     *
     * @param last the view they acted on before, empty before INIT
     * @param since when this began, in monotonic milliseconds
     * @param acknowledged the number of the last view that this instance has asked the store to record as left behind; it can never
     *     act on that view or an earlier one again, even when the request was lost, because it may still arrive
     * @param progress what is remembered of the change being settled, empty without a usable connection and while the view stands
     * @param idleLead since when this instance has led a view that stands without being able to act on it, and whether it has given
     *     that up; empty when it does not
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

        /** The view stands, and this instance leads it by that node and does not act on it. */
        Changing leading(String node, long number, long now) {
            IdleLead lead = idleLead.filter(known -> known.isBy(node) && (known.givenUp() || known.number() == number))
                    .orElseGet(() -> new IdleLead(node, number, now, false));
            return new Changing(last, since, acknowledged, Optional.empty(), Optional.of(lead));
        }

        /** This instance has asked for the removal of the node by which it leads. */
        Changing givingUp() {
            return new Changing(last, since, acknowledged, progress, idleLead.map(IdleLead::asGivenUp));
        }

        /** Says whether this instance has asked for the removal of that node, which may happen at any time from then on. */
        boolean hasGivenUp(String node) {
            return lasting().filter(lead -> lead.isBy(node)).isPresent();
        }

        private Optional<IdleLead> lasting() {
            return idleLead.filter(IdleLead::givenUp);
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
     * A lead that is of no use to the others.
     *
     * @param node the node by which this instance leads
     * @param number the number of the view
     * @param since since when, in monotonic milliseconds
     * @param givenUp whether the store has been asked to remove the node, with the word that its owner does not act any more: from
     *     then on this instance never acts on a view by that node, even when the request was lost, because it may still arrive
     */
    record IdleLead(String node, long number, long since, boolean givenUp) {
        boolean isBy(String other) {
            return node.equals(other);
        }

        IdleLead asGivenUp() {
            return new IdleLead(node, number, since, true);
        }
    }
}
