// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import org.apache.sling.discovery.TopologyEvent;
import org.apache.sling.discovery.TopologyEvent.Type;
import org.apache.sling.discovery.TopologyEventListener;
import org.apache.sling.discovery.TopologyView;
import org.junit.jupiter.api.Test;

/** The grammar of events when no thread is available, and when a listener is removed and added again during a call. */
class DispatchFailuresTest {

    private final Deque<Runnable> calls = new ArrayDeque<>();
    private final List<TopologyEvent> heard = new ArrayList<>();
    private final TopologyView view = new DispatchViews().settled("red");
    private boolean refusing;
    private final Subscriptions subscriptions = new Subscriptions(this::execute, () -> 0, () -> {});

    private void execute(Runnable call) {
        if (refusing) {
            throw new RejectedExecutionException("no thread available");
        }
        calls.add(call);
    }

    private void runCalls() {
        while (!calls.isEmpty()) {
            calls.poll().run();
        }
    }

    @Test
    void aListenerWithoutAFreeThreadIsCalledLater() {
        subscriptions.add(heard::add, "L");
        subscriptions.tellSettled(view);
        runCalls();
        refusing = true;
        subscriptions.tellChanging();
        assertThat(subscriptions.acting()).as("it still acts on the view").containsExactly("L");

        refusing = false;
        subscriptions.retry();
        runCalls();
        assertThat(heard)
                .extracting(TopologyEvent::getType)
                .containsExactly(Type.TOPOLOGY_INIT, Type.TOPOLOGY_CHANGING);
        assertThat(subscriptions.acting()).isEmpty();
    }

    @Test
    void aListenerAddedAgainWhileItIsBusyIsNotCalledTwiceAtOnce() {
        Rejoining listener = new Rejoining();
        subscriptions.add(listener, "L");
        subscriptions.tellSettled(view);
        runCalls();

        assertThat(listener.most).as("calls at once").isEqualTo(1);
        assertThat(heard).extracting(TopologyEvent::getType).containsExactly(Type.TOPOLOGY_INIT, Type.TOPOLOGY_INIT);
    }

    @Test
    void whatHappensDuringACallOfAnEarlierServiceTakesNoMemory() {
        RunningCalls running = new RunningCalls();
        Subscriptions earlier = new Subscriptions(this::execute, () -> 0, () -> {}, running);
        Subscriptions later = new Subscriptions(this::execute, () -> 0, () -> {}, running);
        TopologyEventListener listener = heard::add;
        earlier.add(listener, "L");
        earlier.tellSettled(view);

        later.add(listener, "L");
        for (int i = 0; i < 10; i++) {
            later.tellSettled(view);
            later.tellChanging();
        }
        assertThat(running.of(listener).orElseThrow().end().getNumberOfDependents())
                .isEqualTo(1);
    }

    /** Removes and adds itself during its first call, and waits in it for the consequences. */
    private final class Rejoining implements TopologyEventListener {
        private int running;
        private int most;

        @Override
        public void handleTopologyEvent(TopologyEvent event) {
            running++;
            most = Math.max(most, running);
            heard.add(event);
            if (heard.size() == 1) {
                subscriptions.remove(this);
                subscriptions.add(this, "L");
                runCalls();
            }
            running--;
        }
    }
}
