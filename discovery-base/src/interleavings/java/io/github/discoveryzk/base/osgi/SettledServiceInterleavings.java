// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.base.osgi;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.discoveryzk.base.Crew;
import io.github.discoveryzk.base.protocol.SampleViews;
import io.github.discoveryzk.base.view.ImmutableTopologyView;
import io.github.discoveryzk.base.view.Lease;
import io.github.discoveryzk.base.view.RemoteClusters;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.sling.discovery.TopologyEvent;
import org.apache.sling.discovery.TopologyEvent.Type;
import org.apache.sling.discovery.TopologyView;
import org.junit.jupiter.api.extension.ExtendWith;
import org.pastalab.fray.junit.junit5.FrayTestExtension;
import org.pastalab.fray.junit.junit5.annotations.FrayTest;

/** The bundle is deactivated, by one thread, while another calls the listener that registers a service. */
@ExtendWith(FrayTestExtension.class)
class SettledServiceInterleavings {

    private static final TopologyView VIEW = ImmutableTopologyView.of(
            SampleViews.held("m-a", "the-cluster", 50, List.of(SampleViews.member("a", 1, Map.of()))),
            RemoteClusters.NONE,
            new Lease(() -> 0, 100));

    @FrayTest(iterations = 2_000, resetClassLoaderPerIteration = false)
    void nothingIsRegisteredAfterTheClose() {
        Crew crew = new Crew();
        ServiceRegistry registry = new ServiceRegistry();
        SettledService service = new SettledService(
                registry.context(), "label", view -> Optional.of(new SettledService.Offer("type", "service", Map.of())));
        crew.execute(() -> {
            service.handleTopologyEvent(new TopologyEvent(Type.TOPOLOGY_INIT, null, VIEW));
            service.handleTopologyEvent(new TopologyEvent(Type.TOPOLOGY_CHANGING, VIEW, null));
            service.handleTopologyEvent(new TopologyEvent(Type.TOPOLOGY_CHANGED, VIEW, VIEW));
        });
        crew.execute(service::close);
        crew.join();
        assertThat(registry.registered()).isEmpty();
        assertThat(service.name()).isEqualTo("label");
    }
}
