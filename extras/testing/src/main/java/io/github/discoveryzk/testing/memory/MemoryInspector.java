// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.testing.memory;

import io.github.discoveryzk.model.Acknowledgement;
import io.github.discoveryzk.model.HistoryReading;
import io.github.discoveryzk.report.StoreTree;
import io.github.discoveryzk.spi.StoreInspector;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/** The readings for display over the connection of one store; each ends when the connection is lost. */
final class MemoryInspector implements StoreInspector {
    private final MemoryConnection connection;
    private final List<CompletableFuture<?>> pending = new ArrayList<>();

    MemoryInspector(MemoryConnection connection) {
        this.connection = connection;
    }

    @Override
    public CompletionStage<HistoryReading> readHistory(Set<Long> known) {
        return read(() -> connection.ensemble.readings().history(known));
    }

    @Override
    public CompletionStage<Set<Acknowledgement>> readAcknowledgements() {
        return read(connection.ensemble.readings()::acknowledgements);
    }

    @Override
    public CompletionStage<StoreTree> readTree() {
        return read(connection.ensemble.readings()::tree);
    }

    private <T> CompletableFuture<T> read(Supplier<T> reading) {
        CompletableFuture<T> future = new CompletableFuture<>();
        if (!connection.isReady()) {
            future.completeExceptionally(new IOException("not connected"));
            return future;
        }
        pending.add(future);
        connection.upOnThis(() -> {
            if (!connection.isStranded()) {
                T read = reading.get();
                connection.down(0, () -> {
                    pending.remove(future);
                    future.complete(read);
                });
            }
        });
        return future;
    }

    void endReadings() {
        List<CompletableFuture<?>> all = List.copyOf(pending);
        pending.clear();
        all.forEach(future -> future.completeExceptionally(new IOException("connection lost")));
    }
}
