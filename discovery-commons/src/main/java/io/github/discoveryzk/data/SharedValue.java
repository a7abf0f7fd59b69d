// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.data;

import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Function;
import org.osgi.annotation.versioning.ProviderType;

/**
 * One value, which is written as a whole: a text, a number, a truth value, or a small list, set or map of them. Each write has a version,
 * which is the id of a transaction and is never used again, so what is compared with it cannot have changed and changed back.
 */
@ProviderType
public interface SharedValue<T> {

    /**
     * Returns the local copy; empty if there is no value, or none is known yet. One volatile read. It never shows an older version than
     * before while the cluster keeps its id; while this instance is cut off it may be old.
     */
    Optional<Versioned<T>> get();

    /** Says whether the local copy follows the store; not before the first read, and not without a connection. */
    boolean isKnown();

    /**
     * Reads the value from the store. It is at least as new as each write that completed on this instance before, and, from the event INIT
     * or CHANGED on, as each write with the fence of an earlier leader.
     *
     * @return completes exceptionally, with a sentence as its message, if the store does not reply or the value cannot be read
     */
    CompletionStage<Optional<Versioned<T>>> read();

    /**
     * Writes the value if it still is what was seen.
     *
     * @param seen what this write replaces; empty to write only if there is no value
     * @param fences roles that this instance must still have when the store carries out the write, such as a {@code LeaderLease}
     */
    CompletionStage<Written<T>> replace(Optional<Versioned<T>> seen, T next, Fence... fences);

    /**
     * Reads the value, applies a change and writes the result, again while others write in between, at most 20 times.
     *
     * @param change returns the next value for the present one; called on a thread that may wait, perhaps repeatedly
     */
    CompletionStage<Written<T>> update(Function<Optional<T>, T> change, Fence... fences);

    /** Removes the value if it still is what was seen. {@link Written.Done#now} of the result is empty. */
    CompletionStage<Written<T>> clear(Versioned<T> seen, Fence... fences);

    /**
     * Adds a listener: it is called with the present value once it is known, then with the newest one after changes. Calls come one after the other;
     * changes during a call are combined. A slow listener delays nothing else.
     *
     * @return ends the calls: none starts after its {@code close} has returned
     */
    Registration listen(Consumer<Optional<Versioned<T>>> listener);
}
