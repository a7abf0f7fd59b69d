// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.base.protocol;

import io.github.discoveryzk.model.Reason;
import io.github.discoveryzk.spi.Request;
import java.util.List;
import java.util.Objects;

/** An action that the caller performs after a step, in the given order. */
public sealed interface Effect {

    /** The view is no longer current, for the given reasons; send CHANGING to the listeners that had INIT. */
    record NotifyChanging(HeldView last, List<Reason> why) implements Effect {
        public NotifyChanging {
            Objects.requireNonNull(last, "last");
            why = List.copyOf(why);
        }
    }

    /** The view is current; send CHANGED to the listeners that had INIT and INIT to the others. */
    record NotifySettled(HeldView next) implements Effect {
        public NotifySettled {
            Objects.requireNonNull(next, "next");
        }
    }

    /** Only properties differ; send PROPERTIES_CHANGED to the listeners that had INIT. */
    record NotifyProperties(HeldView next) implements Effect {
        public NotifyProperties {
            Objects.requireNonNull(next, "next");
        }
    }

    /** Send a request to the store. */
    record Ask(Request request) implements Effect {
        public Ask {
            Objects.requireNonNull(request, "request");
        }
    }
}
