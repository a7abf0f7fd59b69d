// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.it.containers;

import static io.github.discoveryzk.it.outside.Limit.untilAsserted;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpServer;
import io.github.discoveryzk.it.Setup;
import io.github.discoveryzk.it.console.Visitor;
import io.github.discoveryzk.it.outside.Server;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Sling's own discovery is replaced: in the features of a Starter, and in a container that runs. */
class StarterIT {

    private static final Path FOLDER = Path.of(System.getProperty("sling.directory"));
    private static final Path DISTRIBUTION = Path.of(System.getProperty("distribution.home"));
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String USERS =
            "org.apache.sling.serviceusermapping.impl.ServiceUserMapperImpl.amended~sling.discovery";

    /** Bundles of a Starter, and files of the tests in their place. */
    private static final String[][] STANDING_IN = {
        {"metrics-core", "metrics-core"},
        {"org.apache.sling.settings", "org.apache.sling.settings"},
        {"org.apache.sling.discovery.api", "org.apache.sling.discovery.api"},
        {"org.apache.sling.discovery.base", "geronimo-annotation_1.3_spec"},
        {"org.apache.sling.discovery.commons", "org.osgi.util.converter"},
        {"org.apache.sling.discovery.oak", "org.apache.sling.discovery.standalone"}
    };

    private static final String[] SLINGS = {
        "metrics-core",
        "org.apache.sling.settings",
        "org.apache.sling.discovery.api",
        "org.apache.sling.discovery.standalone"
    };

    /** The bundles with which tests use discovery as a Starter does. */
    private static final List<String> CONSUMERS = List.of(
            "org.apache.sling.commons.metrics",
            "org.apache.sling.commons.scheduler",
            "org.apache.sling.commons.threads",
            "org.apache.sling.discovery.support",
            "org.apache.sling.event",
            "org.apache.sling.serviceusermapper",
            "org.apache.sling.settings");

    private static JsonNode feature(String file) throws IOException {
        return JSON.readTree(FOLDER.resolve(file).toFile());
    }

    private static Stream<String> ids(JsonNode bundles) {
        return StreamSupport.stream(bundles.spliterator(), false)
                .map(bundle ->
                        bundle.isTextual() ? bundle.asText() : bundle.get("id").asText());
    }

    /** Returns group and artifact of each, without the version. */
    private static Stream<String> artifacts(JsonNode bundles) {
        return ids(bundles).map(id -> id.substring(0, id.indexOf(':', id.indexOf(':') + 1)));
    }

    @Test
    void theStarterHasWhatTheFeatureRemoves() throws IOException {
        JsonNode prototype = feature("discovery-sling-starter.json").get("prototype");
        JsonNode starter = feature("org.apache.sling.starter-oak_tar.slingosgifeature");
        List<String> removed =
                artifacts(prototype.get("removals").get("bundles")).toList();
        assertThat(artifacts(starter.get("bundles")))
                .containsAll(removed)
                .filteredOn(bundle -> bundle.contains(".discovery."))
                .containsExactlyInAnyOrderElementsOf(Stream.concat(
                                removed.stream(), Stream.of("org.apache.sling:org.apache.sling.discovery.support"))
                        .toList());
        prototype.get("removals").get("configurations").forEach(pid -> assertThat(
                        starter.get("configurations").has(pid.asText()))
                .as(pid.asText())
                .isTrue());
    }

    @Test
    void theStarterHasTheConsumersInTheTestedVersions() throws IOException {
        JsonNode bundles =
                feature("org.apache.sling.starter-oak_tar.slingosgifeature").get("bundles");
        assertThat(ids(bundles))
                .containsAll(CONSUMERS.stream()
                        .map(name -> "org.apache.sling:" + name + ":" + version(name))
                        .toList());
    }

