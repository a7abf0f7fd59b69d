// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.testing.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.discoveryzk.spi.ClusterStore;
import io.github.discoveryzk.testing.ClusterStoreContract;
import io.github.discoveryzk.testing.time.VirtualProcess;
import io.github.discoveryzk.testing.time.VirtualTime;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import java.util.function.BooleanSupplier;

/** The model keeps the same contract as the real store, with slow messages and servers that lag behind. */
class MemoryStoreContractTest extends ClusterStoreContract {

    private static final int TIMEOUT = 3_000;

    private final VirtualTime time = new VirtualTime();
    private final MemoryEnsemble ensemble = new MemoryEnsemble(time, "cluster");
    private final Random random = new Random(42);

    @Override
    public ClusterStore newStore() {
        return new MemoryStore(ensemble, new VirtualProcess(time), random, TIMEOUT, 30, 40);
    }

    @Override
    public void await(BooleanSupplier condition) {
        assertThat(time.runUntil(condition, 60_000)).isTrue();
    }

    @Override
    public void expire(ClusterStore store) {
        ensemble.end(((MemoryStore) store).session());
    }

    @Override
    public void interrupt(ClusterStore store) {
        ((MemoryStore) store).cut(20);
    }

    @Override
    public void restore(ClusterStore store) {
        ((MemoryStore) store).restore();
    }

    @Override
    public OptionalInt historySize() {
        return OptionalInt.of(ensemble.history().size());
    }

    @Override
    public boolean spoilView() {
        ensemble.spoilView();
        return true;
    }

    @Override
    public Optional<String> spoilHistory(long number) {
        ensemble.readings().spoilHistory(number);
        return Optional.of("history entry " + number);
    }

    @Override
    public boolean deleteEverything() {
        ensemble.deleteEverything();
        return true;
    }
}
