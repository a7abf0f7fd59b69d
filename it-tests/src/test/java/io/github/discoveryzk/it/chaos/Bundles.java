// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.it.chaos;

import io.github.discoveryzk.it.chaos.recorder.RecorderActivator;
import io.github.discoveryzk.it.chaos.recorder.SkewedClock;
import io.github.discoveryzk.launcher.Distribution;
import io.github.discoveryzk.testing.laws.Call;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import net.bytebuddy.jar.asm.ClassReader;
import net.bytebuddy.jar.asm.ClassWriter;
import net.bytebuddy.jar.asm.Opcodes;
import net.bytebuddy.jar.asm.commons.ClassRemapper;
import net.bytebuddy.jar.asm.commons.SimpleRemapper;

/** What the containers of a run start: a distribution, and the bundle that records. */
final class Bundles {

    /** Containers start bundles with the prefix {@code org.} before discovery, and stop them after it. */
    private static final String RECORDER = "org.example.chaos-recorder";

    /** The bundles of discovery that a container needs; their files begin like this. */
    private static final List<String> OWN =
            List.of("discovery-api", "discovery-base", "discovery-commons", "discovery-work", "discovery-zk");

    /** The other bundles that it needs; a console would only delay its start. */
    private static final List<String> OTHERS = List.of(
            "org.apache.felix.configadmin",
            "org.apache.felix.metatype",
            "org.apache.felix.scr",
            "org.osgi.",
            "pax-logging-");
    /** The only class that reads the clocks for an instance. */
    private static final String CLOCKS = "io.github.discoveryzk.base.environment.Time";

    private Bundles() {}

    /** Returns the folder with the bundles of another version, with which one container of a run is started, if there is one. */
    static Optional<Path> otherVersion() {
        return Optional.ofNullable(System.getProperty("chaos.other.version"))
                .filter(name -> !name.isBlank())
                .map(Path::of);
    }

    /**
     * Copies the needed bundles into a folder; the bundles of discovery come from another version, if one is given, and read
     * {@link SkewedClock}.
     */
    static Distribution bare(Path folder, Optional<Path> otherVersion) throws IOException {
        Path bundles = Files.createDirectories(folder.resolve("bundles"));
        Path build = Path.of(System.getProperty("discovery.distribution"), "bundles");
        copy(build, OTHERS, bundles);
        copy(otherVersion.orElse(build), OWN, bundles);
        return new Distribution(folder);
    }

    private static void copy(Path from, List<String> names, Path to) throws IOException {
        try (Stream<Path> files = Files.list(from)) {
            for (Path file : files.toList()) {
                String name = file.getFileName().toString();
                if (name.endsWith(".jar") && names.stream().anyMatch(name::startsWith)) {
                    Path copy = Files.copy(file, to.resolve(name));
                    if (name.startsWith("discovery-base")) {
                        replaceClocks(copy);
                    }
                }
            }
        }
    }

    private static void replaceClocks(Path bundle) throws IOException {
        try (FileSystem jar = FileSystems.newFileSystem(bundle)) {
            Path clocks = jar.getPath(file(CLOCKS));
            ClassWriter replaced = new ClassWriter(0);
            SimpleRemapper names = new SimpleRemapper(
                    Opcodes.ASM9,
                    System.class.getName().replace('.', '/'),
                    SkewedClock.class.getName().replace('.', '/'));
            byte[] original = Files.readAllBytes(clocks);
            new ClassReader(original).accept(new ClassRemapper(replaced, names), 0);
            if (Arrays.equals(original, replaced.toByteArray())) {
                throw new IllegalStateException("discovery reads its clocks elsewhere than in " + CLOCKS);
            }
            Files.write(clocks, replaced.toByteArray());
            add(SkewedClock.class.getName(), jar);
        }
    }

    /** Makes the bundle that records the events of a container. */
    static Path recorder(Path file) throws IOException {
        try (FileSystem jar = FileSystems.newFileSystem(file, Map.of("create", "true"))) {
            Files.createDirectory(jar.getPath("META-INF"));
            Files.write(
                    jar.getPath("META-INF/MANIFEST.MF"),
                    List.of(
                            "Manifest-Version: 1.0",
                            "Bundle-ManifestVersion: 2",
                            "Bundle-SymbolicName: " + RECORDER,
                            "Bundle-Activator: " + RecorderActivator.class.getName(),
                            "Import-Package: org.osgi.framework,org.osgi.util.tracker,org.osgi.service.cm,org",
                            " .apache.sling.discovery,io.github.discoveryzk.leader,io.github.discoveryzk",
                            " .report,io.github.discoveryzk.spi,io.github.discoveryzk.data;resolution:=op",
                            " tional,io.github.discoveryzk.work;resolution:=optional"));
            Path classes = Path.of(URI.create(RecorderActivator.class
                            .getResource("RecorderActivator.class")
                            .toString()))
                    .getParent();
            try (Stream<Path> files = Files.list(classes)) {
                for (Path each : files.toList()) {
                    String name = each.getFileName().toString().replace(".class", "");
                    add(RecorderActivator.class.getPackageName() + "." + name, jar);
                }
            }
            add(Call.class.getName(), jar);
            add(Call.Shown.class.getName(), jar);
        }
        return file;
    }

    private static String file(String type) {
        return type.replace('.', '/') + ".class";
    }

    private static void add(String type, FileSystem jar) throws IOException {
        Path target = jar.getPath(file(type));
        Files.createDirectories(target.getParent());
        try (InputStream content = Bundles.class.getResourceAsStream("/" + file(type))) {
            Files.copy(content, target);
        }
    }
}
