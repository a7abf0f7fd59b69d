// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.it.containers;

import static io.github.discoveryzk.it.outside.Limit.untilAsserted;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.discoveryzk.it.DocsLinksTest;
import io.github.discoveryzk.it.outside.Limit;
import io.github.discoveryzk.launcher.Ports;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.jar.JarFile;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The archive alone, without Maven. */
class DistributionIT {

    private static final Path PROJECT = Path.of("").toAbsolutePath().getParent();
    private static final Path ARCHIVE = Path.of(System.getProperty("distribution.archive"));

    @TempDir
    static Path folder;

    private static Path home;

    @BeforeAll
    static void unpack() throws Exception {
        Process tar = new ProcessBuilder("tar", "xzf", ARCHIVE.toString(), "-C", folder.toString())
                .inheritIO()
                .start();
        assertThat(tar.waitFor()).isZero();
        home = folder.resolve(ARCHIVE.getFileName().toString().replace(".tar.gz", ""));
    }

    @Test
    void theQuickStartNeedsNoMaven() throws Exception {
        Path output = folder.resolve("output");
        Files.writeString(folder.resolve("mvn"), "#!/bin/sh\nexit 1\n").toFile().setExecutable(true);
        ProcessBuilder command = new ProcessBuilder(
                "bash", "-c", "exec " + Document.block("README.md", "./run") + " -n 1 --port " + Ports.free());
        command.environment().put("JAVA_HOME", System.getProperty("java.home"));
        command.environment().merge("PATH", folder.toString(), (old, shim) -> shim + ":" + old);
        Process run = command.directory(home.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        try {
            untilAsserted(() -> assertThat(output).content().contains("TOPOLOGY_INIT"));
        } finally {
            run.destroy();
        }
        assertThat(run.waitFor(Limit.millis(), TimeUnit.MILLISECONDS)).isTrue();
        assertThat(output).content().contains("stopped").doesNotContain("WARN", "ERROR", "Exception");
        assertThat(home.resolve("data/instance-1/instance.log")).content().doesNotContain(" org.apache.zookeeper.");
    }

    @Test
    void documentsLeadToFilesOfTheArchive() throws IOException {
        List<String> broken = new ArrayList<>();
        try (Stream<Path> files = Files.walk(home)) {
            for (Path page : files.filter(each -> each.toString().endsWith(".md"))
                    .filter(each -> !each.endsWith("CONTRIBUTING.md"))
                    .toList()) {
                DocsLinksTest.broken(page).forEach(link -> broken.add(page.getFileName() + ": " + link));
            }
        }
        assertThat(broken).isEmpty();
    }

    @Test
    void eachFileOfOthersIsListedWithItsLicence() throws IOException {
        String listed = Files.readString(home.resolve("LICENSES.md"));
        assertThat(foreign())
                .hasSizeGreaterThan(20)
                .filteredOn(name -> !listed.contains("`" + name + "`"))
                .isEmpty();
    }

    @Test
    void theSbomListsEachFileAndWhatIsInsideOfTheBundles() throws IOException {
        List<String> listed = new ArrayList<>();
        new ObjectMapper()
                .readTree(home.resolve("discovery.cdx.json").toFile())
                .path("components")
                .forEach(component -> listed.add(component.path("name").asText() + "-"
                        + component.path("version").asText()));
        assertThat(listed)
                .containsAll(jars().map(jar -> jar.replace(".jar", "")).toList());
        assertThat(listed)
                .contains(
                        "curator-client-" + version("curator"),
                        "jackson-core-" + version("jackson"),
                        "netty-transport-" + version("netty"),
                        "zookeeper-" + version("zookeeper"),
                        "zookeeper-jute-" + version("zookeeper"));
        assertThat(Stream.concat(embedded("discovery-zk"), embedded("extras/zk-server")))
                .hasSizeGreaterThan(6)
                .allSatisfy(name -> assertThat(listed).anyMatch(each -> each.startsWith(name + "-")));
    }

    /** Returns the version of a library from the parent's properties. */
    private static String version(String library) throws IOException {
        return Files.readString(PROJECT.resolve("pom.xml")).split("</?" + library + "\\.version>")[1];
    }

    /** Returns the names of the libraries that are embedded into the bundle of a module: their scope is provided. */
    private static Stream<String> embedded(String module) throws IOException {
        return Pattern.compile(
                        "<artifactId>([^<]+)</artifactId>\\s+(<version>[^<]+</version>\\s+)?<scope>provided</scope>")
                .matcher(Files.readString(PROJECT.resolve(module).resolve("pom.xml")))
                .results()
                .map(dependency -> dependency.group(1))
                .filter(name -> !name.matches("(org\\.)?osgi\\..*"));
    }

    /** Returns the names without versions. */
    private List<String> foreign() throws IOException {
        return jars().map(name -> name.replaceFirst("-[0-9].*", ""))
                .filter(name -> !name.matches("discovery-.*|launcher|sample"))
                .toList();
    }

    /** Returns the files of all bundles and libraries. */
    private Stream<String> jars() throws IOException {
        try (Stream<Path> bundles = Files.list(home.resolve("bundles"));
                Stream<Path> libraries = Files.list(home.resolve("lib"));
                JarFile feature =
                        new JarFile(home.resolve("sling/discovery.far").toFile())) {
            return Stream.concat(
                    Stream.concat(bundles, libraries).map(Path::toString),
                    feature.stream().map(ZipEntry::getName))
                    .filter(name -> name.endsWith(".jar"))
                    .map(name -> name.substring(name.lastIndexOf('/') + 1))
                    .toList()
                    .stream();
        }
    }
}
