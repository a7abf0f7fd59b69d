// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.apache.sling.discovery.TopologyEvent;
import org.apache.sling.discovery.TopologyEvent.Type;
import org.apache.sling.discovery.TopologyEventListener;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Removes listeners: running calls, deadlines, and listeners that are added again. */
class SubscriptionRemovalTest extends SubscriptionsFixture {

    @Nested
    class WhenRemoving {

        @Test
        void itActsUntilItsCallReturnsInAnyOrder() {
            List<List<String>> acting = new ArrayList<>();
            TopologyEventListener goes = new TopologyEventListener() {
                @Override
                public void handleTopologyEvent(TopologyEvent event) {
                    subscriptions.remove(this);
                    subscriptions.tellChanging();
                    acting.add(subscriptions.acting());
                }
            };
            subscriptions.add(new Recorder(), "stays");
            subscriptions.add(goes, "goes");
            subscriptions.tellSettled(first);
            calls.pollLast().run();

            assertThat(acting).hasSize(1).allSatisfy(names -> assertThat(names).contains("goes"));
            assertThat(subscriptions.acting()).doesNotContain("goes");
        }

        @Test
        void othersAreNotRemovedAndDoNotWait() {
            Recorder stays = new Recorder();
            Recorder goes = new Recorder();
            Recorder comes = new Recorder();
            subscriptions.tellSettled(first);
            subscriptions.add(stays, "stays");
            subscriptions.add(goes, "goes");
            subscriptions.remove(goes, deadline(new ArrayList<>()));
            subscriptions.add(comes, "comes");

            assertThat(subscriptions.status())
                    .extracting(Subscriptions.Status::name)
                    .containsExactly("stays", "comes");
            assertThat(calls).as("a call for each, including the removed one").hasSize(3);
            runCalls();
            assertThat(stays.types()).containsExactly(Type.TOPOLOGY_INIT);
            assertThat(goes.types()).isEmpty();
            assertThat(comes.types()).containsExactly(Type.TOPOLOGY_INIT);
        }

        @Test
        void aCallThatHasNotBegunNeverBegins() {
            Recorder listener = new Recorder();
            subscriptions.tellSettled(first);
            subscriptions.add(listener, "L");
            subscriptions.remove(listener);
            runCalls();

            assertThat(listener.events).isEmpty();
            assertThat(subscriptions.acting()).isEmpty();
        }

        @Test
        void isNotified() {
            Recorder listener = new Recorder();
            subscriptions.add(listener, "L");
            subscriptions.remove(listener);
            subscriptions.remove(listener);

            assertThat(returned).hasValue(1);
        }

        @Test
        void fromWithinACallDoesNotWaitForThatCall() {
            List<Type> heard = new ArrayList<>();
            List<Long> waits = new ArrayList<>();
            TopologyEventListener listener = new TopologyEventListener() {
                @Override
                public void handleTopologyEvent(TopologyEvent event) {
                    heard.add(event.getType());
                    subscriptions.remove(this, deadline(waits));
                }
            };
            subscriptions.add(listener, "L");
            subscriptions.tellSettled(first);
            runCalls();
            subscriptions.tellChanging();
            runCalls();

            assertThat(heard).containsExactly(Type.TOPOLOGY_INIT);
            assertThat(waits).isEmpty();
        }

        @Test
        void closingRemovesAll() {
            Recorder listener = new Recorder();
            subscriptions.add(listener, "L");
            subscriptions.tellSettled(first);
            runCalls();
            subscriptions.close(deadline(new ArrayList<>()));
            subscriptions.tellChanging();
            subscriptions.tellSettled(second);
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
            assertThat(subscriptions.acting()).containsExactly("blocked");
            blocked.release.countDown();
            call.join();
            removal.join();

            assertThat(blocked.log).containsExactly("returned", "removed");
            assertThat(subscriptions.acting()).isEmpty();
        }

        @Test
        @Timeout(60)
        void doesNotWaitForEver() throws InterruptedException {
            Blocked blocked = new Blocked();
            Thread call = blocked.begin();
            subscriptions.remove(blocked);
            blocked.log.add("removed");
            blocked.release.countDown();
            call.join();

            assertThat(blocked.log).containsExactly("removed", "returned");
        }

        @Test
        @Timeout(60)
        void theOthersAreKeptWaitingForAsLongAsTheRemovalMayWait() throws InterruptedException {
            Blocked blocked = new Blocked();
            Thread call = blocked.begin();
            subscriptions.remove(blocked, deadline(new ArrayList<>()));
            assertThat(returned).as("notifications of the removal").hasValue(1);
            long since = clock.get() - 1_000;
            assertThat(subscriptions.releasedAt()).isEqualTo(since + 2_000);
            clock.set(since + 1_999);
            assertThat(subscriptions.acting()).containsExactly("blocked");

            clock.set(since + 2_000);
            assertThat(subscriptions.acting()).isEmpty();
            assertThat(subscriptions.releasedAt()).isEqualTo(Long.MAX_VALUE);
            blocked.release.countDown();
            call.join();
            assertThat(returned)
                    .as("notifications of the removal and of the return")
                    .hasValue(2);
        }

