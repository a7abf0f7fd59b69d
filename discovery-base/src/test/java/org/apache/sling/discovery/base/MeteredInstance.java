// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.Random;
import java.util.concurrent.ScheduledExecutorService;
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

/** An instance on virtual time that counts its decisions and what its decision thread allocates. */
final class MeteredInstance {

    private static final int SESSION_TIMEOUT = 30_000;
    private static final SettlingPolicy POLICY = new SettlingPolicy(40_000, 0, 200, SuspendedPolicy.LEASE);
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private final VirtualProcess process;
    private final DiscoveryInstance instance;
    private int shown;
    private long decisions;
    private long bytes;
    private long nanos;

    MeteredInstance(String id, long pid, VirtualTime time, MemoryEnsemble ensemble) {
        process = new VirtualProcess(time, 0, 1);
        MemoryStore store = new MemoryStore(ensemble, process, new Random(pid), SESSION_TIMEOUT, 10, 0);
        Execution execution = new Execution(
                new Time(process::clock, time::now),
                metered(process.executor(() -> 0)),
                task -> process.after(0, task),
                () -> {});
        ProcessInfo info = new ProcessInfo("run-" + pid, "host-" + pid, pid, "/home/" + pid, time.now());
        Protocol counting = (state, facts, policy, now) -> {
            decisions++;
            return Protocol.SETTLING.step(state, facts, policy, now);
        };
        instance =
                InstanceUnderTest.following(counting, new InstanceIdentity(id, info), store, () -> POLICY, execution);
        instance.addListener(
                event -> shown = event.getNewView() == null
                        ? 0
                        : event.getNewView().getInstances().size(),
                "com.example.Listener");
    }

    /** Has the calling thread's allocations and processor time counted while the decision thread runs a task. */
    private ScheduledExecutorService metered(ScheduledExecutorService executor) {
        return (ScheduledExecutorService) Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {ScheduledExecutorService.class},
                (proxy, method, given) -> {
                    if (given != null && given[0] instanceof Runnable task) {
                        given[0] = (Runnable) () -> count(task);
                    }
                    try {
                        return method.invoke(executor, given);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    private void count(Runnable task) {
        long allocated = THREADS.getCurrentThreadAllocatedBytes();
        long started = THREADS.getCurrentThreadCpuTime();
        task.run();
        nanos += THREADS.getCurrentThreadCpuTime() - started;
        bytes += THREADS.getCurrentThreadAllocatedBytes() - allocated;
    }

    void start() {
        instance.start();
    }

    void leave() {
        instance.leave().thenRun(() -> process.after(0, instance::close));
    }

    /** Says whether the listener's view has that many instances. */
    boolean hasView(int size) {
        return shown == size;
    }

    void reset() {
        decisions = 0;
        bytes = 0;
        nanos = 0;
    }

    Counters counters() {
        return new Counters(decisions, bytes, nanos);
    }

    /**
     * What an instance has done.
     *
     * @param decisions how often the protocol was called
     * @param bytes what the decision thread allocated
     * @param nanos its processor time
     */
    record Counters(long decisions, long bytes, long nanos) {}
}
