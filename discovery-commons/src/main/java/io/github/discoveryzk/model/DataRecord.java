// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.model;

import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Shared data as it is written.
 *
 * @param kind the name of its kind
 * @param value a text, a {@link Long}, a {@link Boolean}, or collections and maps of them with texts as keys
 * @param writer the id of the instance that wrote it
 * @param token the token of the fence with which it was written
 * @param owner the member node with which it ends; empty for what stays
 */
public record DataRecord(String kind, Object value, String writer, OptionalLong token, Optional<String> owner) {

    public DataRecord {
        Objects.requireNonNull(kind, "kind");
        Objects.requireNonNull(value, "value");
        Objects.requireNonNull(writer, "writer");
        Objects.requireNonNull(token, "token");
        Objects.requireNonNull(owner, "owner");
    }
}
