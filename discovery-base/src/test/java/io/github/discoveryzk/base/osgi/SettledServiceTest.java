// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.base.osgi;

import static org.apache.sling.discovery.TopologyEvent.Type.PROPERTIES_CHANGED;
import static org.apache.sling.discovery.TopologyEvent.Type.TOPOLOGY_CHANGED;
import static org.apache.sling.discovery.TopologyEvent.Type.TOPOLOGY_CHANGING;
import static org.apache.sling.discovery.TopologyEvent.Type.TOPOLOGY_INIT;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.discoveryzk.base.protocol.SampleViews;
import io.github.discoveryzk.base.view.ImmutableTopologyView;
import io.github.discoveryzk.base.view.Lease;
import io.github.discoveryzk.base.view.RemoteClusters;
import io.github.discoveryzk.leader.LeaderLease;
import io.github.discoveryzk.model.Member;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.sling.discovery.TopologyEvent;
import org.apache.sling.discovery.TopologyEvent.Type;
import org.apache.sling.discovery.TopologyView;
import org.junit.jupiter.api.Test;

class SettledServiceTest {

    private static final String LEASE = LeaderLease.class.getName();
    private static final String CONDITION = "org.osgi.service.condition.Condition";

    private final AtomicLong clock = new AtomicLong();
    private final ServiceRegistry registry = new ServiceRegistry();
    private final List<Member> members =
            List.of(SampleViews.member("a", 1, Map.of()), SampleViews.member("b", 2, Map.of()));
    private final TopologyView leading = view("m-a");
    private final TopologyView following = view("m-b");

    private TopologyView view(String self) {
        return ImmutableTopologyView.of(
                SampleViews.held(self, "the-cluster", 50, members), RemoteClusters.NONE, new Lease(clock::get, 100));
    }

    private static void emit(List<SettledService> services, Type type, TopologyView before, TopologyView now) {
        services.forEach(each -> each.handleTopologyEvent(new TopologyEvent(type, before, now)));
    }

    private List<SettledService> notified(TopologyView init) {
        List<SettledService> services = SettledService.all(registry.context());
        emit(services, TOPOLOGY_INIT, null, init);
        return services;
    }

    @Test
    void theLeaderOffersItsLeaseAndTheCondition() {
        notified(leading);
        assertThat(registry.registered()).containsOnlyKeys(LEASE, CONDITION);
        assertThat(registry.registered().get(LEASE).get("token")).isEqualTo(42L);
        assertThat(registry.registered().get(LEASE).get("view")).isEqualTo(50L);
        assertThat(registry.registered().get(CONDITION).get("osgi.condition.id"))
                .isEqualTo("discovery.settled");
    }

    @Test
    void bothAreUnregisteredOnChangingAndAFollowerOffersTheConditionOnly() {
        List<SettledService> services = notified(leading);
        emit(services, TOPOLOGY_CHANGING, leading, null);
        assertThat(registry.registered()).isEmpty();
        emit(services, TOPOLOGY_CHANGED, leading, following);
        assertThat(registry.registered()).containsOnlyKeys(CONDITION);
    }

    @Test
    void aChangeOfPropertiesIsNone() {
        List<SettledService> services = notified(leading);
        registry.whileRegistering(() -> {
            throw new AssertionError("registered again");
        });
        emit(services, PROPERTIES_CHANGED, leading, leading);
        assertThat(registry.registered()).containsOnlyKeys(LEASE, CONDITION);
    }

    @Test
    void aLeaseThatIsOverIsNotOffered() {
        clock.set(100);
        notified(leading);
        assertThat(registry.registered()).doesNotContainKey(LEASE);
    }

    @Test
    void nothingStaysWhenItIsClosed() {
        List<SettledService> services = notified(leading);
        services.forEach(SettledService::close);
        assertThat(registry.registered()).isEmpty();
        services.forEach(SettledService::close);
    }

    @Test
    void nothingStaysWhenItIsClosedWhileItRegisters() {
        List<SettledService> services = SettledService.all(registry.context());
        registry.whileRegistering(() -> services.forEach(SettledService::close));
        emit(services, TOPOLOGY_INIT, null, leading);
        assertThat(registry.registered()).isEmpty();
    }

    @Test
    void theFrameworkMayHaveUnregisteredThem() {
        List<SettledService> services = notified(leading);
        registry.stop();
        services.forEach(SettledService::close);
        assertThat(registry.registered()).isEmpty();
    }

    @Test
    void aFrameworkWithoutConditionsGetsNone() {
        registry.lacks(CONDITION);
        notified(leading);
        assertThat(registry.registered()).containsOnlyKeys(LEASE);
    }

    @Test
    void theNameListsTheUsers() {
        SettledService service = new SettledService(
                registry.context(), "marker", view -> Optional.of(new SettledService.Offer(LEASE, "", Map.of())));
        assertThat(service.name()).isEqualTo("marker");
        service.handleTopologyEvent(new TopologyEvent(TOPOLOGY_INIT, null, leading));
        assertThat(service.name()).isEqualTo("marker (in use by bundle " + ServiceRegistry.USER + ")");
        service.handleTopologyEvent(new TopologyEvent(TOPOLOGY_CHANGING, leading, null));
        assertThat(service.name()).isEqualTo("marker");
    }
}
