// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.it.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.discoveryzk.it.console.Visitor;
import io.github.discoveryzk.it.outside.Limit;
import io.github.discoveryzk.launcher.ContainerProcess;
import io.github.discoveryzk.launcher.ContainerSettings;
import io.github.discoveryzk.launcher.Distribution;
import io.github.discoveryzk.launcher.Ports;
import io.github.discoveryzk.testing.server.StandaloneServer;
import io.github.discoveryzk.testing.server.TestServer;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;

/** A real server and real containers, each in its own process, identified by their instance ids. */
public final class Containers implements AutoCloseable {

    /** Short enough for a test, long enough for a machine that is busy with other builds. */
    public static final int SESSION_TIMEOUT = 4_000;

    private static final Visitor USER = new Visitor(HttpClient.newHttpClient(), true);

    private final Path folder;
    private final Distribution distribution = new Distribution(Path.of(System.getProperty("discovery.distribution")));
    private final List<ContainerProcess> all = new ArrayList<>();
    private final StandaloneServer server;

    /** Starts the server; all state is kept in that folder. */
    public Containers(Path folder) throws Exception {
        this(folder, new TestServer(Files.createDirectories(folder.resolve("zookeeper"))));
    }

    /** Uses a server, which it stops in the end. */
    Containers(Path folder, StandaloneServer server) {
        this.folder = folder;
        this.server = server;
    }

    /** Returns the server, which was started here. */
    public TestServer server() {
        return (TestServer) server;
    }

    /** Starts a container in the folder {@code name}. */
    public ContainerProcess start(String name, String instanceId) throws Exception {
        return start(settings(name, instanceId));
    }

    /** Returns the settings of a container in the folder {@code name}, with its own port. */
    public ContainerSettings settings(String name, String instanceId) {
        return ContainerSettings.of(folder.resolve(name), Ports.free(), server.address())
                .withDiscovery("sessionTimeoutMillis", SESSION_TIMEOUT)
                .withFrameworkProperty("io.github.discoveryzk.instanceId", instanceId);
    }

    /** Makes the crash of a container noticed after its session timeout: it does not listen for neighbours. */
    public static void withoutNeighbours(ContainerSettings settings) throws IOException {
        Path file = settings.directory().resolve("config/io/github/discoveryzk/base.config");
        Files.createDirectories(file.getParent());
        Files.writeString(file, "service.pid=\"io.github.discoveryzk.base\"\r\nneighbourPort=\"-1\"\r\n");
    }

    /** Starts a container with these settings. */
    public ContainerProcess start(ContainerSettings settings) throws Exception {
        ContainerProcess container = ContainerProcess.start(distribution, settings);
        all.add(container);
        return container;
    }

    static List<EventLine> events(ContainerProcess container) {
        return container.lines().stream()
                .map(EventLine::parse)
                .flatMap(Optional::stream)
                .toList();
    }

    static Optional<EventLine> last(ContainerProcess container) {
        List<EventLine> events = events(container);
        return events.isEmpty() ? Optional.empty() : Optional.of(events.get(events.size() - 1));
    }

    /** Checks that the listener of a container has received well-formed events. */
    static void assertGrammar(ContainerProcess container) {
        assertThat(String.join(
                        " ", events(container).stream().map(EventLine::type).toList()))
                .as(container.name())
                .matches("INIT( PROPERTIES_CHANGED| CHANGING CHANGED)*( CHANGING)?");
    }

    /** Returns what the console of a container has at the address of the page with that rest. */
    static String page(ContainerProcess container, String rest) throws Exception {
        return USER.page(URI.create(container.consoleUri() + rest));
    }

    /** Waits until all of them are settled in a view with these members, in this order. */
    public static void awaitOrder(List<String> order, ContainerProcess... containers) {
        for (ContainerProcess container : containers) {
            awaitThat(container.name() + " in " + order, () -> last(container)
                    .filter(event -> event.settles() && event.order().equals(order))
                    .isPresent());
        }
    }

    /** Waits until the condition holds, at most for the limit of all waiting. */
    public static void awaitThat(String description, Callable<Boolean> condition) {
        Limit.awaitThat(description, condition);
    }

    @Override
    public void close() {
        all.forEach(ContainerProcess::close);
        server.close();
    }
}
