// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.base;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.discoveryzk.base.environment.Execution;
import io.github.discoveryzk.base.environment.InstanceIdentity;
import io.github.discoveryzk.base.environment.Time;
import io.github.discoveryzk.report.State;
import io.github.discoveryzk.spi.ClusterStore;
import io.github.discoveryzk.spi.Request;
import io.github.discoveryzk.spi.SettlingPolicy;
import io.github.discoveryzk.spi.StoreObserver;
import io.github.discoveryzk.testing.memory.MemoryEnsemble;
import io.github.discoveryzk.testing.memory.MemoryStore;
import io.github.discoveryzk.testing.time.VirtualProcess;
import io.github.discoveryzk.testing.time.VirtualTime;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import org.apache.sling.discovery.PropertyProvider;
import org.apache.sling.discovery.TopologyEvent;
import org.apache.sling.discovery.TopologyEvent.Type;
import org.apache.sling.discovery.TopologyView;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The threads an instance runs on in production. Calls block on a latch, for as long as the test needs. */
@Timeout(120)
class RealThreadsTest {

    /** Leases must not end while a busy machine runs other things. */
    private static final int SESSION_TIMEOUT = 600_000;

    private static final String THREADS = "discovery-real-";

    private final Servers servers = new Servers();
    private final CountDownLatch release = new CountDownLatch(1);
    private final AtomicReference<Runnable> beforeDecisions = new AtomicReference<>(() -> {});
    private final Execution execution = Execution.ofThreads("real-a");
    private final Execution otherExecution = Execution.ofThreads("real-b");
    private final DiscoveryInstance a = new DiscoveryInstance(
            InstanceIdentity.ofThisProcess("a", Time.SYSTEM), servers.newStore(), this::policy, execution);
    private final DiscoveryInstance b = new DiscoveryInstance(
            InstanceIdentity.ofThisProcess("b", Time.SYSTEM),
            servers.newStore(),
            () -> SettlingPolicy.DEFAULT,
            otherExecution);
    private final BlockingQueue<TopologyEvent> heard = new LinkedBlockingQueue<>();

    /** Called before each decision, by the decision thread. */
    private SettlingPolicy policy() {
        beforeDecisions.get().run();
        return SettlingPolicy.DEFAULT;
    }

    @AfterEach
    void close() throws InterruptedException {
        release.countDown();
        beforeDecisions.set(() -> {});
        a.close();
        b.close();
        execution.close();
        otherExecution.close();
        servers.close();
        for (Thread thread : threads()) {
            thread.join();
        }
        assertThat(threads()).isEmpty();
    }

    private static List<Thread> threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.isAlive() && thread.getName().startsWith(THREADS))
                .toList();
    }

    private void block() {
        try {
            release.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private TopologyEvent awaitEvent(Predicate<TopologyEvent> condition) throws InterruptedException {
        TopologyEvent event = heard.take();
        while (!condition.test(event)) {
            event = heard.take();
        }
        return event;
    }

    private static boolean isOf(Type type, TopologyEvent event) {
        return event.getType() == type;
    }

    @Test
    void aCallThatBlocksForEverDelaysNoOther() throws InterruptedException {
        BlockingQueue<TopologyEvent> blocked = new LinkedBlockingQueue<>();
        a.addListener(event -> {
            blocked.add(event);
            block();
        });
        a.addListener(heard::add);
        PropertyProvider hanging = name -> {
            block();
            return "late";
        };
        a.addPropertyProvider(hanging, "late");
        a.start();
        assertThat(isOf(Type.TOPOLOGY_INIT, heard.take())).isTrue();
        assertThat(isOf(Type.TOPOLOGY_INIT, blocked.take())).isTrue();

        a.addPropertyProvider(name -> "1", "p");
        TopologyEvent properties = awaitEvent(event -> isOf(Type.PROPERTIES_CHANGED, event));
        assertThat(properties.getNewView().getLocalInstance().getProperties()).containsOnlyKeys("p");

        b.start();
        awaitEvent(event -> isOf(Type.TOPOLOGY_CHANGING, event));
        assertThat(a.getTopology().isCurrent()).isFalse();
        assertThat(blocked).isEmpty();

        release.countDown();
        TopologyEvent changed = awaitEvent(event -> isOf(Type.TOPOLOGY_CHANGED, event));
        assertThat(changed.getNewView().getInstances()).hasSize(2);
    }

    @Test
    void questionsAreAnsweredWhileTheDecidingThreadIsBlocked() throws InterruptedException {
        a.addListener(heard::add);
        a.start();
        TopologyView view = heard.take().getNewView();
        CountDownLatch blocked = new CountDownLatch(1);
        beforeDecisions.set(() -> {
            blocked.countDown();
            block();
        });
        b.start();
        blocked.await();

        assertThat(a.getTopology()).isSameAs(view);
        assertThat(a.getTopology().isCurrent()).isTrue();
        assertThat(a.reporter().report().state()).isEqualTo(State.SETTLED);

        beforeDecisions.set(() -> {});
        release.countDown();
        awaitEvent(event -> isOf(Type.TOPOLOGY_CHANGED, event));
    }

    @Test
    void closingNotifiesTheListenersAndEndsAllThreads() throws InterruptedException {
        a.addListener(heard::add);
        a.start();
        heard.take();
        assertThat(threads()).isNotEmpty();
        a.close();

        assertThat(isOf(Type.TOPOLOGY_CHANGING, heard.take())).isTrue();
        assertThat(a.getTopology().isCurrent()).isFalse();
        assertThat(heard).isEmpty();
    }

    /** The store in memory, with one thread for all its servers; its virtual time advances when a task is due. */
    private static final class Servers {

        private final VirtualTime time = new VirtualTime();
        private final MemoryEnsemble ensemble = new MemoryEnsemble(time, "cluster");
        private final ExecutorService thread =
                Executors.newSingleThreadExecutor(task -> new Thread(task, "discovery-real-servers"));

        ClusterStore newStore() {
            MemoryStore store =
                    new MemoryStore(ensemble, new VirtualProcess(time), new Random(1), SESSION_TIMEOUT, 5, 0);
            return (ClusterStore) Proxy.newProxyInstance(
                    getClass().getClassLoader(),
                    new Class<?>[] {ClusterStore.class},
                    (proxy, method, given) -> switch (method.getName()) {
                        case "open" -> serve(() -> store.open((StoreObserver) given[0]));
                        case "request" -> serve(() -> store.request((Request) given[0]));
                        case "collect" -> serve(() -> store.collect((boolean) given[0]));
                        case "close" -> serve(store::close).join();
                        default -> InvocationHandler.invokeDefault(proxy, method, given);
                    });
        }

        private CompletableFuture<Void> serve(Runnable task) {
            return CompletableFuture.runAsync(
                    () -> {
                        task.run();
                        time.run(20);
                    },
                    thread);
        }

        void close() {
            thread.shutdown();
        }
    }
}
