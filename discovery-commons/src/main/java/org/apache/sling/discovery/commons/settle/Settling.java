// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.commons.settle;

import java.util.Objects;
import java.util.Optional;

/**
 * Where an instance stands in the settling protocol. There are two states; everything else is a fact from outside or a reason
 * for still waiting.
 */
public sealed interface Settling {

    /** Returns the state of an instance that has not held any view yet. */
    static Settling starting(long now) {
        return new Changing(Optional.empty(), now, Optional.empty());
    }

    /** Returns the view whose content the listeners were told last. */
    Optional<Held> last();

    /** Listeners act on a view that is current as long as the lease lasts. */
    record Settled(Held held) implements Settling {
        public Settled {
            Objects.requireNonNull(held, "held");
        }

        @Override
        public Optional<Held> last() {
            return Optional.of(held);
        }
    }

    /**
     * No view is current. Listeners that had INIT have been told CHANGING.
     *
     * @param last the view they acted on before, empty before INIT
     * @param since when this began, in monotonic milliseconds
     * @param round what is remembered of the change being settled, empty without a usable connection
     */
    record Changing(Optional<Held> last, long since, Optional<Round> round) implements Settling {
        public Changing {
            Objects.requireNonNull(last, "last");
            Objects.requireNonNull(round, "round");
        }
    }
}
