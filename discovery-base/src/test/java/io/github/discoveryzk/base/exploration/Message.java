// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.base.exploration;

import io.github.discoveryzk.model.LeaseProbe;
import io.github.discoveryzk.model.StoreSnapshot;
import io.github.discoveryzk.spi.Outcome;
import io.github.discoveryzk.spi.Request;
import java.util.Optional;

/** A message in transit between an instance and the store. */
sealed interface Message {

    /** To the store: a request. */
    record Ask(Request request) implements Message {}

    /** To the store: whether to report acknowledgements. */
    record Collect(boolean acknowledgements) implements Message {}

    /** To the store: the session can be ended. */
    record Close() implements Message {}

    /** To the instance: the store as it was at some time. */
    record Shown(StoreSnapshot snapshot) implements Message {}

    /** To the instance: the outcome of a request, with the answer to a lease probe. */
    record Reply(Request request, Outcome outcome, Optional<LeaseProbe> leaseProbe) implements Message {}

    /** To the instance: its connection is lost. */
    record Lost() implements Message {}

    /** To the instance: it is connected. */
    record Hello(long session, boolean expired, StoreSnapshot snapshot) implements Message {}
}
