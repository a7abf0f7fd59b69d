// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.it;

import static io.github.discoveryzk.it.outside.Limit.untilAsserted;
import static org.assertj.core.api.Assertions.assertThat;
import static org.ops4j.pax.exam.CoreOptions.options;

import java.util.List;
import org.apache.felix.hc.api.HealthCheck;
import org.apache.felix.hc.api.Result;
import org.junit.Before;
import org.junit.Test;
import org.ops4j.pax.exam.Option;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleException;

/** Sling's own discovery was left in the container. */
public class SecondDiscoveryServiceIT extends ContainerTest {

    private static final String STANDALONE = "org.apache.sling.discovery.standalone";
    private static final String SERVICE = "org.apache.sling.discovery.DiscoveryService";

    @Override
    protected Option[] more() {
        return options(Setup.bundles(
                "metrics-core", "org.apache.sling.settings", "org.apache.felix.healthcheck.api", STANDALONE));
    }

    @Before
    public void settle() {
        untilProblems(1);
    }

    private Bundle standalone() {
        return container().bundle(STANDALONE);
    }

    private void untilProblems(int count) {
        untilAsserted(() -> assertThat(container().offers("io.github.discoveryzk.report.Reporter"))
                .isTrue());
        untilAsserted(() -> {
            List<String> problems = container().report().problems();
            assertThat(problems.stream().filter(each -> each.contains("a second discovery service")))
                    .hasSize(count)
                    .allSatisfy(each -> assertThat(each)
                            .startsWith("bundle " + STANDALONE + " 1.0.2 (")
                            .contains("uninstall or stop that bundle")
                            .contains("start with discovery-starter.json from now on"));
        });
    }

    private Result.Status health() {
        return container().ask(HealthCheck.class, HealthCheck::execute).getStatus();
    }

    @Test
    public void itIsAProblemUntilItGoesWhicheverCameFirst() throws BundleException {
        assertThat(container().finds("(&(objectClass=" + SERVICE + ")(service.pid=*NoClusterDiscoveryService))"))
                .isTrue();
        untilAsserted(() -> assertThat(health()).isEqualTo(Result.Status.CRITICAL));

        standalone().stop();
        untilProblems(0);
        untilAsserted(() -> assertThat(health()).isEqualTo(Result.Status.OK));

        standalone().start();
        untilProblems(1);

        Bundle base = container().bundle("io.github.discoveryzk.base");
        base.stop();
        base.start();
        untilProblems(1);
    }
}
