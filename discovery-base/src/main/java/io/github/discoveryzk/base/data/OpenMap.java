// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.base.data;

import io.github.discoveryzk.data.DataKind;
import io.github.discoveryzk.data.Fence;
import io.github.discoveryzk.data.Registration;
import io.github.discoveryzk.data.SharedMap;
import io.github.discoveryzk.data.Versioned;
import io.github.discoveryzk.data.Written;
import io.github.discoveryzk.model.DataAddress;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/** A map. */
final class OpenMap<T> extends Copy<T> implements SharedMap<T> {

    OpenMap(DataAddress address, DataKind<T> kind, DataService service) {
        super(address, kind, service);
    }

    @Override
    public CompletionStage<Optional<Versioned<T>>> read(String key) {
        return super.read(DataAddress.checked(key));
    }

    @Override
    public CompletionStage<Written<T>> replace(String key, Optional<Versioned<T>> seen, T next, Fence... fences) {
        return write(DataAddress.checked(key), seen, Optional.of(next), fences);
    }

    @Override
    public CompletionStage<Written<T>> remove(String key, Versioned<T> seen, Fence... fences) {
        return write(DataAddress.checked(key), Optional.of(seen), Optional.empty(), fences);
    }

    @Override
    public CompletionStage<Written<T>> own(String key, T value) {
        return super.own(DataAddress.checked(key), value);
    }

    @Override
    public CompletionStage<Written<T>> disown(String key) {
        return super.disown(DataAddress.checked(key));
    }

    @Override
    public Registration listen(Consumer<Map<String, Versioned<T>>> listener) {
        return add(listener);
    }
}
