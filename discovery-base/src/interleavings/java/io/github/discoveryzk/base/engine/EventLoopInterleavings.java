// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.base.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.discoveryzk.base.Crew;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.extension.ExtendWith;
import org.pastalab.fray.junit.junit5.FrayTestExtension;
import org.pastalab.fray.junit.junit5.annotations.FrayTest;

/** Several threads submit inputs to a loop, in many orders of their steps. */
@ExtendWith(FrayTestExtension.class)
class EventLoopInterleavings {

    @FrayTest(iterations = 2_000, resetClassLoaderPerIteration = false)
    void eachInputRunsOnceInOrderAndATurnFollows() throws InterruptedException {
        Crew crew = new Crew();
        ScheduledExecutorService executor = Executors.newSingleThreadScheduledExecutor();
        List<String> log = new ArrayList<>();
        EventLoop loop = new EventLoop("a", executor, () -> 0, () -> log.add("turn"), () -> log.add("wake"));
        crew.execute(() -> {
            loop.submitFact(() -> log.add("a"));
            loop.submitFact(() -> log.add("b"));
            loop.submit(() -> log.add("c"));
        });
        crew.execute(() -> loop.submit(() -> log.add("x")));
        crew.join();
        executor.shutdown();
        assertThat(executor.awaitTermination(1, TimeUnit.DAYS)).isTrue();
        String all = String.join(" ", log);
        assertThat(all).endsWith("turn").containsOnlyOnce("x turn").containsOnlyOnce("c turn");
        assertThat(all.replaceAll(" ?(x|turn)", "").strip()).isEqualTo("a b c");
    }
}
