// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.base.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.discoveryzk.base.Crew;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.apache.sling.discovery.TopologyEvent;
import org.apache.sling.discovery.TopologyEventListener;
import org.apache.sling.discovery.TopologyView;
import org.junit.jupiter.api.extension.ExtendWith;
import org.pastalab.fray.junit.junit5.FrayTestExtension;
import org.pastalab.fray.junit.junit5.annotations.FrayTest;

/** Listeners are added, called and removed while the engine reports changes, in many orders of these steps. */
@ExtendWith(FrayTestExtension.class)
class SubscriptionsInterleavings {

    /** A listener that records its events. A call that begins while another runs fails, and counts as running for ever. */
    private static final class Recorder implements TopologyEventListener {
        private final AtomicInteger running = new AtomicInteger();
        private final List<TopologyEvent> events = Collections.synchronizedList(new ArrayList<>());

        @Override
        public void handleTopologyEvent(TopologyEvent event) {
            assertThat(running.getAndIncrement()).isZero();
            events.add(event);
            running.decrementAndGet();
        }

        String types() {
            return events.stream()
                    .map(event -> event.getType().name().replace("TOPOLOGY_", ""))
                    .collect(Collectors.joining(" "));
        }

        TopologyView last() {
            return events.get(events.size() - 1).getNewView();
        }
    }

    private final Crew crew = new Crew();
    private final DispatchViews views = new DispatchViews();

    private Subscriptions subscriptions(RunningCalls calls) {
        return new Subscriptions(crew, () -> 0, () -> {}, calls);
    }

    @FrayTest(iterations = 2_000, resetClassLoaderPerIteration = false)
    void eachListenerEndsWithTheLastView() {
        Subscriptions subscriptions = subscriptions(new RunningCalls());
        Recorder early = new Recorder();
        Recorder late = new Recorder();
        subscriptions.add(early, "early");
        TopologyView first = views.settled("red");
        TopologyView last = views.settled("blue");
        crew.execute(() -> {
            subscriptions.notifySettled(first);
            subscriptions.notifyChanging();
            subscriptions.notifySettled(last);
        });
        crew.execute(() -> subscriptions.add(late, "late"));
        crew.join();
        for (Recorder each : List.of(early, late)) {
            assertThat(each.types()).matches("INIT( CHANGING CHANGED)?");
            assertThat(each.last()).isSameAs(last);
            assertThat(each.running).hasValue(0);
        }
    }

    @FrayTest(iterations = 2_000, resetClassLoaderPerIteration = false)
    void aListenerThatIsRemovedIsNotCalledAgainAndCanBeAddedElsewhere() {
        RunningCalls calls = new RunningCalls();
        Subscriptions ending = subscriptions(calls);
        Subscriptions next = subscriptions(calls);
        Recorder listener = new Recorder();
        TopologyView first = views.settled("red");
        TopologyView second = views.settled("blue");
        ending.add(listener, "listener");
        crew.execute(() -> {
            ending.notifySettled(first);
            ending.notifyChanging();
        });
        crew.execute(() -> {
            ending.remove(listener);
            assertThat(listener.running).hasValue(0);
            int before = listener.events.size();
            next.notifySettled(second);
            next.add(listener, "listener");
            assertThat(listener.events.stream().skip(before).map(TopologyEvent::getNewView))
                    .allMatch(second::equals);
        });
        crew.join();
        assertThat(listener.types()).matches("(INIT( CHANGING)? )?INIT");
        assertThat(listener.last()).isSameAs(second);
        assertThat(listener.running).hasValue(0);
        assertThat(ending.acting()).isEmpty();
    }
}
