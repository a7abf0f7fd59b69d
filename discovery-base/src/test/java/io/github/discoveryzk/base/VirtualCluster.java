// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.base;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.discoveryzk.report.State;
import io.github.discoveryzk.testing.memory.MemoryEnsemble;
import io.github.discoveryzk.testing.time.VirtualTime;
import java.util.List;

/** Instances in plain Java, on a store in memory and on virtual time. */
abstract class VirtualCluster {

    final VirtualTime time = new VirtualTime();
    final MemoryEnsemble ensemble = new MemoryEnsemble(time, "cluster");
    private long pids;

    final VirtualInstance instance(String id) {
        return new VirtualInstance(id, ++pids, time, ensemble);
    }

    final VirtualInstance started(String id) {
        VirtualInstance instance = instance(id);
        instance.instance().start();
        return instance;
    }

    /** Starts an instance and returns when it is settled. */
    final VirtualInstance settled(String id) {
        VirtualInstance instance = started(id);
        assertThat(instance.await(State.SETTLED)).isTrue();
        return instance;
    }

    /** Starts instances one after the other and returns when all are in one view. */
    final List<VirtualInstance> cluster(String... ids) {
        List<VirtualInstance> all = List.of(ids).stream().map(this::settled).toList();
        all.forEach(each -> assertThat(each.awaitOrder(ids)).isTrue());
        return all;
    }
}
