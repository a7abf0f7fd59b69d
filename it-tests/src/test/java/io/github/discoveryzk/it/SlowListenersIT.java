// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.it;

import static io.github.discoveryzk.it.outside.Limit.untilAsserted;
import static org.apache.sling.discovery.TopologyEvent.Type.TOPOLOGY_CHANGED;
import static org.apache.sling.discovery.TopologyEvent.Type.TOPOLOGY_CHANGING;
import static org.apache.sling.discovery.TopologyEvent.Type.TOPOLOGY_INIT;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.discoveryzk.it.cluster.PlainInstance;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.apache.sling.discovery.TopologyEvent.Type;
import org.junit.After;
import org.junit.Before;
import org.junit.Test;

/** A listener that does not return, next to normal ones. It represents one that takes a minute; no time is asserted. */
public class SlowListenersIT extends ContainerTest {

    /** How long a change waits for a member that does not acknowledge; the shortest possible time. */
    private static final int SHORT_MILLIS = 4_000;

    private final Recorder first = new Recorder();
    private final Recorder last = new Recorder();
    private final CountDownLatch release = new CountDownLatch(1);

    @Override
    protected Map<String, String> settings() {
        Map<String, String> settings = new HashMap<>(super.settings());
        settings.put("sessionTimeoutMillis", String.valueOf(SHORT_MILLIS));
        return settings;
    }

    @Before
    public void settle() {
        container().configure(Container.INSTANCE_PID, Map.of("settleTimeoutMillis", SHORT_MILLIS));
        container().untilCurrent();
        untilAsserted(() -> assertThat(container().members()).containsExactly(ID));
    }

    @After
    public void checkGrammar() {
        release.countDown();
        first.assertGrammar();
        last.assertGrammar();
    }

    /** Registers a listener between two others, so that its effect on them does not depend on the order. */
    private void registerBetween(Recorder middle) {
        container().register(first);
        container().register(middle);
        container().register(last);
        first.awaitEvents(TOPOLOGY_INIT);
        last.awaitEvents(TOPOLOGY_INIT);
    }

    private void awaitEventsOfOthers(Type... types) {
        first.awaitEvents(types);
        last.awaitEvents(types);
    }

    @Test
    public void aListenerBlockedInChangingLeavesItsInstanceOut() {
        Blocking blocked = new Blocking(release);
        registerBetween(blocked);
        try (PlainInstance peer = PlainInstance.join(cluster(), "peer", SHORT_MILLIS, SHORT_MILLIS)) {
            // The peer is in a view: the wait for the blocked one is bounded. The other listeners know that no view is
            // current.
            awaitEventsOfOthers(TOPOLOGY_INIT, TOPOLOGY_CHANGING);
            assertThat(peer.members()).containsExactly("peer");
            assertThat(peer.cause()).contains(ID, Blocking.class.getName(), ownBundle());
            assertThat(container().topology().isCurrent()).isFalse();
            assertThat(container().report().sentence()).contains(Blocking.class.getName(), ownBundle());

            release.countDown();
            awaitEventsOfOthers(TOPOLOGY_INIT, TOPOLOGY_CHANGING, TOPOLOGY_CHANGED);
            blocked.awaitEvents(TOPOLOGY_INIT, TOPOLOGY_CHANGING, TOPOLOGY_CHANGED);
            untilAsserted(() -> assertThat(peer.members()).containsExactly("peer", ID));
        }
    }

    /** Does not return from CHANGING until it is released. */
    private static final class Blocking extends Recorder {
        Blocking(CountDownLatch release) {
            super(release, TOPOLOGY_CHANGING);
        }
    }
}