    private static String version(String bundle) {
        Path file = Path.of(System.getProperty("bundles.directory"), bundle + ".jar");
        try (JarFile jar = new JarFile(file.toFile())) {
            return jar.getManifest().getMainAttributes().getValue("Bundle-Version");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void theScriptReplacesItInAContainerThatRuns() throws Exception {
        try (TestedContainer container = new FelixContainer(ConsoleLine.STARTER, Setup.bundles(SLINGS))) {
            String command = Document.block("docs/sling.md", "admin:admin zk1");
            assertThat(run(container.console(), command.replace(":admin ", ":wrong ")))
                    .contains("check the address, the user and the password");
            assertThat(run(container.console(), command)).contains("removing bundles ", "settled: ");
            assertThat(run(container.console(), command)).contains("removing nothing", "settled: ");
        }
    }

    @Test
    void theScriptRefreshesWhenThePageAnswers() throws Exception {
        List<String> order = new CopyOnWriteArrayList<>();
        AtomicInteger asked = new AtomicInteger();
        HttpServer console = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
        console.createContext("/", exchange -> {
            String sent = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.ISO_8859_1);
            boolean page = exchange.getRequestURI().getPath().endsWith("/topology.json");
            boolean missing = page && asked.incrementAndGet() < 3;
            order.add(page && !missing ? "page" : sent.contains("refreshPackages") ? "refresh" : "");
            byte[] reply = (page
                            ? "{\"state\":\"SETTLED\"}"
                            : Stream.of("api", "commons", "base", "connectors", "zk", "webconsole")
                                    .map(each -> "{\"id\":1,\"symbolicName\":\"io.github.discoveryzk." + each
                                            + "\",\"state\":\"Active\"}")
                                    .collect(Collectors.joining()))
                    .getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(missing ? 404 : 200, reply.length);
            exchange.getResponseBody().write(reply);
            exchange.close();
        });
        console.start();
        try {
            URI address = URI.create("http://127.0.0.1:" + console.getAddress().getPort());
            assertThat(run(address, Document.block("docs/sling.md", "admin:admin zk1")))
                    .contains("settled: ");
        } finally {
            console.stop(0);
        }
        assertThat(order).filteredOn(each -> !each.isEmpty()).startsWith("page", "refresh");
    }

    /** Runs a command of the documentation in the folder of the distribution. */
    private static String run(URI console, String command) throws IOException {
        Process script = new ProcessBuilder(
                        "bash",
                        "-c",
                        command.replace("http://localhost:8080/system/console", console.toString())
                                .replace("zk1:2181,zk2:2181", Server.address()))
                .directory(DISTRIBUTION.toFile())
                .redirectErrorStream(true)
                .start();
        return new String(script.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }

    @Test
    @Tag("thorough")
    void whatTheScriptReplacedStaysAwayWithTheFeatureForStarters() throws Exception {
        Path folder = FeatureContainer.folder();
        Path starter = offerStarter(folder);
        String starts = Document.block("docs/sling.md", "-f discovery-starter.json")
                .replace("zk1:2181,zk2:2181,zk3:2181", Server.address());
        // A Starter has all of its bundles from one repository.
        String before = starts.replace("discovery-starter.json", starter.toString())
                .replaceAll(",?jar:file:discovery\\.far!/,?", "");
        try (FeatureContainer container = FeatureContainer.start(folder, before)) {
            assertThat(run(container.console(), Document.block("docs/sling.md", "admin:admin zk1")))
                    .contains("removing bundles ", "start with discovery-starter.json from now on");
        }
        try (FeatureContainer container = FeatureContainer.start(folder, before)) {
            untilAsserted(() -> assertThat(findings(container))
                    .contains("CRITICAL", "start with discovery-starter.json from now on"));
            assertThat(run(container.console(), Document.block("docs/sling.md", "admin:admin\n")))
                    .contains("start it with discovery-starter.json");
        }
        try (FeatureContainer container = FeatureContainer.start(folder, starts)) {
            untilAsserted(() -> assertThat(container.log()).anyMatch(line -> line.contains("SETTLED: 1 instance")));
            assertThat(findings(container)).doesNotContain("SECOND_SERVICE");
        }
    }

    private static String findings(TestedContainer container) throws Exception {
        Visitor user = new Visitor(HttpClient.newHttpClient(), true);
        return JSON.readTree(user.page(URI.create(container.console() + "/topology.json")))
                .path("health")
                .toString();
    }

    /** Fills a repository with what stands for a Starter, which cannot be fetched whole, and returns its feature. */
    private static Path offerStarter(Path folder) throws IOException {
        Path repository = folder.resolve("repository");
        Path file = repository.resolve(
                "org/apache/sling/org.apache.sling.starter/12/org.apache.sling.starter-12-oak_tar.slingosgifeature");
        Files.createDirectories(file.getParent());
        try (JarFile far = new JarFile(folder.resolve("discovery.far").toFile())) {
            for (JarEntry each : Collections.list(far.entries())) {
                Path copy = each.getName().endsWith("-container.slingosgifeature")
                        ? file
                        : repository.resolve(each.getName());
                if (copy == file || !each.getName().startsWith("io/")) {
                    Files.createDirectories(copy.getParent());
                    Files.copy(far.getInputStream(each), copy);
                }
            }
        }
        ObjectNode feature = (ObjectNode) JSON.readTree(file.toFile());
        feature.put("id", "org.apache.sling:org.apache.sling.starter:slingosgifeature:oak_tar:12");
        feature.withObject("/configurations").putObject(USERS);
        for (String[] each : STANDING_IN) {
            Path jar = repository.resolve("org/apache/sling/" + each[0] + "/1/" + each[0] + "-1.jar");
            Files.createDirectories(jar.getParent());
            Files.copy(Path.of(System.getProperty("bundles.directory"), each[1] + ".jar"), jar);
            feature.withArray("bundles")
                    .addObject()
                    .put("id", "org.apache.sling:" + each[0] + ":1")
                    .put("start-order", "20");
        }
        JSON.writeValue(file.toFile(), feature);
        return file;
    }
}
