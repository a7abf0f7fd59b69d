// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.base.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.sling.discovery.TopologyEvent;
import org.apache.sling.discovery.TopologyEvent.Type;
import org.apache.sling.discovery.TopologyEventListener;
import org.apache.sling.discovery.TopologyView;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * What concerns several listeners, several services and the removal of listeners, on a clock of the test. Calls wait in a queue until the
 * test runs them. {@link DispatchGrammarTest} has the events of one listener.
 */
@Timeout(60)
class SubscriptionsTest {

    private final Deque<Runnable> calls = new ArrayDeque<>();
    private final AtomicLong clock = new AtomicLong(1_000);
    private final AtomicInteger returned = new AtomicInteger();
    private final RunningCalls shared = new RunningCalls();
    private final Subscriptions earlier = new Subscriptions(this::call, clock::get, () -> {}, shared);
    private final Subscriptions later = new Subscriptions(this::call, clock::get, returned::incrementAndGet, shared);
    private final Subscriptions subscriptions =
            new Subscriptions(this::call, clock::get, returned::incrementAndGet, new RunningCalls());
    private final DispatchViews views = new DispatchViews();
    private final TopologyView first = views.settled("first");
    private final List<Long> waits = new ArrayList<>();
    private boolean refusing;

    private void call(Runnable call) {
        if (refusing) {
            throw new RejectedExecutionException("no thread available");
        }
        calls.add(call);
    }

    @Test
    void oneIsNotAddedTwice() {
        Recorder listener = new Recorder();
        subscriptions.add(listener, "L");
        subscriptions.add(listener, "again");
        subscriptions.notifySettled(first);
        runCalls();

        assertThat(listener.types).containsExactly(Type.TOPOLOGY_INIT);
        assertThat(subscriptions.status())
                .containsExactly(new Subscriptions.Status("L", Recorder.class.getName(), 0, 0, 0));
    }

    @Test
    void theStatusHasTheDurationAndThePendingEvents() {
        subscriptions.add(event -> clock.addAndGet(700), "idle");
        subscriptions.notifySettled(first);
        runCalls();
        assertThat(subscriptions.status())
                .containsExactly(new Subscriptions.Status("idle", getClass().getName(), 0, 0, 700));

        List<Subscriptions.Status> during = new ArrayList<>();
        subscriptions.add(
                event -> {
                    clock.addAndGet(300);
                    subscriptions.notifyChanging();
                    during.addAll(subscriptions.status());
                },
                "busy");
        runCalls();
        assertThat(during).contains(new Subscriptions.Status("busy", getClass().getName(), 2, 300, 300));
    }

    @Test
    void aListenerWithoutAFreeThreadIsCalledLater() {
        Recorder listener = new Recorder();
        subscriptions.add(listener, "L");
        subscriptions.notifySettled(first);
        runCalls();
        refusing = true;
        subscriptions.notifyChanging();
        assertThat(subscriptions.acting()).as("it still acts on the view").containsExactly("L");

        refusing = false;
        subscriptions.retry();
        runCalls();
        assertThat(listener.types).containsExactly(Type.TOPOLOGY_INIT, Type.TOPOLOGY_CHANGING);
        assertThat(subscriptions.acting()).isEmpty();
    }

    @Test
    void othersAreNotRemovedAndDoNotWait() {
        Recorder stays = new Recorder();
        Recorder goes = new Recorder();
        Recorder comes = new Recorder();
        subscriptions.notifySettled(first);
        subscriptions.add(stays, "stays");
        subscriptions.add(goes, "goes");
        subscriptions.remove(goes, deadline());
        subscriptions.remove(goes, deadline());
        assertThat(returned).as("notifications of the removal").hasValue(1);
        subscriptions.add(comes, "comes");

        assertThat(subscriptions.status())
                .extracting(Subscriptions.Status::name)
                .containsExactly("stays", "comes");
        assertThat(calls).as("a call for each, including the removed one").hasSize(3);
        runCalls();
        assertThat(List.of(stays.types, goes.types, comes.types))
                .containsExactly(List.of(Type.TOPOLOGY_INIT), List.of(), List.of(Type.TOPOLOGY_INIT));
    }

    @Test
    void waitsForACallThatRuns() throws InterruptedException {
        Blocked blocked = new Blocked().begin(subscriptions);
        Thread removal = thread(() -> {
            subscriptions.remove(blocked);
            blocked.log.add("removed");
        });
        while (removal.isAlive() && removal.getState() != Thread.State.TIMED_WAITING) {
            Thread.onSpinWait();
        }
        assertThat(subscriptions.acting()).containsExactly("blocked");
        blocked.release();
        removal.join();

        assertThat(blocked.log).containsExactly("returned", "removed");
        assertThat(subscriptions.acting()).isEmpty();
    }

