// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.it.containers;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.apache.sling.discovery.it.console.Visitor;
import org.apache.sling.discovery.it.outside.Limit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Console, HTTP service, inventory and our bundle come and go in every order; the test refreshes nothing in between. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class InstallationOrderIT {

    private static final List<String> OURS = List.of(EmbeddedContainer.OPERATORS);

    private final Visitor user = new Visitor(
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build(), true);
    private EmbeddedContainer container;

    @BeforeAll
    void start() {
        container = EmbeddedContainer.start("orders");
    }

    @AfterAll
    void stop() {
        container.close();
    }

    @AfterEach
    void removeAll() throws Exception {
        container.purge(
                Stream.concat(OURS.stream(), Stream.of(ConsoleLine.values()).flatMap(line -> line.all().stream()))
                        .toList());
    }

    static Stream<Order> orders() {
        return ConsoleLine.tested()
                .flatMap(line -> permutations(List.of(Part.values())).map(parts -> new Order(line, parts)));
    }

    private static Stream<List<Part>> permutations(List<Part> parts) {
        return parts.isEmpty()
                ? Stream.of(List.of())
                : parts.stream().flatMap(first -> permutations(without(parts, first))
                        .map(rest ->
                                Stream.concat(Stream.of(first), rest.stream()).toList()));
    }

    private static List<Part> without(List<Part> parts, Part one) {
        List<Part> rest = new ArrayList<>(parts);
        rest.remove(one);
        return rest;
    }

    @ParameterizedTest
    @MethodSource("orders")
    void anyOrderEndsWithThePage(Order order) throws Exception {
        for (Part part : order.parts()) {
            container.install(part.bundles(order.line()));
        }
        container.requireActive();
        checkPageAndInventory();
    }

    private void checkPageAndInventory() {
        untilAnswer("/topology", "id=\"discovery-topology\"");
        untilAnswer("/status-discovery.txt", "State:         Settled since ");
        Limit.untilAsserted(() -> assertThat(status(URI.create(container.console() + "/topology.content")))
                .isEqualTo(200));
        assertThat(container.services("(felix.webconsole.label=topology)")).isEqualTo(1);
        assertThat(container.errors()).isEmpty();
    }

    private void untilAnswer(String rest, String content) {
        URI address = URI.create(container.console() + rest);
        Limit.untilAsserted(() -> {
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
        container.install(line.all());
        container.requireActive();
    }

    @ParameterizedTest
    @MethodSource("org.apache.sling.discovery.it.containers.ConsoleLine#tested")
    void theConsoleIsStoppedAndStarted(ConsoleLine line) throws Exception {
        install(line);
        container.install(OURS);
        checkPageAndInventory();
        String console = line.console().get(line.console().size() - 1);
        container.stopBundle(console);
        Limit.untilAsserted(() -> assertThat(status(URI.create(container.console() + "/topology")))
                .isEqualTo(404));
        container.startBundle(console);
        checkPageAndInventory();
    }

    @ParameterizedTest
    @MethodSource("org.apache.sling.discovery.it.containers.ConsoleLine#tested")
    void ourBundleIsUpdated(ConsoleLine line) throws Exception {
        install(line);
        container.install(OURS);
        checkPageAndInventory();
        container.update(EmbeddedContainer.OPERATORS);
        checkPageAndInventory();
    }

    @ParameterizedTest
    @CsvSource({"JAVAX,JAKARTA", "JAKARTA,JAVAX"})
    void aConsoleIsReplacedByAnotherLine(ConsoleLine old, ConsoleLine next) throws Exception {
        install(old);
        container.install(OURS);
        checkPageAndInventory();
        container.uninstall(old.all());
        install(next);
        checkPageAndInventory();
    }

    /** What is installed at once. */
    enum Part {
        HTTP,
        INVENTORY,
        CONSOLE,
        OURS;

        List<String> bundles(ConsoleLine line) {
            return switch (this) {
                case HTTP -> line.http();
                case INVENTORY -> line.inventory();
                case CONSOLE -> line.console();
                case OURS -> InstallationOrderIT.OURS;
            };
        }
    }

    /** The parts of a line in the order of their installation. */
    record Order(ConsoleLine line, List<Part> parts) {}
}
