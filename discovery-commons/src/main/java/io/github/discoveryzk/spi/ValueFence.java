// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.spi;

import io.github.discoveryzk.data.Fence;
import io.github.discoveryzk.data.SharedValue;
import io.github.discoveryzk.data.Versioned;
import java.util.Objects;
import java.util.Optional;

/**
 * A fence that a shared value proves. A write with it is one transaction, which also checks that the value is the one by which the fence holds;
 * if another one has replaced it that proves the same, the write is repeated.
 */
public abstract class ValueFence<T> implements Fence {

    private final SharedValue<T> value;

    protected ValueFence(SharedValue<T> value) {
        this.value = Objects.requireNonNull(value, "value");
    }

    /** Says whether a value proves the role. Called by any thread; it must not block. */
    protected abstract boolean isProvenBy(T present);

    /** Returns the value in which the role is to be found. */
    public final SharedValue<T> value() {
        return value;
    }

    /** Returns the local copy of the value if it proves the role. */
    public final Optional<Versioned<T>> proof() {
        return value.get().filter(present -> isProvenBy(present.value()));
    }
}
