// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.data;

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.osgi.annotation.versioning.ProviderType;

/**
 * Entries that members write one by one. An entry is persistent, or owned by a member and gone with it. The guarantees are those of
 * {@link SharedValue}, for each entry.
 */
@ProviderType
public interface SharedMap<T> {

    /** Returns the local copy by key, unmodifiable. An owned entry is part of it only as long as its owner is a member. One volatile read. */
    Map<String, Versioned<T>> entries();

    /** Says whether the local copy follows the store; not before the first read, and not without a connection. */
    boolean isKnown();

    /** Reads an entry from the store, as {@link SharedValue#read} does. */
    CompletionStage<Optional<Versioned<T>>> read(String key);

    /**
     * Writes a persistent entry if it still is what was seen; empty to write only if there is none.
     *
     * @param key 1 to 100 bytes in UTF-8, without control characters
     */
    CompletionStage<Written<T>> replace(String key, Optional<Versioned<T>> seen, T next, Fence... fences);

    /** Removes an entry if it still is what was seen. */
    CompletionStage<Written<T>> remove(String key, Versioned<T> seen, Fence... fences);

    /**
     * Claims an entry for this instance, or changes its own. It is overtaken if another member has it. The entry lives as long as the
     * membership of this instance, and is written again with the next one, until {@link #disown}. It is a claim that others see, not a lock:
     * this instance may be cut off and not know it.
     */
    CompletionStage<Written<T>> own(String key, T value);

    /** Gives up an owned entry of this instance. */
    CompletionStage<Written<T>> disown(String key);

    /** Adds a listener, which is called as those of a {@link SharedValue} are. */
    Registration listen(Consumer<Map<String, Versioned<T>>> listener);
}
