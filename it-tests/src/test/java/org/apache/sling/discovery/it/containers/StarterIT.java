// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.it.containers;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.apache.sling.discovery.it.Setup;
import org.apache.sling.discovery.it.outside.Server;
import org.junit.jupiter.api.Test;

/** Sling's own discovery is replaced: in the features of a Starter, and in a container that runs. */
class StarterIT {

    private static final Path FOLDER = Path.of(System.getProperty("sling.directory"));
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
        return new ObjectMapper().readTree(FOLDER.resolve(file).toFile());
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
            assertThat(swap(container, "wrong")).contains("check the address, the user and the password");
            assertThat(swap(container, TestedContainer.USER)).contains("removing bundles ", "settled: ");
            assertThat(swap(container, TestedContainer.USER)).contains("removing nothing", "settled: ");
        }
    }

    private static String swap(TestedContainer container, String password) throws IOException {
        Process script = new ProcessBuilder(
                        "bash",
                        FOLDER.resolve("discovery-sling-swap.sh").toString(),
                        container.console().toString(),
                        TestedContainer.USER + ":" + password,
                        Server.address(),
                        System.getProperty("bundles.directory"))
                .redirectErrorStream(true)
                .start();
        return new String(script.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }
}
