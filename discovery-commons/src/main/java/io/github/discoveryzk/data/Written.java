// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.data;

import java.util.Optional;

/** The result of a write. */
public sealed interface Written<T> {

    /** It took effect. The local copy has it, or a later one. */
    record Done<T>(Optional<Versioned<T>> now) implements Written<T> {}

    /** It did not: the value was not what was seen. This is normal; {@code now} is what stands there. */
    record Overtaken<T>(Optional<Versioned<T>> now) implements Written<T> {}

    /** It did not, and a repetition is refused too: a fence, a right, a kind or a limit, as the sentence says. */
    record Refused<T>(String why) implements Written<T> {}

    /** The reply was lost: it may have taken effect or may do so later. {@code read} tells, by writer and version. */
    record Unknown<T>(String why) implements Written<T> {}
}
