// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.apache.sling.discovery.TopologyEvent.Type;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Removes listeners: running calls, deadlines, listeners that are added again, and the service after an earlier one. */
@Timeout(60)
class SubscriptionRemovalTest extends SubscriptionsFixture {

    private final List<Long> waits = new ArrayList<>();
    private final RunningCalls shared = new RunningCalls();
    private final Subscriptions earlier = new Subscriptions(calls::add, clock::get, () -> {}, shared);
    private final Subscriptions later = new Subscriptions(calls::add, clock::get, returned::incrementAndGet, shared);

    @Test
    void othersAreNotRemovedAndDoNotWait() {
        Recorder stays = new Recorder();
        Recorder goes = new Recorder();
        Recorder comes = new Recorder();
        subscriptions.notifySettled(first);
        subscriptions.add(stays, "stays");
        subscriptions.add(goes, "goes");
        subscriptions.remove(goes, deadline(waits));
        subscriptions.remove(goes, deadline(waits));
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
        subscriptions.remove(blocked, deadline(waits));
        assertThat(returned).as("notifications of the removal").hasValue(1);
        long since = clock.get() - 1_000;
        assertThat(subscriptions.releasedAt()).isEqualTo(since + 2_000);
        clock.set(since + 1_999);
        assertThat(subscriptions.acting()).containsExactly("blocked");

        clock.set(since + 2_000);
        assertThat(subscriptions.acting()).isEmpty();
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
        subscriptions.close(deadline(waits));
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
            subscriptions.remove(blocked, deadline(waits));
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
        earlier.close(deadline(waits));
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

        later.remove(listener, deadline(waits));
        runCalls();
        assertThat(listener.types).containsExactly(Type.TOPOLOGY_INIT);
    }
}
