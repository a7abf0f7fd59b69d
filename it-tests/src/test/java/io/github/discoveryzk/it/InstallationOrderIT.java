// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.it;

import static io.github.discoveryzk.it.outside.Limit.untilAsserted;
import static org.assertj.core.api.Assertions.assertThat;
import static org.ops4j.pax.exam.CoreOptions.options;

import io.github.discoveryzk.it.console.Visitor;
import io.github.discoveryzk.it.containers.ConsoleLine;
import io.github.discoveryzk.launcher.Ports;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.After;
import org.junit.Test;
import org.ops4j.pax.exam.Configuration;
import org.ops4j.pax.exam.Option;
import org.osgi.framework.Bundle;

/** Console, HTTP service, inventory and our bundle come and go in every order; the test refreshes nothing in between. */
public class InstallationOrderIT extends ContainerTest {

    private static final List<String> OURS = List.of("discovery-webconsole");

    private final Visitor user = new Visitor(
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build(), true);

    @Override
    @Configuration
    public Option[] configured() {
        return options(
                Setup.member(getClass(), settings(), ID),
                Setup.http(Ports.free()),
                Setup.bundles(
                        "discovery-api",
                        "discovery-commons",
                        "discovery-base",
                        "discovery-connectors",
                        "discovery-zk"));
    }

    @After
    public void removeAll() throws Exception {
        container().purge();
    }

    private static List<List<String>> parts(ConsoleLine line) {
        return List.of(line.http(), line.inventory(), line.console(), OURS);
    }

    /** Where our bundle stands among the others, and the orders of these, are what matters; all orders are thorough. */
    @Test
    public void anyOrderEndsWithThePage() throws Exception {
        for (ConsoleLine line : ConsoleLine.tested().toList()) {
            for (List<List<String>> order : permutations(parts(line))) {
                boolean sorted = order.indexOf(line.http()) < order.indexOf(line.inventory())
                        && order.indexOf(line.inventory()) < order.indexOf(line.console());
                boolean reversed = order.indexOf(line.console()) < order.indexOf(line.inventory())
                        && order.indexOf(line.inventory()) < order.indexOf(line.http());
                if (Boolean.getBoolean("discovery.thorough") || sorted || reversed) {
                    for (List<String> part : order) {
                        container().install(part);
                    }
                    checkPageAndInventory();
                    container().purge();
                }
            }
        }
    }

    private static <T> List<List<T>> permutations(List<T> parts) {
        if (parts.isEmpty()) {
            return List.of(List.of());
        }
        List<List<T>> all = new ArrayList<>();
        for (T first : parts) {
            List<T> others = new ArrayList<>(parts);
            others.remove(first);
            permutations(others)
                    .forEach(rest -> all.add(
                            Stream.concat(Stream.of(first), rest.stream()).toList()));
        }
        return all;
    }

    private void checkPageAndInventory() {
        untilAnswer("/topology", "id=\"discovery-topology\"");
        untilAnswer("/status-discovery.txt", "State:         Settled since ");
        untilAnswer("/topology.content", "");
        assertThat(container().count("(felix.webconsole.label=topology)")).isEqualTo(1);
        // A request may meet the console while it registers its servlet again.
        assertThat(container().errors()).allMatch(line -> line.contains("Servlet has been unregistered"));
    }

    private void untilAnswer(String rest, String content) {
        URI address = container().address("/system/console" + rest);
        untilAsserted(() -> {
            assertThat(status(address)).as(rest).isEqualTo(200);
            assertThat(user.page(address)).contains(content);
        });
    }

    private int status(URI address) {
        try {
            return user.status("GET", address, "");
        } catch (IOException e) {
            return 0;
        }
    }

    private void install(ConsoleLine line) throws Exception {
        container().install(line.all());
        container().install(OURS);
        checkPageAndInventory();
    }

    @Test
    public void theConsoleIsStoppedAndStartedAndOurBundleIsUpdated() throws Exception {
        for (ConsoleLine line : ConsoleLine.tested().toList()) {
            install(line);
            Bundle console = container().installed(line.console().get(1));
            console.stop();
            untilAsserted(() -> assertThat(status(container().address("/system/console/topology")))
                    .isEqualTo(404));
            console.start();
            checkPageAndInventory();
            container().installed(OURS.get(0)).update();
            checkPageAndInventory();
            container().purge();
        }
    }

    @Test
    public void aConsoleIsReplacedByAnotherLine() throws Exception {
        install(ConsoleLine.JAVAX);
        container().uninstall(ConsoleLine.JAVAX.all());
        install(ConsoleLine.JAKARTA);
        container().uninstall(ConsoleLine.JAKARTA.all());
        install(ConsoleLine.JAVAX);
    }
}
