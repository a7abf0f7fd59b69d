// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.commons.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.sling.discovery.TopologyEvent;
import org.apache.sling.discovery.TopologyEvent.Type;
import org.apache.sling.discovery.TopologyEventListener;
import org.apache.sling.discovery.TopologyView;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class SubscriptionsTest {

    private final Deque<Runnable> calls = new ArrayDeque<>();
    private final AtomicLong clock = new AtomicLong(1_000);
    private final AtomicInteger returned = new AtomicInteger();
    private final Subscriptions subscriptions = new Subscriptions(calls::add, clock::get, returned::incrementAndGet);
    private final TopologyView first = DispatchViews.view();
    private final TopologyView second = DispatchViews.view();
    private final TopologyView third = DispatchViews.view();

    private void runCalls() {
        while (!calls.isEmpty()) {
            calls.poll().run();
        }
    }

    @Nested
    class WhenAdding {

        @Test
        void hearsInitWhileSettled() {
            Recorder listener = new Recorder();
            subscriptions.settled(first);
            subscriptions.add(listener, "L");
            runCalls();

            assertThat(listener.types()).containsExactly(Type.TOPOLOGY_INIT);
            assertThat(listener.last().getNewView()).isSameAs(first);
        }

        @Test
        void hearsNothingWhileChangingAndThenInit() {
            Recorder listener = new Recorder();
            subscriptions.settled(first);
            subscriptions.changing();
            subscriptions.add(listener, "L");
            runCalls();
            assertThat(listener.events).isEmpty();
            assertThat(subscriptions.acting()).isEmpty();

            subscriptions.settled(second);
            runCalls();
            assertThat(listener.types()).containsExactly(Type.TOPOLOGY_INIT);
        }

        @Test
        void isNotAddedTwice() {
            Recorder listener = new Recorder();
            subscriptions.add(listener, "L");
            subscriptions.add(listener, "again");
            subscriptions.settled(first);
            runCalls();

            assertThat(listener.types()).containsExactly(Type.TOPOLOGY_INIT);
            assertThat(subscriptions.status()).containsExactly(new Subscriptions.Status("L", 0, 0));
        }

        @Test
        void startsWithInitAgainAfterRemoval() {
            Recorder listener = new Recorder();
            subscriptions.settled(first);
            subscriptions.add(listener, "L");
            runCalls();
            subscriptions.remove(listener);
            subscriptions.add(listener, "L");
            runCalls();

            assertThat(listener.types()).containsExactly(Type.TOPOLOGY_INIT, Type.TOPOLOGY_INIT);
        }
    }

    @Nested
    class WhenListenersAreSlow {

        @Test
        void oneDoesNotDelayAnother() {
            Recorder slow = new Recorder();
            Recorder fast = new Recorder();
            subscriptions.add(slow, "slow");
            subscriptions.add(fast, "fast");
            subscriptions.settled(first);
            Runnable callOfSlow = calls.poll();
            runCalls();
            subscriptions.changing();
            runCalls();

            assertThat(slow.events).isEmpty();
            assertThat(fast.types()).containsExactly(Type.TOPOLOGY_INIT, Type.TOPOLOGY_CHANGING);
            assertThat(subscriptions.acting()).containsExactly("slow");

            callOfSlow.run();
            assertThat(slow.events).isEmpty();
            assertThat(subscriptions.acting()).isEmpty();
        }

        @Test
        void whatWasMissedIsOneStepOfTheChain() {
            Recorder listener = new Recorder();
            subscriptions.add(listener, "L");
            subscriptions.settled(first);
            runCalls();
            subscriptions.changing();
            subscriptions.settled(second);
            subscriptions.changing();
            subscriptions.settled(third);
            runCalls();

            assertThat(listener.types())
                    .containsExactly(Type.TOPOLOGY_INIT, Type.TOPOLOGY_CHANGING, Type.TOPOLOGY_CHANGED);
            assertThat(listener.last().getOldView()).isSameAs(first);
            assertThat(listener.last().getNewView()).isSameAs(third);
        }

        @Test
        void missedPropertiesAreOneEvent() {
            Recorder listener = new Recorder();
            subscriptions.add(listener, "L");
            subscriptions.settled(first);
            runCalls();
            subscriptions.settled(second);
            subscriptions.settled(third);
            runCalls();

            assertThat(listener.types()).containsExactly(Type.TOPOLOGY_INIT, Type.PROPERTIES_CHANGED);
            assertThat(listener.last().getOldView()).isSameAs(first);
            assertThat(listener.last().getNewView()).isSameAs(third);
        }

        @Test
        void theStatusTellsForHowLongAndHowMany() {
            subscriptions.add(event -> clock.addAndGet(700), "idle");
            subscriptions.settled(first);
            runCalls();
            assertThat(subscriptions.status()).containsExactly(new Subscriptions.Status("idle", 0, 0));

            List<Subscriptions.Status> during = new ArrayList<>();
            subscriptions.add(
                    event -> {
                        clock.addAndGet(300);
                        subscriptions.changing();
                        during.addAll(subscriptions.status());
                    },
                    "busy");
            runCalls();
            assertThat(during).contains(new Subscriptions.Status("busy", 2, 300));
        }
    }

    @Nested
    class WhenListenersFail {

        @Test
        void anErrorHarmsNobodyAndTheListenerStays() {
            List<Type> heard = new ArrayList<>();
            Recorder other = new Recorder();
            subscriptions.add(
                    event -> {
                        heard.add(event.getType());
                        throw new StackOverflowError("thrown on purpose");
                    },
                    "failing");
            subscriptions.add(other, "other");
            subscriptions.settled(first);
            subscriptions.changing();
            runCalls();
            subscriptions.settled(second);
            runCalls();
            subscriptions.changing();
            runCalls();
            subscriptions.settled(third);
            runCalls();

            assertThat(heard).containsExactly(Type.TOPOLOGY_INIT, Type.TOPOLOGY_CHANGING, Type.TOPOLOGY_CHANGED);
            assertThat(other.types()).isEqualTo(heard);
        }
    }

    @Nested
    class WhenRemoving {

        @Test
        void aCallThatHasNotBegunNeverBegins() {
            Recorder listener = new Recorder();
            subscriptions.settled(first);
            subscriptions.add(listener, "L");
            subscriptions.remove(listener);
            runCalls();

            assertThat(listener.events).isEmpty();
            assertThat(subscriptions.acting()).isEmpty();
        }

        @Test
        void isTold() {
            Recorder listener = new Recorder();
            subscriptions.add(listener, "L");
            subscriptions.remove(listener);
            subscriptions.remove(listener);

            assertThat(returned).hasValue(1);
        }

        @Test
        void fromWithinACallDoesNotWaitForThatCall() {
            AtomicInteger questions = new AtomicInteger();
            Subscriptions own = new Subscriptions(
                    calls::add,
                    () -> {
                        // Also asked by who gives up waiting.
                        questions.incrementAndGet();
                        return 0;
                    },
                    () -> {});
            List<Type> heard = new ArrayList<>();
            AtomicInteger whileRemoving = new AtomicInteger(-1);
            TopologyEventListener listener = new TopologyEventListener() {
                @Override
                public void handleTopologyEvent(TopologyEvent event) {
                    heard.add(event.getType());
                    int before = questions.get();
                    own.remove(this);
                    whileRemoving.set(questions.get() - before);
                }
            };
            own.add(listener, "L");
            own.settled(first);
            runCalls();
            own.changing();
            runCalls();

            assertThat(heard).containsExactly(Type.TOPOLOGY_INIT);
            assertThat(whileRemoving)
                    .as("questions to the clock while removing")
                    .hasValue(0);
        }

        @Test
        void closingRemovesAll() {
            Recorder listener = new Recorder();
            subscriptions.add(listener, "L");
            subscriptions.settled(first);
            runCalls();
            subscriptions.close();
            subscriptions.changing();
            subscriptions.settled(second);
            runCalls();

            assertThat(listener.types()).containsExactly(Type.TOPOLOGY_INIT);
            assertThat(subscriptions.status()).isEmpty();
        }

        @Test
        @Timeout(60)
        void waitsForACallThatRuns() throws InterruptedException {
            Blocked blocked = new Blocked();
            Thread call = blocked.begin();
            Thread removal = thread(() -> {
                subscriptions.remove(blocked);
                blocked.log.add("removed");
            });
            while (removal.isAlive() && removal.getState() != Thread.State.TIMED_WAITING) {
                Thread.onSpinWait();
            }
            blocked.release.countDown();
            call.join();
            removal.join();

            assertThat(blocked.log).containsExactly("returned", "removed");
        }

        @Test
        @Timeout(60)
        void doesNotWaitForEver() throws InterruptedException {
            Blocked blocked = new Blocked();
            Thread call = blocked.begin();
            subscriptions.remove(blocked);
            blocked.log.add("removed");
            assertThat(subscriptions.acting()).isEmpty();
            blocked.release.countDown();
            call.join();

            assertThat(blocked.log).containsExactly("removed", "returned");
        }

        @Test
        @Timeout(60)
        void anInterruptedRemovalKeepsTheInterrupt() throws InterruptedException {
            Blocked blocked = new Blocked();
            Thread call = blocked.begin();
            Thread.currentThread().interrupt();
            subscriptions.remove(blocked);
            assertThat(Thread.interrupted()).isTrue();
            blocked.release.countDown();
            call.join();
        }
    }

    private static Thread thread(Runnable task) {
        Thread thread = new Thread(task, "test");
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    private static final class Recorder implements TopologyEventListener {

        private final List<TopologyEvent> events = new ArrayList<>();

        @Override
        public void handleTopologyEvent(TopologyEvent event) {
            events.add(event);
        }

        List<Type> types() {
            return events.stream().map(TopologyEvent::getType).toList();
        }

        TopologyEvent last() {
            return events.get(events.size() - 1);
        }
    }

    /** Does not return before it is released. */
    private final class Blocked implements TopologyEventListener {

        private final List<String> log = new CopyOnWriteArrayList<>();
        private final CountDownLatch begun = new CountDownLatch(1);
        private final CountDownLatch release = new CountDownLatch(1);

        Thread begin() throws InterruptedException {
            subscriptions.settled(first);
            subscriptions.add(this, "blocked");
            Thread call = thread(calls.poll());
            begun.await();
            return call;
        }

        @Override
        public void handleTopologyEvent(TopologyEvent event) {
            begun.countDown();
            try {
                release.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            log.add("returned");
        }
    }
}
