// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.spi;

import io.github.discoveryzk.model.DataAddress;
import io.github.discoveryzk.model.DataRecord;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * What the members of the local cluster share besides their records, for applications. It is a guest: no decision about the cluster depends on it or
 * waits for it, a snapshot does not contain it, and it is read one piece at a time. By default a store has none.
 *
 * <p>The replies and contents of one store are in its order: contents that are reported after a reply are at least as new as this reply.
 * All methods may be called from any thread and do not block.
 */
public interface DataStore {

    /** The key of a value that is not a map. */
    String VALUE = "";

    /** Says whether the store has shared data. */
    default boolean isSupported() {
        return false;
    }

    /**
     * Keeps the observer informed about an address until the store is closed. An address has at most one observer.
     *
     * @param observer receives the whole content after changes, as {@link StoreObserver} receives its calls; it must neither block nor throw
     */
    default void follow(DataAddress address, Consumer<Content> observer) {}

    /** Reads an entry; empty if there is none. Completes exceptionally, with a sentence, if the store does not reply or denies it. */
    default CompletionStage<Optional<Stored>> read(DataAddress address, String key) {
        return CompletableFuture.failedFuture(new UnsupportedOperationException("this store shares no data"));
    }

    /**
     * Carries out a write as one transaction, at a bounded rate. Writes of one entry are carried out in the order of the calls; those of different
     * entries do not wait for each other.
     *
     * @return completes normally in any case
     */
    default CompletionStage<Result> write(Write write) {
        return CompletableFuture.completedFuture(
                new Result(Outcome.rejected("This store shares no data."), Optional.empty()));
    }

    /**
     * What is at an address.
     *
     * @param known false when the connection is lost: the entries are those of before
     * @param entries by key; a value has at most the key {@link #VALUE}. Entries of owners that have left may be among them
     * @param problems sentences about what cannot be read
     */
    record Content(boolean known, Map<String, Stored> entries, List<String> problems) {
        public Content {
            entries = Map.copyOf(entries);
            problems = List.copyOf(problems);
        }
    }

    /**
     * An entry.
     *
     * @param version the transaction that wrote it
     * @param writtenMillis when that was, in milliseconds since the epoch, by the clock of the store
     * @param record decodes the record, which may take a while; throws {@link IllegalArgumentException} with a sentence if it cannot be used
     */
    record Stored(long version, long writtenMillis, Supplier<DataRecord> record) {
        public Stored {
            Objects.requireNonNull(record, "record");
        }
    }

    /**
     * A write. It has an effect only if the member node exists, the fence holds, and the entry is what was seen.
     *
     * @param key {@link #VALUE} for a value
     * @param seen the version that it replaces; empty if there must be no entry
     * @param next what to write; empty to remove what was seen. With an owner, which is the member node of this write, the entry ends with the session
     * @param node the member node of this instance
     * @param ledView the view that must still be the last one in the store, by its number
     * @param proof a value that must still be the one that was seen
     */
    record Write(
            DataAddress address,
            String key,
            OptionalLong seen,
            Optional<DataRecord> next,
            String node,
            OptionalLong ledView,
            Optional<Proof> proof) {
        public Write {
            Objects.requireNonNull(address, "address");
            Objects.requireNonNull(key, "key");
            if (next.isEmpty() && seen.isEmpty()) {
                throw new IllegalArgumentException("what is removed must have been seen");
            }
        }
    }

    /** A value by its version. */
    record Proof(DataAddress value, long version) {}

    /**
     * The result of a write.
     *
     * @param outcome overtaken if the entry is not what was seen; rejected, with a sentence, if the member node, the view or the proof has been replaced
     * @param now what is there after the write, or instead of what was seen; empty if there is nothing, or the outcome is another one
     */
    record Result(Outcome outcome, Optional<Stored> now) {}
}
