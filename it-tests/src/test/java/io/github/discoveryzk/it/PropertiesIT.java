// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.it;

import static io.github.discoveryzk.it.outside.Limit.untilAsserted;
import static org.apache.sling.discovery.TopologyEvent.Type.PROPERTIES_CHANGED;
import static org.apache.sling.discovery.TopologyEvent.Type.TOPOLOGY_INIT;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.discoveryzk.it.cluster.PlainInstance;
import io.github.discoveryzk.leader.ViewNumber;
import java.util.Hashtable;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;
import org.apache.sling.discovery.InstanceDescription;
import org.apache.sling.discovery.PropertyProvider;
import org.apache.sling.discovery.TopologyView;
import org.junit.After;
import org.junit.Before;
import org.junit.Test;
import org.osgi.framework.Constants;
import org.osgi.framework.ServiceRegistration;

/** Property providers as OSGi services; no change of a property ever makes the topology change. */
public class PropertiesIT extends ContainerTest {

    private static final String NAMES = PropertyProvider.PROPERTY_PROPERTIES;

    private final Recorder recorder = new Recorder();
    private PlainInstance peer;

    @Before
    public void settle() {
        container().untilCurrent();
        peer = join("peer");
        untilAsserted(() -> assertThat(container().members()).containsExactly(ID, "peer"));
        container().register(recorder);
        recorder.awaitEvents(TOPOLOGY_INIT);
    }

    @After
    public void checkAndLeave() {
        try {
            checkEvents();
        } finally {
            // Before the peer leaves: otherwise its leaving is an event of the next test.
            takeBack();
            peer.close();
        }
        untilAsserted(() -> assertThat(container().members()).containsExactly(ID));
        untilAsserted(() -> assertThat(properties()).isEmpty());
    }

    /** Checks that both instances show the same, and that all events were PROPERTIES_CHANGED, each with a difference. */
    private void checkEvents() {
        untilAsserted(() ->
                assertThat(peer.properties(ID)).isEqualTo(container().self().getProperties()));
        assertThat(recorder.types().get(0)).isEqualTo(TOPOLOGY_INIT);
        assertThat(recorder.types().stream().skip(1)).containsOnly(PROPERTIES_CHANGED);
        recorder.assertGrammar();
        assertThat(recorder.events().stream().skip(1))
                .allSatisfy(event -> assertThat(all(event.getNewView())).isNotEqualTo(all(event.getOldView())));
        assertThat(peer.types()).doesNotContain("TOPOLOGY_CHANGING");
    }

    private static List<Map<String, String>> all(TopologyView view) {
        return view.getLocalInstance().getClusterView().getInstances().stream()
                .map(InstanceDescription::getProperties)
                .toList();
    }

    private Map<String, String> properties() {
        return Container.offered(container().self());
    }

    private void untilProperties(Map<String, String> expected) {
        untilAsserted(() -> assertThat(properties()).isEqualTo(expected));
        untilAsserted(() -> {
            assertThat(recorder.last().getNewView().isCurrent()).isTrue();
            assertThat(Container.offered(recorder.last().getNewView().getLocalInstance()))
                    .isEqualTo(expected);
        });
    }

    private static PropertyProvider of(UnaryOperator<String> answer) {
        return answer::apply;
    }

    private static Map<String, Object> ranked(Object names, Object ranking) {
        return Map.of(NAMES, names, Constants.SERVICE_RANKING, ranking);
    }

    private void change(ServiceRegistration<?> registration, Map<String, Object> properties) {
        registration.setProperties(new Hashtable<>(properties));
    }

    @Test
    public void theRankingAndTheNamesOfARegistrationCount() {
        container().register(PropertyProvider.class, of(name -> "low"), ranked("shared", 1));
        ServiceRegistration<?> high =
                container().register(PropertyProvider.class, of(name -> "high"), ranked("shared", 2));
        untilProperties(Map.of("shared", "high"));
        change(high, ranked(List.of("shared", "other"), 0));
        untilProperties(Map.of("shared", "low", "other", "high"));
        container().unregister(high);
        untilProperties(Map.of("shared", "low"));
        container().register(of(name -> "never"), 42);
        untilAsserted(() -> assertThat(container().report().problems())
                .anyMatch(each -> each.contains(NAMES) && each.contains("java.lang.Integer")));
    }

    @Test
    public void valuesThatChangeWithoutAnUpdateAreSeen() {
        Map<String, String> values = new ConcurrentHashMap<>(Map.of("a", "1"));
        container().register(of(values::get), "a");
        untilProperties(values);
        TopologyView before = container().topology();
        container().configure("io.github.discoveryzk.base", Map.of("propertyRefreshSeconds", "1"));
        try {
            values.put("a", "2");
            untilProperties(values);
            assertThat(ViewNumber.of(container().topology()))
                    .as("the instance has not left because of its configuration")
                    .isEqualTo(ViewNumber.of(before));
            container().configure("io.github.discoveryzk.base", Map.of("propertyRefreshSeconds", "often"));
            untilAsserted(() -> assertThat(container().report().problems())
                    .anyMatch(each -> each.contains("propertyRefreshSeconds") && each.contains("often")));
        } finally {
            container().configure("io.github.discoveryzk.base", Map.of("propertyRefreshSeconds", "0"));
        }
        untilAsserted(() -> assertThat(container().report().problems()).isEmpty());
    }

    @Test
    public void valuesOfOthersAreSeen() {
        peer.offer("theirs", "Grüße \u0000 <b>");
        untilAsserted(() -> assertThat(recorder.types()).containsExactly(TOPOLOGY_INIT, PROPERTIES_CHANGED));
        assertThat(recorder.last().getNewView().findInstances(each -> !each.isLocal()))
                .singleElement()
                .satisfies(each -> assertThat(each.getProperty("theirs")).isEqualTo("Grüße \u0000 <b>"));
        container().register(of(name -> "mine"), "mine");
        untilProperties(Map.of("mine", "mine"));
    }
}
