// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.it;

import static io.github.discoveryzk.it.outside.Limit.untilAsserted;
import static org.apache.felix.hc.api.Result.Status.CRITICAL;
import static org.apache.felix.hc.api.Result.Status.OK;
import static org.apache.felix.hc.api.Result.Status.TEMPORARILY_UNAVAILABLE;
import static org.apache.felix.hc.api.Result.Status.WARN;
import static org.assertj.core.api.Assertions.as;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;
import static org.ops4j.pax.exam.CoreOptions.options;

import io.github.discoveryzk.it.cluster.PlainInstance;
import io.github.discoveryzk.it.containers.Document;
import io.github.discoveryzk.it.outside.Interruption;
import io.github.discoveryzk.report.Health;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.regex.Pattern;
import org.apache.felix.hc.api.HealthCheck;
import org.apache.felix.hc.api.Result;
import org.apache.sling.discovery.DiscoveryService;
import org.apache.sling.discovery.TopologyEvent;
import org.junit.After;
import org.junit.Before;
import org.junit.Test;
import org.ops4j.pax.exam.Option;
import org.osgi.framework.ServiceReference;
import org.osgi.framework.ServiceRegistration;

/** Each health check turns red, or yellow, by what it is about, and green again. */
public class HealthChecksIT extends ContainerTest {

    private static final String ALL = "(&(objectClass=org.apache.felix.hc.api.HealthCheck)(hc.tags=discovery))";
    private static final List<String> CONCERNS = List.of(
            "access",
            "connected",
            "identity",
            "lease",
            "listeners",
            "payload",
            "ready",
            "second-service",
            "servers",
            "settled");

    private final CountDownLatch release = new CountDownLatch(1);

    @Override
    protected Map<String, String> settings() {
        Map<String, String> settings = new HashMap<>(super.settings());
        settings.put("connectString", Interruption.address());
        settings.put("sessionTimeoutMillis", "4000");
        return settings;
    }

    @Override
    protected Option[] more() {
        return options(Setup.bundles("org.apache.felix.healthcheck.api", "jcr"));
    }

    @Before
    public void settle() {
        container().configure(Container.INSTANCE_PID, Map.of("settleTimeoutMillis", "4000"));
        untilAsserted(() -> assertThat(states())
                .containsOnlyKeys(CONCERNS)
                .allSatisfy((name, state) -> assertThat(state).as(name).isEqualTo(OK)));
    }

    @After
    public void goOn() throws Exception {
        release.countDown();
        Interruption.restore();
    }

    private Result.Status state(String concern) {
        return states().get(concern);
    }

    /** Returns the states by the concerns of the checks. */
    private Map<String, Result.Status> states() {
        Map<String, Result.Status> states = new TreeMap<>();
        for (ServiceReference<HealthCheck> each : container().all(HealthCheck.class)) {
            String name = (String) each.getProperty(HealthCheck.NAME);
            // A change of the configuration may have ended it since it was found.
            HealthCheck check = container().service(each);
            if (check != null && !List.of("Discovery", "discovery-stop").contains(name)) {
                states.put(name.replaceFirst("^discovery-", ""), check.execute().getStatus());
            }
        }
        return states;
    }

    private void until(String concern, Result.Status status) {
        untilAsserted(() -> assertThat(state(concern))
                .as(() -> concern + ": " + container().report().sentence()
                        + container().report().problems()
                        + container().self().getProperties().keySet())
                .isEqualTo(status));
    }

    @Test
    public void onlyTheStartDecidesOnReadinessAndNoneOnRestarts() {
        assertThat(container().count(ALL)).isEqualTo(CONCERNS.size() + 1);
        List<String> tags = Pattern.compile("tags=(\\w+)")
                .matcher(Document.block("docs/operations.md", "readinessProbe"))
                .results()
                .map(each -> each.group(1))
                .toList();
        assertThat(tags).hasSize(2);
        assertThat(container().all(HealthCheck.class))
                .filteredOn(each ->
                        List.of((String[]) each.getProperty(HealthCheck.TAGS)).contains(tags.get(0)))
                .extracting(each -> each.getProperty(HealthCheck.NAME))
                .containsExactly("discovery-ready");
        assertThat(container().finds("(hc.tags=" + tags.get(1) + ")")).isFalse();
    }

