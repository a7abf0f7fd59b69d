// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.it.containers;

import static org.apache.sling.discovery.it.outside.Limit.untilAsserted;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.sling.discovery.it.connectors.Mode;
import org.apache.sling.discovery.it.connectors.SlingCluster;
import org.apache.sling.discovery.it.connectors.SlingInstance;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The bundles in a container of each line, connected with Sling. The configuration has the names that Sling's has. */
@ParameterizedClass
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@MethodSource("org.apache.sling.discovery.it.containers.ConsoleLine#tested")
class SlingConnectorIT {

    private static final String CONNECTORS = "org.apache.sling.discovery.base.connectors";
    private static final String PATH = "/libs/sling/topology/connector";

    @Parameter
    private ConsoleLine line;

    private EmbeddedContainer container;

    @BeforeParameterizedClassInvocation
    void start() throws Exception {
        container = EmbeddedContainer.start("sling-" + line.name());
        container.install(line.http());
        container.requireActive();
    }

    @AfterParameterizedClassInvocation
    void stop() {
        container.close();
    }

    @AfterEach
    void noErrors() throws Exception {
        container.deleteConfiguration(CONNECTORS);
        untilAsserted(() -> assertThat(container.topology()).containsExactly(container.id()));
        assertThat(container.errors()).isEmpty();
    }

    /** The forms of messages do not depend on the container: {@code SlingAsClientIT} and {@code SlingAsServerIT} have all. */
    static Stream<Mode> modes() {
        return Boolean.getBoolean("discovery.thorough")
                ? Stream.of(Mode.values())
                : Stream.of(Mode.ENCRYPTED_AND_COMPRESSED);
    }

    @ParameterizedTest
    @MethodSource("modes")
    void slingConnectsToTheContainer(Mode mode) throws Exception {
        try (SlingCluster cluster = SlingCluster.start("sling", mode.ofSling())) {
            SlingInstance sling = cluster.join("s1");
            container.configure(CONNECTORS, mode.ofSling());
            sling.connect(container.address(PATH).toString());
            untilAsserted(() -> {
                sling.ping();
                assertThat(sling.knownIds()).containsExactly(container.id());
            });
            untilAsserted(() -> assertThat(container.topology()).containsExactlyInAnyOrder(container.id(), "s1"));
            assertThat(sling.connector().connected()).isTrue();
            sling.leave();
            untilAsserted(() -> assertThat(container.topology()).containsExactly(container.id()));
        }
    }

    @ParameterizedTest
    @MethodSource("modes")
    void theContainerConnectsToSling(Mode mode) throws Exception {
        try (SlingCluster cluster = SlingCluster.start("sling", mode.ofSling())) {
            SlingInstance sling = cluster.join("s1");
            Map<String, Object> configuration = new HashMap<>(mode.ofSling());
            configuration.put("topologyConnectorUrls", new String[] {sling.url()});
            container.configure(CONNECTORS, configuration);
            untilAsserted(() -> assertThat(container.topology()).containsExactlyInAnyOrder(container.id(), "s1"));
            untilAsserted(() -> assertThat(sling.knownIds()).containsExactly(container.id()));
            container.deleteConfiguration(CONNECTORS);
            untilAsserted(() -> assertThat(sling.knownIds()).isEmpty());
        }
    }
}
