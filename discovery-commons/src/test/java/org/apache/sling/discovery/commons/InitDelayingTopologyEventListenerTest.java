// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.commons;

import static org.apache.sling.discovery.TopologyEvent.Type.PROPERTIES_CHANGED;
import static org.apache.sling.discovery.TopologyEvent.Type.TOPOLOGY_CHANGED;
import static org.apache.sling.discovery.TopologyEvent.Type.TOPOLOGY_CHANGING;
import static org.apache.sling.discovery.TopologyEvent.Type.TOPOLOGY_INIT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.apache.sling.commons.scheduler.Scheduler;
import org.apache.sling.discovery.TestTopology;
import org.apache.sling.discovery.TopologyEvent;
import org.apache.sling.discovery.TopologyEvent.Type;
import org.apache.sling.discovery.TopologyEventListener;
import org.apache.sling.discovery.TopologyView;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.Logger;

@Timeout(30)
class InitDelayingTopologyEventListenerTest {

    private final CompletableFuture<Void> delay = new CompletableFuture<>();
    private final List<TopologyEvent> heard = new ArrayList<>();
    private final List<String> logged = new ArrayList<>();
    private final InitDelayingTopologyEventListener listener = delaying(heard::add);

    private final TopologyView v1 = TestTopology.view();
    private final TopologyEvent init = new TopologyEvent(TOPOLOGY_INIT, null, v1);
    private final TopologyEvent changing = new TopologyEvent(TOPOLOGY_CHANGING, v1, null);

    @Test
    void keepsTheGrammarWheneverTheDelayEnds() {
        for (int length = 0; length <= 7; length++) {
            for (List<TopologyEvent> sequence : sequences(length)) {
                for (int end = 0; end <= length; end++) {
                    List<TopologyEvent> notified = new ArrayList<>();
                    CompletableFuture<Void> over = new CompletableFuture<>();
                    TopologyEventListener delaying =
                            new InitDelayingTopologyEventListener(over, Runnable::run, notified::add, null);
                    sequence.subList(0, end).forEach(delaying::handleTopologyEvent);
                    assertThat(notified).isEmpty();
                    over.complete(null);
                    sequence.subList(end, length).forEach(delaying::handleTopologyEvent);

                    assertThat(shown(notified)).matches("(I(P|-C)*-?)?");
                    assertViewsAreAChain(notified);
                    assertNothingIsMissing(sequence, end, notified);
                }
            }
        }
    }

    @Test
    void cancelsTheDelayWhenDisposed() {
        emit(init);
        listener.dispose();

        assertThat(delay).isCancelled();
        assertThat(heard).isEmpty();
        emit(changing);
        assertThat(heard).isEmpty();
    }

    @Test
    void staysSilentIfDisposedBetweenTheDelayAndItsDelivery() {
        List<Runnable> submitted = new ArrayList<>();
        CompletableFuture<Void> over = new CompletableFuture<>();
        InitDelayingTopologyEventListener late =
                new InitDelayingTopologyEventListener(over, submitted::add, heard::add, null);
        late.handleTopologyEvent(init);
        over.complete(null);
        late.dispose();
        submitted.forEach(Runnable::run);

        assertThat(submitted).hasSize(1);
        assertThat(heard).isEmpty();
    }

    @Test
    void doesNotWaitForTheDelegateToDispose() throws Exception {
        CountDownLatch inside = new CountDownLatch(1);
        CountDownLatch disposed = new CountDownLatch(1);
        InitDelayingTopologyEventListener busy = delaying(event -> {
            inside.countDown();
            await(disposed);
            heard.add(event);
        });
        busy.handleTopologyEvent(init);
        FutureTask<Void> ending = inThread(() -> delay.complete(null));
        await(inside);
        busy.dispose();
        disposed.countDown();
        ending.get();

        assertThat(heard).containsExactly(init);
    }

    @Test
    void returnsFromChangingOnlyAfterTheDelegateHas() throws Exception {
        CountDownLatch inside = new CountDownLatch(1);
        CountDownLatch release = new CountDownLatch(1);
        List<String> steps = Collections.synchronizedList(new ArrayList<>());
        InitDelayingTopologyEventListener busy = delaying(event -> {
            steps.add("begin " + event.getType());
            if (event.getType() == TOPOLOGY_INIT) {
                inside.countDown();
                await(release);
            }
            steps.add("end " + event.getType());
        });
        busy.handleTopologyEvent(init);
        FutureTask<Void> ending = inThread(() -> delay.complete(null));
        await(inside);
        AtomicReference<Thread> teller = new AtomicReference<>();
        FutureTask<Void> telling = inThread(() -> {
            teller.set(Thread.currentThread());
            busy.handleTopologyEvent(changing);
            steps.add("notified");
        });
        while (!telling.isDone() && (teller.get() == null || teller.get().getState() != Thread.State.WAITING)) {
            Thread.onSpinWait();
        }
        release.countDown();
        ending.get();
        telling.get();

        assertThat(steps)
                .containsExactly(
                        "begin TOPOLOGY_INIT",
                        "end TOPOLOGY_INIT",
                        "begin TOPOLOGY_CHANGING",
                        "end TOPOLOGY_CHANGING",
                        "notified");
    }

    @Test
    void logsAFailureInTheFirstEventAndGoesOn() {
        InitDelayingTopologyEventListener failing = delaying(event -> {
            heard.add(event);
            if (event.getType() == TOPOLOGY_INIT) {
                throw new IllegalStateException("on purpose");
            }
        });
        failing.handleTopologyEvent(init);
        delay.complete(null);
        failing.handleTopologyEvent(changing);

        assertThat(logged).containsExactly("error on purpose");
        assertThat(heard).containsExactly(init, changing);
    }

