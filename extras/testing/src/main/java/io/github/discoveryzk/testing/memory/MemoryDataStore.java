// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.testing.memory;

import io.github.discoveryzk.model.DataAddress;
import io.github.discoveryzk.spi.DataStore;
import io.github.discoveryzk.spi.Outcome;
import io.github.discoveryzk.testing.memory.MemoryData.Executed;
import io.github.discoveryzk.testing.memory.MemoryData.Folder;
import io.github.discoveryzk.testing.memory.MemoryData.Node;
import java.io.IOException;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** The shared data as one instance reads and writes it over its {@link MemoryStore}. */
final class MemoryDataStore implements DataStore {
    private static final int ATTEMPTS = 20;

    private final MemoryStore store;
    private final Map<DataAddress, Consumer<Content>> observers = new LinkedHashMap<>();
    private final Map<DataAddress, Folder> known = new HashMap<>();

    /** What was reported last; own writes and readings are not part of it. */
    private final Map<DataAddress, Folder> followed = new HashMap<>();

    private final Set<Runnable> pending = new LinkedHashSet<>();

    MemoryDataStore(MemoryStore store) {
        this.store = store;
    }

    @Override
    public boolean isSupported() {
        return true;
    }

    @Override
    public void follow(DataAddress address, Consumer<Content> observer) {
        observers.put(address, observer);
        if (store.isReady()) {
            store.upOnThis(() -> send(address));
        }
    }

    /** Sends what followers receive after a connect. Called at the servers. */
    void established() {
        observers.keySet().forEach(this::send);
    }

    /** Notifies this instance of a change, which it then reads. Called at the servers. */
    void changed(DataAddress address) {
        if (observers.containsKey(address)) {
            store.down(store.lagMillis, () -> store.upOnThis(() -> send(address)));
        }
    }

    private void send(DataAddress address) {
        Folder folder = store.ensemble.data().folder(address);
        store.down(store.lagMillis, () -> {
            known.put(address, folder);
            followed.put(address, folder);
            observers.get(address).accept(folder.content(true));
        });
    }

    /** The connection is lost. */
    void lost() {
        List<Runnable> all = List.copyOf(pending);
        pending.clear();
        all.forEach(each -> store.process.after(0, each));
        store.process.after(
                0,
                () -> observers.forEach((address, observer) -> store.emit(() -> observer.accept(
                        followed.getOrDefault(address, MemoryData.EMPTY).content(false)))));
    }

    private Folder known(DataAddress address) {
        return known.getOrDefault(address, MemoryData.EMPTY);
    }

    @Override
    public CompletionStage<Optional<Stored>> read(DataAddress address, String key) {
        CompletableFuture<Optional<Stored>> result = new CompletableFuture<>();
        Runnable loss = () -> result.completeExceptionally(new IOException("There is no connection."));
        exchange(loss, true, () -> store.ensemble.data().folder(address), folder -> {
            known.put(address, folder);
            result.complete(Optional.ofNullable(folder.nodes().get(key)).flatMap(Node::stored));
        });
        return result;
    }

    @Override
    public CompletionStage<Result> write(Write write) {
        CompletableFuture<Result> result = new CompletableFuture<>();
        attempt(write, result, ATTEMPTS);
        return result;
    }

    private void attempt(Write write, CompletableFuture<Result> result, int attempts) {
        Runnable loss = () -> result.complete(new Result(Outcome.unknown("connection lost"), Optional.empty()));
        Folder before = known(write.address());
        exchange(loss, false, () -> store.ensemble.data().execute(write, before, store.session()), executed -> {
            known.put(write.address(), executed.folder());
            Optional<Stored> now = Optional.ofNullable(executed.folder().nodes().get(write.key()))
                    .flatMap(Node::stored);
            if (isOvertaken(executed) && isSeen(write, now) && attempts > 1) {
                // What was seen was not known here, or only the folder has another version: another entry was created.
                attempt(write, result, attempts - 1);
            } else {
                boolean told = executed.outcome().status() != Outcome.Status.REJECTED;
                result.complete(new Result(executed.outcome(), told ? now : Optional.empty()));
            }
        });
    }

    private static boolean isOvertaken(Executed executed) {
        return executed.outcome().status() == Outcome.Status.OVERTAKEN;
    }

    private static boolean isSeen(Write write, Optional<Stored> now) {
        return write.seen().isPresent()
                && now.filter(each -> each.version() == write.seen().getAsLong())
                        .isPresent();
    }

    /** Sends a request, and what it returns back; the connection may be lost in between, or the request. */
    private <R> void exchange(Runnable loss, boolean read, Supplier<R> request, Consumer<R> reply) {
        if (!store.isReady()) {
            store.process.after(0, loss);
            return;
        }
        pending.add(loss);
        int sentOn = store.transport.connection();
        store.up(() -> {
            if (store.isStranded() ? !read : !store.ensemble.isAlive(store.session())) {
                return;
            }
            R result = request.get();
            if (sentOn == store.transport.connection()) {
                store.down(store.lagMillis, () -> {
                    if (pending.remove(loss)) {
                        reply.accept(result);
                    }
                });
            }
        });
    }
}
