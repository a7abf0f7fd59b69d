// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.it;

import static io.github.discoveryzk.it.outside.Limit.untilAsserted;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.Assume.assumeTrue;
import static org.ops4j.pax.exam.CoreOptions.options;

import io.github.discoveryzk.it.outside.Server;
import io.github.discoveryzk.report.State;
import java.util.stream.Stream;
import org.junit.Before;
import org.junit.Test;
import org.ops4j.pax.exam.Configuration;
import org.ops4j.pax.exam.Option;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleException;
import org.osgi.framework.Constants;

/** A container with only declarative services and a log, where no ZooKeeper server answers. */
public class MinimalContainerIT extends ContainerTest {

    @Override
    @Configuration
    public Option[] configured() {
        // Without a configuration admin an instance can only use the default address.
        return Server.keepDefaultPortSilent()
                ? options(Setup.minimalContainer(getClass()), Setup.ourBundles())
                : options(Setup.minimalContainer(getClass()));
    }

    @Before
    public void silence() {
        assumeTrue("a foreign server answers at the default address", Server.keepDefaultPortSilent());
    }

    private Stream<Bundle> startable() {
        return container().bundles().filter(bundle -> bundle.getHeaders().get(Constants.FRAGMENT_HOST) == null);
    }

    @Test
    public void everyBundleIsActive() {
        assertThat(startable())
                .allSatisfy(bundle ->
                        assertThat(bundle.getState()).as("state of %s", bundle).isEqualTo(Bundle.ACTIVE));
        assertThat(startable().map(Bundle::getSymbolicName))
                .contains(
                        "io.github.discoveryzk.api",
                        "io.github.discoveryzk.commons",
                        "io.github.discoveryzk.base",
                        "io.github.discoveryzk.connectors",
                        "io.github.discoveryzk.zk",
                        "io.github.discoveryzk.webconsole");
    }

    @Test
    public void nothingElseIsThere() {
        assertThat(Stream.of(
                                "org.osgi.service.cm.ConfigurationAdmin",
                                "org.osgi.service.event.EventAdmin",
                                "org.osgi.service.http.HttpService",
                                "org.osgi.service.metatype.MetaTypeService")
                        .filter(container()::offers))
                .isEmpty();
    }

    @Test
    public void theBundleForOperatorsNeedsNeitherConsoleNorShell() {
        assertThat(container().finds("(osgi.command.function=explain)")).isTrue();
        assertThat(container().finds("(objectClass=jakarta.servlet.Servlet)")).isFalse();
        assertThat(container().finds("(objectClass=javax.servlet.Servlet)")).isFalse();
        assertThat(container().bundles().map(Bundle::getSymbolicName))
                .noneMatch(name -> name.contains("servlet") || name.contains("gogo") || name.contains("inventory"));
        assertThat(said("explain")).startsWith("State:         Connecting since ");
    }

    @Test
    public void theServiceAnswersWithoutAServer() {
        Recorder recorder = new Recorder();
        container().register(recorder);
        assertThat(container().topology()).isNotNull();
        untilAsserted(() -> assertThat(container().report().problems())
                .anyMatch(sentence -> sentence.contains("No ZooKeeper server answers at 127.0.0.1:2181")));
        assertThat(container().topology().isCurrent()).isFalse();
        assertThat(container().self().isLocal()).isTrue();
        assertThat(container().topology().getInstances())
                .containsExactly(container().self());
        assertThat(container().report().state()).isEqualTo(State.CONNECTING);
        assertThat(recorder.events()).isEmpty();
        everyBundleIsActive();
    }

    @Test
    public void theInstanceKeepsItsId() throws BundleException {
        String id = container().self().getSlingId();
        Bundle base = container().bundle("io.github.discoveryzk.base");
        base.stop();
        base.start();
        untilAsserted(
                () -> assertThat(container().self().getSlingId()).isNotBlank().isEqualTo(id));
    }
}