    @Test
    void theOthersAreKeptWaitingForAsLongAsTheRemovalMayWait() throws InterruptedException {
        Blocked blocked = new Blocked().begin(subscriptions);
        subscriptions.remove(blocked, deadline());
        assertThat(returned).as("notifications of the removal").hasValue(1);
        subscriptions.add(new Recorder(), "another");
        long since = clock.get() - 1_000;
        assertThat(subscriptions.releasedAt()).isEqualTo(since + 2_000);
        clock.set(since + 1_999);
        assertThat(subscriptions.acting()).containsExactly("another", "blocked");

        clock.set(since + 2_000);
        assertThat(subscriptions.acting()).containsExactly("another");
        assertThat(subscriptions.releasedAt()).isEqualTo(Long.MAX_VALUE);
        blocked.release();
        assertThat(returned)
                .as("notifications of the removal and of the return")
                .hasValue(2);
    }

    @Test
    void closingWaitsForAllTogether() throws InterruptedException {
        List<Blocked> hanging = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            hanging.add(new Blocked().begin(subscriptions));
        }
        subscriptions.close(deadline());
        assertThat(waits).as("milliseconds waited").containsExactly(1_000L);
        assertThat(subscriptions.status()).isEmpty();
        for (Blocked each : hanging) {
            each.release();
        }
    }

    @Test
    void oneThatHangsAndIsAddedAgainIsNotCalledTwiceAtATime() throws InterruptedException {
        List<String> acting = new ArrayList<>();
        Blocked blocked = new Blocked().begin(subscriptions);
        for (int i = 0; i < 3; i++) {
            subscriptions.remove(blocked, deadline());
            acting.addAll(subscriptions.acting());
            subscriptions.add(blocked, "blocked");
            subscriptions.notifySettled(first);
            acting.addAll(subscriptions.acting());
        }
        assertThat(calls).as("calls in addition to the running one").isEmpty();
        assertThat(acting).containsOnly("blocked").hasSize(6);
        assertThat(waits).as("each removal waits for the call").hasSize(3);

        blocked.release();
        assertThat(calls).hasSize(1);
        runCalls();
        assertThat(blocked.log).containsExactly("returned", "returned");
        assertThat(subscriptions.acting()).containsExactly("blocked");
    }

    @Test
    void theNextServiceDoesNotCallOneThatHasNotReturned() throws InterruptedException {
        Blocked blocked = new Blocked().begin(earlier);
        earlier.close(deadline());
        later.add(blocked, "blocked");
        later.notifySettled(first);
        assertThat(calls).isEmpty();
        assertThat(later.acting())
                .as("it acts on no view that the later service ever held")
                .isEmpty();
        assertThat(later.status()).singleElement().satisfies(status -> assertThat(status.busyMillis())
                .isEqualTo(1_000));

        blocked.release();
        assertThat(calls).hasSize(1);
        runCalls();
        assertThat(blocked.log).containsExactly("returned", "returned");
        assertThat(returned).hasValue(1);
        assertThat(later.acting()).containsExactly("blocked");
    }

    @Test
    void whatHappensDuringACallOfAnEarlierServiceTakesNoMemory() {
        Recorder listener = new Recorder();
        earlier.add(listener, "L");
        earlier.notifySettled(first);
        later.add(listener, "L");
        for (int i = 0; i < 10; i++) {
            later.notifySettled(views.settled("red"));
            later.notifyChanging();
        }
        assertThat(shared.of(listener).orElseThrow().end().getNumberOfDependents())
                .isEqualTo(1);

        later.remove(listener, deadline());
        runCalls();
        assertThat(listener.types).containsExactly(Type.TOPOLOGY_INIT);
    }

    /** Returns a deadline of one second; waiting for it advances the clock. */
    private Deadline deadline() {
        return new Deadline(1_000, clock::get, (awaited, millis) -> {
            waits.add(millis);
            clock.addAndGet(millis);
        });
    }

    private void runCalls() {
        while (!calls.isEmpty()) {
            calls.poll().run();
        }
    }

    private static Thread thread(Runnable task) {
        Thread thread = new Thread(task, "test");
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    private static final class Recorder implements TopologyEventListener {

        final List<Type> types = new ArrayList<>();

        @Override
        public void handleTopologyEvent(TopologyEvent event) {
            types.add(event.getType());
        }
    }

    /** A listener that does not return before it is released. */
    private final class Blocked implements TopologyEventListener {

        final List<String> log = new CopyOnWriteArrayList<>();
        final CountDownLatch begun = new CountDownLatch(1);
        final CountDownLatch released = new CountDownLatch(1);
        private Thread call;

        Blocked begin(Subscriptions of) throws InterruptedException {
            of.notifySettled(first);
            of.add(this, "blocked");
            call = thread(calls.poll());
            begun.await();
            return this;
        }

        /** Returns when the call has returned. */
        void release() throws InterruptedException {
            released.countDown();
            call.join();
        }

        @Override
        public void handleTopologyEvent(TopologyEvent event) {
            begun.countDown();
            try {
                released.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            log.add("returned");
        }
    }
}
