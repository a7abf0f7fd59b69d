// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.work.place;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.discoveryzk.testing.memory.MemoryEnsemble;
import io.github.discoveryzk.testing.time.VirtualTime;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;

/** Instances with work on virtual time, for tests. */
abstract class WorkingCluster {

    static final String[] KEYS = IntStream.range(0, 6).mapToObj(i -> "k" + i).toArray(String[]::new);

    final VirtualTime time = new VirtualTime();
    final MemoryEnsemble ensemble = new MemoryEnsemble(time, "cluster");
    final Witness witness = new Witness(ensemble);
    final List<WorkingInstance> all = new ArrayList<>();

    WorkingInstance start(String id, String... keys) {
        WorkingInstance started = new WorkingInstance(id, all.size() + 1, time, ensemble, witness);
        all.add(started);
        started.offer("s", keys);
        until(started::isSettled);
        return started;
    }

    void until(BooleanSupplier condition) {
        assertThat(time.runUntil(condition, 120_000)).isTrue();
    }

    static int count(WorkingInstance instance) {
        return instance.running.size();
    }

    <T> T result(CompletionStage<T> stage) {
        until(() -> stage.toCompletableFuture().isDone());
        return stage.toCompletableFuture().join();
    }

    void startThree() {
        start("a", KEYS);
        start("b", KEYS);
        start("c", KEYS);
        until(() -> all.stream().allMatch(each -> count(each) == 2));
        time.run(1_000);
    }

    @AfterEach
    void nothingBroke() {
        assertThat(witness.broken).isEmpty();
    }
}