    @Test
    public void anInterruptionEndsTheLeaseAndNotTheReadiness() {
        Interruption.cut();
        untilAsserted(() -> {
            Map<String, Result.Status> states = states();
            assertThat(states.get("connected")).isEqualTo(WARN);
            assertThat(states.get("lease")).isEqualTo(CRITICAL);
            assertThat(states.get("settled")).isEqualTo(CRITICAL);
            assertThat(states.get("ready")).isEqualTo(OK);
        });
        Interruption.restore();
    }

    @Test
    public void aServiceThatStartsDuringAnInterruptionStaysReady() throws Exception {
        Interruption.cut();
        container().configure(elsewhere());
        until("settled", TEMPORARILY_UNAVAILABLE);
        assertThat(state("ready")).isEqualTo(OK);
        container().bundle("io.github.discoveryzk.base").stop();
        container().bundle("io.github.discoveryzk.base").start();
        until("settled", TEMPORARILY_UNAVAILABLE);
        assertThat(state("ready")).isEqualTo(OK);
        Interruption.restore();
        until("connected", OK);
        container().configure(settings());
    }

    /** The address is another one, so that there is another instance. */
    private Map<String, Object> elsewhere() {
        return Container.with(settings(), "connectString", Interruption.address() + "," + Interruption.address());
    }

    @Test
    public void aListenerThatHangs() {
        container().register(new Recorder(release, TopologyEvent.Type.values()));
        until("listeners", CRITICAL);
        release.countDown();
    }

    @Test
    public void anotherInstanceHasTheId() throws Exception {
        container().bundle("io.github.discoveryzk.base").stop();
        try (PlainInstance same = join(ID)) {
            assertThat(same.isCurrent()).isTrue();
            container().bundle("io.github.discoveryzk.base").start();
            untilAsserted(() -> assertThat(states())
                    .containsEntry("identity", CRITICAL)
                    .containsEntry("settled", CRITICAL)
                    .containsEntry("connected", OK));
        }
    }

    @Test
    public void aPropertyThatIsTooLarge() {
        StringBuilder large = new StringBuilder();
        new Random(1).ints(3_000_000, ' ', '~').forEach(each -> large.append((char) each));
        ServiceRegistration<?> provider = container().register(name -> large.toString(), "large");
        until("payload", WARN);
        assertThat(states()).containsEntry("settled", OK).containsEntry("access", OK);
        container().unregister(provider);
    }

    @Test
    public void aNodeThatMayNotBeWritten() throws Exception {
        Interruption.permit(cluster(), "lease", false);
        try {
            until("access", WARN);
            assertThat(state("payload")).isEqualTo(OK);
        } finally {
            Interruption.permit(cluster(), "lease", true);
        }
    }

    @Test
    public void aSecondDiscoveryService() throws Exception {
        ServiceRegistration<?> second =
                container().register("io.github.discoveryzk.api", DiscoveryService.class.getName(), null, Map.of());
        until("second-service", CRITICAL);
        container().unregister(second);
    }

    @Test
    public void membersWithARepositoryEach() throws Exception {
        container().register("javax.jcr", "javax.jcr.Repository", "mine", Map.of());
        try (PlainInstance other = join("other")) {
            other.offer("oak.clusterid", "theirs");
            untilAsserted(() -> assertThat(Health.of(container().report()).findings())
                    .anyMatch(each -> each.status() == Health.Severity.WARN
                            && each.sentence().contains("oak.clusterid is mine here, theirs on other;")
                            && each.sentence().contains("clusterName")));
            untilAsserted(() -> assertThat(container().log())
                    .filteredOn(line -> line.contains("oak.clusterid is mine here, theirs on other;"))
                    .singleElement(as(STRING))
                    .startsWith("WARN"));
        }
        untilAsserted(() -> assertThat(container().report().problems()).isEmpty());
    }
}
