// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.it;

import static io.github.discoveryzk.it.outside.Limit.untilAsserted;
import static org.apache.sling.discovery.TopologyEvent.Type.TOPOLOGY_CHANGED;
import static org.apache.sling.discovery.TopologyEvent.Type.TOPOLOGY_CHANGING;
import static org.apache.sling.discovery.TopologyEvent.Type.TOPOLOGY_INIT;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.discoveryzk.it.cluster.PlainInstance;
import java.util.List;
import org.apache.sling.discovery.ClusterView;
import org.apache.sling.discovery.TopologyEvent;
import org.apache.sling.discovery.TopologyEventListener;
import org.apache.sling.discovery.commons.InstancesDiff;
import org.junit.After;
import org.junit.Before;
import org.junit.Test;
import org.osgi.framework.ServiceRegistration;

/** Listeners as OSGi services, while members join and leave the cluster. */
public class ServiceIT extends ContainerTest {

    private final Recorder recorder = new Recorder();

    @Before
    public void settle() {
        container().untilCurrent();
    }

    @After
    public void checkGrammar() {
        recorder.assertGrammar();
    }

    @Test
    public void aListenerReceivesJoinsAndLeaves() {
        container().register(recorder);
        recorder.awaitEvents(TOPOLOGY_INIT);
        try (PlainInstance peer = join("a-peer")) {
            recorder.awaitEvents(TOPOLOGY_INIT, TOPOLOGY_CHANGING, TOPOLOGY_CHANGED);
            assertThat(peer.members()).containsExactly(ID, "a-peer");
        }
        recorder.awaitEvents(TOPOLOGY_INIT, TOPOLOGY_CHANGING, TOPOLOGY_CHANGED, TOPOLOGY_CHANGING, TOPOLOGY_CHANGED);
        List<TopologyEvent> events = recorder.events();
        assertThat(added(events.get(2))).containsExactly("a-peer");
        assertThat(removed(events.get(2))).isEmpty();
        assertThat(added(events.get(4))).isEmpty();
        assertThat(removed(events.get(4))).containsExactly("a-peer");
        ClusterView both = events.get(2).getNewView().getLocalInstance().getClusterView();
        assertThat(both.getInstances()).extracting("slingId").containsExactly(ID, "a-peer");
        assertThat(both.getLeader().getSlingId()).isEqualTo(ID);
        assertThat(both.getId()).isEqualTo(container().self().getClusterView().getId());
        assertThat(container().topology()).isSameAs(events.get(4).getNewView());
    }

    @Test
    public void anUnregisteredListenerReceivesNoEventsAndInitWhenItIsRegisteredAgain() {
        Recorder other = new Recorder();
        ServiceRegistration<TopologyEventListener> registration = container().register(other);
        container().register(recorder);
        other.awaitEvents(TOPOLOGY_INIT);
        container().unregister(registration);
        try (PlainInstance peer = join("peer")) {
            recorder.awaitEvents(TOPOLOGY_INIT, TOPOLOGY_CHANGING, TOPOLOGY_CHANGED);
            untilAsserted(() -> assertThat(peer.types()).containsExactly("TOPOLOGY_INIT"));
            assertThat(other.types()).containsExactly(TOPOLOGY_INIT);
            container().register(other);
            untilAsserted(() -> assertThat(other.types()).containsExactly(TOPOLOGY_INIT, TOPOLOGY_INIT));
            assertThat(other.last().getNewView()).isSameAs(recorder.last().getNewView());
        }
    }

    private static List<String> added(TopologyEvent event) {
        return new InstancesDiff(event)
                .added().get().stream().map(each -> each.getSlingId()).toList();
    }

    private static List<String> removed(TopologyEvent event) {
        return new InstancesDiff(event)
                .removed().get().stream().map(each -> each.getSlingId()).toList();
    }
}
