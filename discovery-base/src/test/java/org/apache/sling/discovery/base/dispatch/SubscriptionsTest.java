// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.apache.sling.discovery.TopologyEvent.Type;
import org.apache.sling.discovery.TopologyView;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Which events a listener receives, and when. */
class SubscriptionsTest extends SubscriptionsFixture {

    @Nested
    class WhenAdding {

        @Test
        void receivesInitWhileSettled() {
            Recorder listener = new Recorder();
            subscriptions.tellSettled(first);
            subscriptions.add(listener, "L");
            runCalls();

            assertThat(listener.types()).containsExactly(Type.TOPOLOGY_INIT);
            assertThat(listener.last().getNewView()).isSameAs(first);
        }

        @Test
        void receivesInitOnlyAfterAChange() {
            Recorder listener = new Recorder();
            subscriptions.tellSettled(first);
            subscriptions.tellChanging();
            subscriptions.add(listener, "L");
            runCalls();
            assertThat(listener.events).isEmpty();
            assertThat(subscriptions.acting()).isEmpty();

            subscriptions.tellSettled(second);
            runCalls();
            assertThat(listener.types()).containsExactly(Type.TOPOLOGY_INIT);
        }

        @Test
        void isNotAddedTwice() {
            Recorder listener = new Recorder();
            subscriptions.add(listener, "L");
            subscriptions.add(listener, "again");
            subscriptions.tellSettled(first);
            runCalls();

            assertThat(listener.types()).containsExactly(Type.TOPOLOGY_INIT);
            assertThat(subscriptions.status()).containsExactly(new Subscriptions.Status("L", 0, 0));
        }

        @Test
        void startsWithInitAgainAfterRemoval() {
            Recorder listener = new Recorder();
            subscriptions.tellSettled(first);
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
            subscriptions.tellSettled(first);
            Runnable callOfSlow = calls.poll();
            runCalls();
            subscriptions.tellChanging();
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
            subscriptions.tellSettled(first);
            runCalls();
            subscriptions.tellChanging();
            subscriptions.tellSettled(second);
            subscriptions.tellChanging();
            subscriptions.tellSettled(third);
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
            subscriptions.tellSettled(first);
            runCalls();
            subscriptions.tellSettled(second);
            subscriptions.tellSettled(third);
            runCalls();

            assertThat(listener.types()).containsExactly(Type.TOPOLOGY_INIT, Type.PROPERTIES_CHANGED);
            assertThat(listener.last().getOldView()).isSameAs(first);
            assertThat(listener.last().getNewView()).isSameAs(third);
        }

        @Test
        void propertiesThatAreWhatTheyWereAreNoEventAndTheViewIsCurrent() {
            Recorder listener = new Recorder();
            TopologyView red = views.settled("red");
            subscriptions.add(listener, "L");
            subscriptions.tellSettled(red);
            runCalls();
            subscriptions.tellSettled(views.properties("blue"));
            assertThat(red.isCurrent()).isFalse();
            TopologyView again = views.properties("red");
            subscriptions.tellSettled(again);
            runCalls();
            assertThat(listener.types()).containsExactly(Type.TOPOLOGY_INIT);
            assertThat(listener.last().getNewView()).isSameAs(red);
            assertThat(red.isCurrent()).isTrue();

            TopologyView green = views.properties("green");
            subscriptions.tellSettled(green);
            runCalls();
            assertThat(listener.types()).containsExactly(Type.TOPOLOGY_INIT, Type.PROPERTIES_CHANGED);
            assertThat(listener.last().getOldView()).isSameAs(red);
            assertThat(List.of(red.isCurrent(), again.isCurrent(), green.isCurrent()))
                    .containsExactly(false, false, true);
        }

        @Test
        void theStatusHasTheDurationAndThePendingEvents() {
            subscriptions.add(event -> clock.addAndGet(700), "idle");
            subscriptions.tellSettled(first);
            runCalls();
            assertThat(subscriptions.status()).containsExactly(new Subscriptions.Status("idle", 0, 0));

            List<Subscriptions.Status> during = new ArrayList<>();
            subscriptions.add(
                    event -> {
                        clock.addAndGet(300);
                        subscriptions.tellChanging();
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
        void anErrorAffectsNoOtherAndTheListenerStays() {
            List<Type> heard = new ArrayList<>();
            Recorder other = new Recorder();
            subscriptions.add(
                    event -> {
                        heard.add(event.getType());
                        throw new StackOverflowError("thrown on purpose");
                    },
                    "failing");
            subscriptions.add(other, "other");
            subscriptions.tellSettled(first);
            subscriptions.tellChanging();
            runCalls();
            subscriptions.tellSettled(second);
            runCalls();
            subscriptions.tellChanging();
            runCalls();
            subscriptions.tellSettled(third);
            runCalls();

            assertThat(heard).containsExactly(Type.TOPOLOGY_INIT, Type.TOPOLOGY_CHANGING, Type.TOPOLOGY_CHANGED);
            assertThat(other.types()).isEqualTo(heard);
        }
    }
}
