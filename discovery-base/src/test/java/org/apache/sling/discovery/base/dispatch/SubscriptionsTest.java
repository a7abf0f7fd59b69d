// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import org.apache.sling.discovery.TopologyEvent.Type;
import org.junit.jupiter.api.Test;

/** What concerns several listeners, their status and their failures. {@link DispatchGrammarTest} has the events of one listener. */
class SubscriptionsTest extends SubscriptionsFixture {

    @Test
    void oneIsNotAddedTwice() {
        Recorder listener = new Recorder();
        subscriptions.add(listener, "L");
        subscriptions.add(listener, "again");
        subscriptions.notifySettled(first);
        runCalls();

        assertThat(listener.types).containsExactly(Type.TOPOLOGY_INIT);
        assertThat(subscriptions.status()).containsExactly(new Subscriptions.Status("L", 0, 0));
    }

    @Test
    void theStatusHasTheDurationAndThePendingEvents() {
        subscriptions.add(event -> clock.addAndGet(700), "idle");
        subscriptions.notifySettled(first);
        runCalls();
        assertThat(subscriptions.status()).containsExactly(new Subscriptions.Status("idle", 0, 0));

        List<Subscriptions.Status> during = new ArrayList<>();
        subscriptions.add(
                event -> {
                    clock.addAndGet(300);
                    subscriptions.notifyChanging();
                    during.addAll(subscriptions.status());
                },
                "busy");
        runCalls();
        assertThat(during).contains(new Subscriptions.Status("busy", 2, 300));
    }

    @Test
    void aListenerWithoutAFreeThreadIsCalledLater() {
        boolean[] refusing = {false};
        Subscriptions refused = new Subscriptions(
                call -> {
                    if (refusing[0]) {
                        throw new RejectedExecutionException("no thread available");
                    }
                    calls.add(call);
                },
                clock::get,
                () -> {});
        Recorder listener = new Recorder();
        refused.add(listener, "L");
        refused.notifySettled(first);
        runCalls();
        refusing[0] = true;
        refused.notifyChanging();
        assertThat(refused.acting()).as("it still acts on the view").containsExactly("L");

        refusing[0] = false;
        refused.retry();
        runCalls();
        assertThat(listener.types).containsExactly(Type.TOPOLOGY_INIT, Type.TOPOLOGY_CHANGING);
        assertThat(refused.acting()).isEmpty();
    }
}
