// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.data;

import java.util.Objects;
import java.util.OptionalLong;

/**
 * A value as it was written.
 *
 * @param version the transaction that wrote it: greater than that of each earlier write, and never used again
 * @param writtenMillis when that was, in milliseconds since the epoch by the clock of the store; for display only
 * @param writer the id of the instance that wrote it
 * @param token the token of the fence with which it was written
 * @param owned whether it is an entry that is gone with its writer
 */
public record Versioned<T>(
        T value, long version, long writtenMillis, String writer, OptionalLong token, boolean owned) {

    public Versioned {
        Objects.requireNonNull(value, "value");
        Objects.requireNonNull(writer, "writer");
        Objects.requireNonNull(token, "token");
    }
}
