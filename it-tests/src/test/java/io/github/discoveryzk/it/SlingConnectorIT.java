// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.it;

import static io.github.discoveryzk.it.outside.Limit.untilAsserted;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.discoveryzk.it.connectors.Mode;
import io.github.discoveryzk.it.connectors.SlingCluster;
import io.github.discoveryzk.it.connectors.SlingInstance;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.sling.discovery.InstanceDescription;
import org.junit.After;
import org.junit.Before;
import org.junit.Test;

/**
 * The bundles in a container, connected with Sling. The configuration has the names that Sling's has. The forms of messages do not depend
 * on the container: {@code SlingInteropIT} has all.
 */
public class SlingConnectorIT extends EndpointTest {

    private SlingCluster cluster;
    private SlingInstance sling;
    private Map<String, Object> configuration;

    @Before
    public void start() {
        configuration = Mode.ENCRYPTED_AND_COMPRESSED.ofSling();
        cluster = SlingCluster.start("sling", configuration);
        sling = cluster.join("s1");
        untilKnown();
    }

    @After
    public void noErrors() {
        container().delete(CONNECTORS);
        untilKnown();
        assertThat(container().errors()).isEmpty();
        cluster.close();
    }

    /** Waits until the container knows itself and these instances. */
    private void untilKnown(String... others) {
        untilAsserted(() -> assertThat(container().topology().getInstances())
                .extracting(InstanceDescription::getSlingId)
                .containsExactlyInAnyOrder(
                        Stream.concat(Stream.of(ID), Stream.of(others)).toArray(String[]::new)));
    }

    @Test
    public void slingConnectsToTheContainer() {
        container().configure(CONNECTORS, configuration);
        untilAsserted(() -> assertThat(isOn()).isTrue());
        sling.connect(container().address(SERVLET + "/connector").toString());
        untilAsserted(() -> {
            sling.pingByForce();
            assertThat(sling.knownIds()).containsExactly(ID);
        });
        untilKnown("s1");
        assertThat(sling.connector().connected()).isTrue();
        sling.leave();
        untilKnown();
    }

    @Test
    public void theContainerConnectsToSling() {
        configuration.put("topologyConnectorUrls", new String[] {sling.url()});
        container().configure(CONNECTORS, configuration);
        untilKnown("s1");
        untilAsserted(() -> assertThat(sling.knownIds()).containsExactly(ID));
        container().delete(CONNECTORS);
        untilAsserted(() -> assertThat(sling.knownIds()).isEmpty());
    }
}
