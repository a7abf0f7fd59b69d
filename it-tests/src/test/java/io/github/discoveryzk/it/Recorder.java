// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.it;

import static io.github.discoveryzk.it.outside.Limit.untilAsserted;
import static org.apache.sling.discovery.TopologyEvent.Type.PROPERTIES_CHANGED;
import static org.apache.sling.discovery.TopologyEvent.Type.TOPOLOGY_CHANGED;
import static org.apache.sling.discovery.TopologyEvent.Type.TOPOLOGY_CHANGING;
import static org.apache.sling.discovery.TopologyEvent.Type.TOPOLOGY_INIT;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.sling.discovery.TopologyEvent;
import org.apache.sling.discovery.TopologyEvent.Type;
import org.apache.sling.discovery.TopologyEventListener;
import org.apache.sling.discovery.TopologyView;

/** A listener that records its events, and whether it was ever called during another call. */
class Recorder implements TopologyEventListener {

    private static final Map<Type, Set<Type>> NEXT = Map.of(
            TOPOLOGY_INIT, Set.of(TOPOLOGY_CHANGING, PROPERTIES_CHANGED),
            PROPERTIES_CHANGED, Set.of(TOPOLOGY_CHANGING, PROPERTIES_CHANGED),
            TOPOLOGY_CHANGING, Set.of(TOPOLOGY_CHANGED),
            TOPOLOGY_CHANGED, Set.of(TOPOLOGY_CHANGING, PROPERTIES_CHANGED));

    private final List<TopologyEvent> events = new CopyOnWriteArrayList<>();
    private final AtomicInteger calls = new AtomicInteger();
    private final CountDownLatch release;
    private final Set<Type> blocking;
    private volatile boolean overlapped;

    Recorder() {
        this(new CountDownLatch(0));
    }

    /** Makes one that does not return from events of these types until it is released. */
    Recorder(CountDownLatch release, Type... blocking) {
        this.release = release;
        this.blocking = Set.of(blocking);
    }

    @Override
    public final void handleTopologyEvent(TopologyEvent event) {
        overlapped |= calls.incrementAndGet() > 1;
        events.add(event);
        try {
            if (blocking.contains(event.getType())) {
                release.await();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            calls.decrementAndGet();
        }
    }

    List<TopologyEvent> events() {
        return List.copyOf(events);
    }

    List<Type> types() {
        return events.stream().map(TopologyEvent::getType).toList();
    }

    /** Returns the events, with the properties of all instances. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        for (TopologyEvent event : events) {
            text.append("\n  ").append(event.getType());
            if (event.getNewView() != null) {
                event.getNewView().getInstances().forEach(each -> text.append(' ')
                        .append(each.getSlingId())
                        .append(each.getProperties()));
            }
        }
        return text.toString();
    }

    TopologyEvent last() {
        return events.get(events.size() - 1);
    }

    /** Waits until it has received exactly these events, and checks that they are well-formed. */
    void awaitEvents(Type... types) {
        untilAsserted(() -> assertThat(types()).as(this::toString).containsExactly(types));
        assertGrammar();
    }

    private boolean showsWhatHolds(TopologyView view) {
        TopologyView latest = last().getNewView();
        return latest != null && latest.getInstances().equals(view.getInstances());
    }

    /**
     * Checks that each event may follow the previous one, that its old view is the new view of the previous one, and that no
     * two overlap.
     */
    void assertGrammar() {
        assertThat(overlapped).as("called while busy").isFalse();
        Set<Type> allowed = Set.of(TOPOLOGY_INIT);
        TopologyView known = null;
        for (TopologyEvent event : events) {
            assertThat(allowed).as("in %s", types()).contains(event.getType());
            assertThat(event.getOldView()).isSameAs(known);
            assertThat(known == null || !known.isCurrent() || showsWhatHolds(known))
                    .as("the old view is not current, unless properties are again what they were")
                    .isTrue();
            allowed = NEXT.get(event.getType());
            known = event.getNewView() == null ? known : event.getNewView();
        }
    }
}