    @Test
    void leavesAFailureInALaterEventToTheCaller() {
        InitDelayingTopologyEventListener failing = delaying(event -> {
            throw new IllegalStateException("on purpose");
        });
        delay.complete(null);

        assertThatThrownBy(() -> failing.handleTopologyEvent(init)).hasMessage("on purpose");
        assertThat(logged).isEmpty();
    }

    @Test
    void measuresTheDelayItself() throws Exception {
        CompletableFuture<TopologyEvent> notified = new CompletableFuture<>();
        TopologyEventListener real = new InitDelayingTopologyEventListener(1, notified::complete);
        real.handleTopologyEvent(init);

        assertThat(notified).isNotDone();
        assertThat(notified.get(20, TimeUnit.SECONDS)).isSameAs(init);
    }

    @Test
    void refusesNoDelayAndNoDelegate() {
        for (long seconds : new long[] {0, -1, Long.MIN_VALUE}) {
            assertThatThrownBy(() -> new InitDelayingTopologyEventListener(seconds, heard::add))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("startupDelay")
                    .hasMessageContaining(String.valueOf(seconds));
        }
        assertThatThrownBy(() -> new InitDelayingTopologyEventListener(1, null))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("delegate");
    }

    /** Code compiled against an old release still runs. */
    @Test
    @SuppressWarnings("deprecation")
    void aSchedulerIsNotNeeded() {
        CompletableFuture<TopologyEvent> one = new CompletableFuture<>();
        CompletableFuture<TopologyEvent> other = new CompletableFuture<>();
        Scheduler none = null;
        new InitDelayingTopologyEventListener(1, one::complete, none).handleTopologyEvent(init);
        new InitDelayingTopologyEventListener(1, other::complete, none, logger()).handleTopologyEvent(init);
        assertThat(one.join()).isSameAs(init);
        assertThat(other.join()).isSameAs(init);

        assertThatThrownBy(() -> new InitDelayingTopologyEventListener(0, heard::add, none))
                .hasMessageContaining("startupDelay");
        assertThatThrownBy(() -> new InitDelayingTopologyEventListener(1, null, none, logger()))
                .hasMessageContaining("delegate");
    }

    private InitDelayingTopologyEventListener delaying(TopologyEventListener delegate) {
        return new InitDelayingTopologyEventListener(delay, Runnable::run, delegate, logger());
    }

    private void emit(TopologyEvent... events) {
        List.of(events).forEach(listener::handleTopologyEvent);
    }

    private Logger logger() {
        return (Logger) Proxy.newProxyInstance(
                Logger.class.getClassLoader(), new Class<?>[] {Logger.class}, (proxy, method, arguments) -> {
                    if (!method.getName().equals("debug")) {
                        Object[] values = arguments[arguments.length - 1] instanceof Object[] many ? many : arguments;
                        logged.add(method.getName() + " " + ((Throwable) values[values.length - 1]).getMessage());
                    }
                    return null;
                });
    }

    private static FutureTask<Void> inThread(Runnable step) {
        FutureTask<Void> task = new FutureTask<>(step, null);
        Thread thread = new Thread(task);
        thread.setDaemon(true);
        thread.start();
        return task;
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(20, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** Returns all lawful sequences of events of a length, with views that form a chain. */
    private static List<List<TopologyEvent>> sequences(int length) {
        return IntStream.range(0, 1 << length)
                .mapToObj(choices -> {
                    List<TopologyEvent> events = new ArrayList<>();
                    TopologyView view = null;
                    for (int i = 0; i < length; i++) {
                        Type type = next(events, (choices >> i & 1) == 0);
                        TopologyView newView = type == TOPOLOGY_CHANGING ? null : TestTopology.view();
                        events.add(new TopologyEvent(type, view, newView));
                        view = newView == null ? view : newView;
                    }
                    return events;
                })
                .toList();
    }

    private static Type next(List<TopologyEvent> events, boolean properties) {
        if (events.isEmpty()) {
            return TOPOLOGY_INIT;
        }
        if (events.get(events.size() - 1).getType() == TOPOLOGY_CHANGING) {
            return TOPOLOGY_CHANGED;
        }
        return properties ? PROPERTIES_CHANGED : TOPOLOGY_CHANGING;
    }

    private static String shown(List<TopologyEvent> events) {
        StringBuilder shown = new StringBuilder();
        events.forEach(event -> shown.append("I-CP".charAt(event.getType().ordinal())));
        return shown.toString();
    }

    private static void assertViewsAreAChain(List<TopologyEvent> events) {
        TopologyView view = null;
        for (TopologyEvent event : events) {
            assertThat(event.getOldView()).isSameAs(view);
            view = event.getNewView() == null ? view : event.getNewView();
        }
    }

    /**
     * Checks that the delegate receives the last event before the end if that was settled, or the first settled one, and all
     * after it.
     */
    private static void assertNothingIsMissing(List<TopologyEvent> notified, int end, List<TopologyEvent> heard) {
        int first = Math.max(0, end - 1);
        while (first < notified.size() && notified.get(first).getType() == TOPOLOGY_CHANGING) {
            first++;
        }
        List<TopologyEvent> expected = notified.subList(Math.min(first, notified.size()), notified.size());
        assertThat(heard)
                .extracting(TopologyEvent::getNewView)
                .isEqualTo(expected.stream().map(TopologyEvent::getNewView).toList());
    }
}
