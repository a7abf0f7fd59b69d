// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.sling.discovery.TopologyEvent;
import org.apache.sling.discovery.TopologyEvent.Type;
import org.apache.sling.discovery.TopologyEventListener;
import org.apache.sling.discovery.base.connector.client.Transport;
import org.apache.sling.discovery.base.dispatch.Deadline;
import org.apache.sling.discovery.base.dispatch.RunningCalls;
import org.apache.sling.discovery.base.environment.Execution;
import org.apache.sling.discovery.base.environment.InstanceIdentity;
import org.apache.sling.discovery.base.environment.Time;
import org.apache.sling.discovery.base.protocol.Protocol;
import org.apache.sling.discovery.commons.model.ProcessInfo;
import org.apache.sling.discovery.commons.spi.SettlingPolicy;
import org.apache.sling.discovery.commons.spi.SettlingPolicy.SuspendedPolicy;
import org.apache.sling.discovery.testing.memory.MemoryEnsemble;
import org.apache.sling.discovery.testing.memory.MemoryStore;
import org.apache.sling.discovery.testing.time.VirtualProcess;
import org.apache.sling.discovery.testing.time.VirtualTime;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Listeners that do not return, on virtual time. Each call has its own thread; the time stands still until the call has
 * returned or hangs.
 */
@Timeout(120)
class HungListenersTest {

    private static final int SETTLE_TIMEOUT = 60_000;
    private static final SettlingPolicy POLICY = new SettlingPolicy(SETTLE_TIMEOUT, 0, 200, SuspendedPolicy.LEASE);

    private final VirtualTime time = new VirtualTime();
    private final MemoryEnsemble ensemble = new MemoryEnsemble(time);
    private final RunningCalls shared = new RunningCalls();
    private final CountDownLatch release = new CountDownLatch(1);
    private final List<Thread> threads = new ArrayList<>();
    private final ThreadLocal<CountDownLatch> stands = new ThreadLocal<>();
    private long pids;

    private DiscoveryInstance started(String id, TopologyEventListener... listeners) {
        VirtualProcess process = new VirtualProcess(time);
        MemoryStore store = new MemoryStore(ensemble, process, new Random(++pids), 3_000, 10, 0);
        Execution execution = new Execution(
                new Time(process::clock, time::now),
                process.executor(() -> 0),
                task -> process.after(0, () -> call(task)),
                () -> {});
        ProcessInfo info = new ProcessInfo("run-" + pids, "host", pids, "/home", time.now());
        DiscoveryInstance instance = new DiscoveryInstance(
                new InstanceIdentity(id, info),
                store,
                () -> POLICY,
                execution,
                Protocol.SETTLING,
                shared,
                Transport::ofThreads);
        for (TopologyEventListener listener : listeners) {
            instance.addListener(listener);
        }
        instance.start();
        return instance;
    }

    private void call(Runnable task) {
        CountDownLatch still = new CountDownLatch(1);
        Thread thread = new Thread(() -> {
            stands.set(still);
            task.run();
            still.countDown();
        });
        threads.add(thread);
        thread.setDaemon(true);
        thread.start();
        await(still);
    }

    /** To be called by a listener: does not return before the end of the test. */
    private void hang() {
        stands.get().countDown();
        await(release);
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @AfterEach
    void end() throws InterruptedException {
        release.countDown();
        for (Thread thread : threads) {
            thread.join();
        }
    }

    private static int members(DiscoveryInstance instance) {
        return instance.getTopology().isCurrent()
                ? instance.getTopology().getInstances().size()
                : 0;
    }

    /** Hangs in its first event of a type. */
    private final class Hanging implements TopologyEventListener {

        private final Type in;
        private final List<Type> heard = new ArrayList<>();
        private final AtomicInteger running = new AtomicInteger();
        private Runnable first = () -> {};
        private int most;

        private Hanging(Type in) {
            this.in = in;
        }

        @Override
        public void handleTopologyEvent(TopologyEvent event) {
            most = Math.max(most, running.incrementAndGet());
            heard.add(event.getType());
            if (event.getType() == in && heard.indexOf(in) == heard.size() - 1) {
                first.run();
                hang();
            }
            running.decrementAndGet();
        }
    }

    @Test
    void closingWaitsForAllOfThemTogether() {
        DiscoveryInstance a = started(
                "a",
                new Hanging(Type.TOPOLOGY_INIT),
                new Hanging(Type.TOPOLOGY_INIT),
                new Hanging(Type.TOPOLOGY_INIT),
                new Hanging(Type.TOPOLOGY_INIT),
                new Hanging(Type.TOPOLOGY_INIT));
        assertThat(time.runUntil(() -> members(a) == 1, 60_000)).isTrue();
        List<Long> waits = new ArrayList<>();
        a.close(new Deadline(3_000, time::now, (awaited, millis) -> {
            waits.add(millis);
            time.run(millis);
        }));

        assertThat(waits.stream().mapToLong(millis -> millis).sum()).isEqualTo(3_000);
        time.run(100);
        assertThat(ensemble.members()).isEmpty();
    }

    @Test
    void oneThatRemovesItselfAndHangsIsWaitedForForTwoSeconds() {
        Hanging hanging = new Hanging(Type.TOPOLOGY_CHANGING);
        DiscoveryInstance a = started("a", hanging);
        hanging.first = () -> a.removeListener(hanging);
        assertThat(time.runUntil(() -> members(a) == 1, 60_000)).isTrue();
        DiscoveryInstance b = started("b");
        assertThat(time.runUntil(() -> hanging.heard.size() == 2, 60_000)).isTrue();
        time.run(1_900);
        assertThat(members(b)).isZero();

        time.run(200);
        assertThat(members(b)).isEqualTo(2);
        assertThat(members(a)).isEqualTo(2);
    }

    @Test
    void theNextServiceDoesNotCallOneThatStillRunsACallOfTheLast() throws InterruptedException {
        Hanging hanging = new Hanging(Type.TOPOLOGY_INIT);
        DiscoveryInstance first = started("a", hanging);
        assertThat(time.runUntil(() -> members(first) == 1, 60_000)).isTrue();
        first.close(new Deadline(3_000, time::now, (awaited, millis) -> time.run(millis)));
        List<Type> heard = new ArrayList<>();
        DiscoveryInstance second = started("a", hanging, event -> heard.add(event.getType()));
        assertThat(time.runUntil(() -> members(second) == 1, 60_000)).isTrue();
        time.run(100);
        assertThat(heard).as("the others need not wait").containsExactly(Type.TOPOLOGY_INIT);
        assertThat(hanging.heard).containsExactly(Type.TOPOLOGY_INIT);

        end();
        time.run(100);
        assertThat(hanging.heard).containsExactly(Type.TOPOLOGY_INIT, Type.TOPOLOGY_INIT);
        assertThat(hanging.most).as("calls at once").isEqualTo(1);
    }
}
