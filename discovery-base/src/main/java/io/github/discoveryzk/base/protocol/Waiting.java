// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.base.protocol;

import io.github.discoveryzk.model.Reason;
import io.github.discoveryzk.model.ReasonCode;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * What an instance is waiting for.
 *
 * @param reasons what it is; never empty, the first one tells the kind
 * @param until when the event happens for which the first reason has a countdown, in monotonic milliseconds; empty when there is none
 */
public record Waiting(List<Reason> reasons, OptionalLong until) {

    public Waiting {
        reasons = List.copyOf(reasons);
        Objects.requireNonNull(until, "until");
    }

    /** Makes a waiting without a countdown. */
    public static Waiting of(ReasonCode code, Object... arguments) {
        return new Waiting(List.of(Reason.of(code, arguments)), OptionalLong.empty());
    }

    /** Returns the same with a countdown. */
    public Waiting until(long at) {
        return new Waiting(reasons, OptionalLong.of(at));
    }

    /** Returns the same with further reasons. */
    Waiting because(List<Reason> others) {
        return new Waiting(Stream.concat(reasons.stream(), others.stream()).toList(), until);
    }

    /**
     * Returns the sentence with the countdown as it is at that time.
     *
     * @param names how a text names the instance of an id
     * @param now monotonic milliseconds
     */
    public String words(UnaryOperator<String> names, long now) {
        return sentence(names)
                + countdown()
                        .map(what -> "; " + what + " " + Math.max(0, (until.getAsLong() - now + 999) / 1_000) + " s")
                        .orElse("");
    }

    /** Returns the sentence without the countdown. */
    public String sentence(UnaryOperator<String> names) {
        return Reason.sentence(reasons, names);
    }

    /** Returns the words for what happens at the end of the countdown; empty when there is none. */
    public Optional<String> countdown() {
        return until.isPresent() ? reasons.get(0).countdown() : Optional.empty();
    }

    public ReasonCode code() {
        return reasons.get(0).code();
    }
}
