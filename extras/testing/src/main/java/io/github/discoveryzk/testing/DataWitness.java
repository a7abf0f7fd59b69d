// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.testing;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.discoveryzk.model.DataAddress;
import io.github.discoveryzk.model.DataRecord;
import io.github.discoveryzk.spi.DataStore.Content;
import io.github.discoveryzk.spi.DataStore.Proof;
import io.github.discoveryzk.spi.DataStore.Result;
import io.github.discoveryzk.spi.DataStore.Stored;
import io.github.discoveryzk.spi.DataStore.Write;
import io.github.discoveryzk.spi.Outcome.Status;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/** What a member reads and writes at one address. Texts stand for records of which this member is the writer. */
final class DataWitness {

    static final OptionalLong NONE = OptionalLong.empty();

    private final Witness member;
    private final DataAddress address;
    private final String key;
    private final Consumer<BooleanSupplier> waiting;

    /** Contents and the versions of replies, in the order of the store. */
    final List<Object> received = new CopyOnWriteArrayList<>();

    DataWitness(Witness member, DataAddress address, String key, Consumer<BooleanSupplier> waiting) {
        this.member = member;
        this.address = address;
        this.key = key;
        this.waiting = waiting;
    }

    /** Returns one that writes another key of the same map. */
    DataWitness at(String other) {
        return new DataWitness(member, address, other, waiting);
    }

    /** Returns that of another member. */
    DataWitness of(Witness other) {
        return new DataWitness(other, address, key, waiting);
    }

    DataWitness follow() {
        member.store().data().follow(address, received::add);
        return this;
    }

    DataRecord persistent(Object value) {
        return new DataRecord("text", value, member.member.instanceId(), NONE, Optional.empty());
    }

    DataRecord owned(Object value) {
        return new DataRecord("text", value, member.member.instanceId(), NONE, Optional.of(member.member.node()));
    }

    /** Sends a write; the result is in order among the contents. */
    CompletableFuture<Result> send(OptionalLong seen, Optional<DataRecord> next, OptionalLong ledView) {
        return send(seen, next, ledView, Optional.empty());
    }

    private CompletableFuture<Result> send(
            OptionalLong seen, Optional<DataRecord> next, OptionalLong ledView, Optional<Proof> proof) {
        Write write = new Write(address, key, seen, next, member.member.node(), ledView, proof);
        return member.store()
                .data()
                .write(write)
                .thenApply(result -> {
                    result.now().map(Stored::version).ifPresent(received::add);
                    return result;
                })
                .toCompletableFuture();
    }

    <T> T await(CompletableFuture<T> stage) {
        waiting.accept(stage::isDone);
        return stage.join();
    }

    Result write(OptionalLong seen, DataRecord next) {
        return await(send(seen, Optional.of(next), NONE));
    }

    Result lead(long view, OptionalLong seen, String next) {
        return await(send(seen, Optional.of(persistent(next)), OptionalLong.of(view)));
    }

    /** Writes as long as another value has a version. */
    Result prove(DataWitness value, OptionalLong version, OptionalLong seen, String next) {
        Proof proof = new Proof(value.address, version.getAsLong());
        return await(send(seen, Optional.of(persistent(next)), NONE, Optional.of(proof)));
    }

    Result remove(OptionalLong seen) {
        return await(send(seen, Optional.empty(), NONE));
    }

    /** Performs a write that must succeed, and returns its version. */
    OptionalLong put(OptionalLong seen, DataRecord next) {
        Result result = write(seen, next);
        assertResult(result, Status.DONE, next.value());
        return OptionalLong.of(result.now().orElseThrow().version());
    }

    OptionalLong put(OptionalLong seen, String next) {
        return put(seen, persistent(next));
    }

    /** Checks a result, and the value that it has; null for none. */
    static void assertResult(Result result, Status status, Object now) {
        assertThat(result.outcome().status()).as("%s", result.outcome()).isEqualTo(status);
        assertThat(value(result.now())).isEqualTo(Optional.ofNullable(now));
    }

    private static Optional<Object> value(Optional<Stored> stored) {
        return stored.map(each -> each.record().get().value());
    }

    Optional<Stored> read() {
        return await(member.store().data().read(address, key).toCompletableFuture());
    }

    Optional<Object> readValue() {
        return value(read());
    }

    /** Reads while there is no connection, and returns what says so. */
    Throwable readWithoutConnection() {
        CompletableFuture<Optional<Stored>> read =
                member.store().data().read(address, key).toCompletableFuture();
        waiting.accept(read::isDone);
        assertThat(read).isCompletedExceptionally();
        return read.handle((stored, thrown) -> thrown instanceof CompletionException ? thrown.getCause() : thrown)
                .join();
    }

    List<Content> contents() {
        return received.stream()
                .filter(Content.class::isInstance)
                .map(Content.class::cast)
                .toList();
    }

    Content content() {
        List<Content> all = contents();
        return all.isEmpty() ? new Content(false, Map.of(), List.of()) : all.get(all.size() - 1);
    }

    static Map<String, Object> values(Content content) {
        return content.entries().entrySet().stream()
                .collect(Collectors.toMap(
                        Map.Entry::getKey,
                        each -> each.getValue().record().get().value()));
    }

    /** Waits until the follower knows exactly these values by key. */
    void awaitContent(Map<String, ?> expected) {
        waiting.accept(() -> content().known() && values(content()).equals(expected));
    }
}
