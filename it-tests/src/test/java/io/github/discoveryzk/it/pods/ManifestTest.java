// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.it.pods;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.discoveryzk.it.containers.Document;
import java.lang.reflect.Field;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What the manifest of {@code docs/kubernetes.md} has in common with the product and with other documents. */
class ManifestTest {

    @Test
    void theServersFindOneAnotherBeforeTheyAreReady() {
        assertThat(Manifest.of("Service", "spec/publishNotReadyAddresses")).isEqualTo(true);
        assertThat(Manifest.of("Service", "spec/clusterIP")).isEqualTo("None");
        Map<?, ?> ports = ((List<?>) Manifest.of("Service", "spec/ports"))
                .stream()
                        .map(Map.class::cast)
                        .collect(Collectors.toMap(each -> each.get("name"), each -> each.get("port")));
        // As docs/servers.md says: + 707 and + 1707.
        assertThat(ports).isEqualTo(Map.of("http", 8080, "client", 2181, "quorum", 2888, "election", 3888));
        Object pod = Manifest.of("StatefulSet", "metadata/name");
        Object service = Manifest.of("StatefulSet", "spec/serviceName");
        assertThat(service).isEqualTo(Manifest.of("Service", "metadata/name"));
        assertThat(Manifest.servers())
                .isEqualTo(IntStream.range(0, (Integer) Manifest.of("StatefulSet", "spec/replicas"))
                        .mapToObj(each -> pod + "-" + each + "." + service + ":2181")
                        .collect(Collectors.joining(",")));
    }

    @Test
    void allPartsMeanTheSamePods() {
        Object label = Manifest.of("StatefulSet", "spec/template/metadata/labels");
        assertThat(Manifest.of("Service", "spec/selector")).isEqualTo(label);
        assertThat(Manifest.of("PodDisruptionBudget", "spec/selector/matchLabels"))
                .isEqualTo(label);
        assertThat(Manifest.of("StatefulSet", "spec/selector/matchLabels")).isEqualTo(label);
        assertThat(Manifest.of("PodDisruptionBudget", "spec/maxUnavailable")).isEqualTo(1);
        assertThat(Manifest.of("StatefulSet", "spec/podManagementPolicy")).isEqualTo("Parallel");
    }

    @Test
    void theProbesAreThoseOfOperations() {
        String probes = Document.block("docs/operations.md", "readinessProbe");
        for (String probe : List.of("readinessProbe", "livenessProbe")) {
            assertThat(probes)
                    .contains(probe + ":\n  httpGet: { path: \"" + Manifest.container(probe + "/httpGet/path")
                            + "\", port: " + Manifest.container(probe + "/httpGet/port") + " }");
        }
        assertThat(Manifest.container("startupProbe/httpGet")).isEqualTo(Manifest.container("readinessProbe/httpGet"));
    }

    /** The sum of the limits of all that is stopped one after the other. */
    @Test
    void aStopIsOverBeforeTheGracePeriodEnds() throws Exception {
        long millis = limit("work.osgi.WorkComponent", "END_LIMIT_MILLIS")
                + limit("base.DiscoveryInstance", "CLOSE_LIMIT_MILLIS")
                + limit("zk.ZooKeeperStore", "CLOSE_MILLIS")
                + limit("zk.server.ensemble.OwnServer", "STOP_MILLIS");
        assertThat(Manifest.gracePeriod() * 1_000L).isGreaterThan(millis);
        assertThat(millis).as("what docs/kubernetes.md says").isEqualTo(20_000);
    }

    private static long limit(String type, String constant) throws Exception {
        Field field = Class.forName("io.github.discoveryzk." + type).getDeclaredField(constant);
        field.setAccessible(true);
        return field.getLong(null);
    }

    @Test
    void theServerKeepsItsDataInTheVolume() {
        assertThat(Document.block("docs/kubernetes.md", "servers ="))
                .contains("folder = \"" + Manifest.container("volumeMounts/0/mountPath") + "/");
        assertThat(Manifest.of("StatefulSet", "spec/volumeClaimTemplates/0/metadata/name"))
                .isEqualTo(Manifest.container("volumeMounts/0/name"));
    }
}
