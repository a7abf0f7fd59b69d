// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.base.data;

import io.github.discoveryzk.data.DataKind;
import io.github.discoveryzk.data.Fence;
import io.github.discoveryzk.data.Registration;
import io.github.discoveryzk.data.SharedValue;
import io.github.discoveryzk.data.Versioned;
import io.github.discoveryzk.data.Written;
import io.github.discoveryzk.model.DataAddress;
import io.github.discoveryzk.spi.DataStore;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Function;

/** A value. */
final class OpenValue<T> extends Copy<T> implements SharedValue<T> {

    private static final int ATTEMPTS = 20;

    OpenValue(DataAddress address, DataKind<T> kind, DataService service) {
        super(address, kind, service);
    }

    @Override
    public Optional<Versioned<T>> get() {
        return Optional.ofNullable(entries().get(DataStore.VALUE));
    }

    @Override
    public CompletionStage<Optional<Versioned<T>>> read() {
        return read(DataStore.VALUE);
    }

    @Override
    public CompletionStage<Written<T>> replace(Optional<Versioned<T>> seen, T next, Fence... fences) {
        return write(DataStore.VALUE, seen, Optional.of(next), fences);
    }

    @Override
    public CompletionStage<Written<T>> update(Function<Optional<T>, T> change, Fence... fences) {
        return read().thenCompose(seen -> update(change, seen, ATTEMPTS, fences));
    }

    private CompletionStage<Written<T>> update(
            Function<Optional<T>, T> change, Optional<Versioned<T>> seen, int attempts, Fence... fences) {
        return replace(seen, change.apply(seen.map(Versioned::value)), fences)
                .thenCompose(written -> written instanceof Written.Overtaken<T> overtaken && attempts > 1
                        ? update(change, overtaken.now(), attempts - 1, fences)
                        : CompletableFuture.completedFuture(written));
    }

    @Override
    public CompletionStage<Written<T>> clear(Versioned<T> seen, Fence... fences) {
        return write(DataStore.VALUE, Optional.of(seen), Optional.empty(), fences);
    }

    @Override
    public Registration listen(Consumer<Optional<Versioned<T>>> listener) {
        return add(entries -> listener.accept(Optional.ofNullable(entries.get(DataStore.VALUE))));
    }
}
