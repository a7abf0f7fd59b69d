// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.connectors;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.discoveryzk.base.environment.Execution;
import io.github.discoveryzk.base.environment.Time;
import io.github.discoveryzk.testing.time.VirtualProcess;
import io.github.discoveryzk.testing.time.VirtualTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class AnnouncedClustersTest {

    /** The bundle may have lost its classes when a thread of the instance gets to it. */
    @Test
    void afterTheEndNothingIsRead() {
        VirtualTime time = new VirtualTime();
        VirtualProcess process = new VirtualProcess(time, 0, 1);
        List<Runnable> calls = new ArrayList<>();
        List<Object> announced = new ArrayList<>();
        AnnouncedClusters clusters = new AnnouncedClusters(
                new Execution(new Time(process::clock, time::now), process.executor(() -> 0), calls::add, () -> {}),
                Optional::empty,
                shown -> {},
                (siblings, shared) -> announced.add(shared));
        clusters.queue();
        calls.get(0).run();
        assertThat(announced).hasSize(1);
        clusters.queue();
        clusters.end();
        clusters.queue();
        calls.forEach(Runnable::run);
        assertThat(calls).hasSize(2);
        assertThat(announced).hasSize(1);
    }
}