        @Test
        @Timeout(60)
        void allOfThemWaitsForAllTogether() throws InterruptedException {
            List<Blocked> hanging = new ArrayList<>();
            List<Thread> threads = new ArrayList<>();
            for (int i = 0; i < 5; i++) {
                hanging.add(new Blocked());
                threads.add(hanging.get(i).begin());
            }
            List<Long> waits = new ArrayList<>();
            subscriptions.close(deadline(waits));
            assertThat(waits).as("milliseconds waited").containsExactly(1_000L);

            hanging.forEach(each -> each.release.countDown());
            for (Thread thread : threads) {
                thread.join();
            }
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

    @Nested
    class WhenAddingAgain {

        private final List<String> acting = new ArrayList<>();
        private int running;
        private int most;

        @Test
        void byItselfRepeatedlyIsOneCallAtATime() {
            List<Type> heard = new ArrayList<>();
            TopologyEventListener listener = new TopologyEventListener() {
                @Override
                public void handleTopologyEvent(TopologyEvent event) {
                    most = Math.max(most, ++running);
                    heard.add(event.getType());
                    if (heard.size() == 1) {
                        again(this);
                        again(this);
                        again(this);
                    }
                    runCalls();
                    acting.addAll(subscriptions.acting());
                    running--;
                }
            };
            subscriptions.add(listener, "L");
            subscriptions.tellSettled(first);
            runCalls();

            assertThat(heard).containsExactly(Type.TOPOLOGY_INIT, Type.TOPOLOGY_INIT);
            assertThat(most).as("calls at once").isEqualTo(1);
            assertThat(acting).containsOnly("L").hasSize(8);
            assertThat(returned).as("notified removals and returns").hasValue(3 + 2);
        }

        private void again(TopologyEventListener listener) {
            subscriptions.remove(listener);
            acting.addAll(subscriptions.acting());
            subscriptions.add(listener, "L");
            acting.addAll(subscriptions.acting());
        }

        @Test
        @Timeout(60)
        void byOthersWhileItHangsIsOneCallAtATime() throws InterruptedException {
            Blocked blocked = new Blocked();
            Thread call = blocked.begin();
            List<Long> waits = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                subscriptions.remove(blocked, deadline(waits));
                acting.addAll(subscriptions.acting());
                subscriptions.add(blocked, "blocked");
                subscriptions.tellSettled(first);
                acting.addAll(subscriptions.acting());
            }
            assertThat(calls).as("calls in addition to the running one").isEmpty();
            assertThat(acting).containsOnly("blocked").hasSize(6);
            assertThat(waits).as("each removal waits for the call").hasSize(3);

            blocked.release.countDown();
            call.join();
            assertThat(calls).hasSize(1);
            runCalls();
            assertThat(blocked.log).containsExactly("returned", "returned");
            assertThat(subscriptions.acting()).containsExactly("blocked");
        }
    }

    @Nested
    class AfterAnEarlierService {

        private final RunningCalls shared = new RunningCalls();
        private final Subscriptions earlier = new Subscriptions(calls::add, clock::get, () -> {}, shared);
        private final Subscriptions later =
                new Subscriptions(calls::add, clock::get, returned::incrementAndGet, shared);

        @Test
        @Timeout(60)
        void isNotCalledBeforeItHasReturned() throws InterruptedException {
            Blocked blocked = new Blocked();
            Thread call = blocked.begin(earlier);
            earlier.close(deadline(new ArrayList<>()));
            later.add(blocked, "blocked");
            later.tellSettled(first);
            assertThat(calls).isEmpty();
            assertThat(later.acting())
                    .as("it acts on no view that the later service ever held")
                    .isEmpty();
            assertThat(later.status()).singleElement().satisfies(status -> assertThat(status.busyMillis())
                    .isEqualTo(1_000));

            blocked.release.countDown();
            call.join();
            assertThat(calls).hasSize(1);
            runCalls();
            assertThat(blocked.log).containsExactly("returned", "returned");
            assertThat(returned).hasValue(1);
            assertThat(later.acting()).containsExactly("blocked");
        }

        @Test
        @Timeout(60)
        void whatHappensMeanwhileIsNotKept() throws InterruptedException {
            Blocked blocked = new Blocked();
            Thread call = blocked.begin(earlier);
            earlier.close(deadline(new ArrayList<>()));
            later.add(blocked, "blocked");
            for (int i = 0; i < 100; i++) {
                later.tellSettled(views.settled("red"));
                later.tellChanging();
            }
            later.remove(blocked, deadline(new ArrayList<>()));
            blocked.release.countDown();
            call.join();

            assertThat(calls).isEmpty();
        }
    }
}
