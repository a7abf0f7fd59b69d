// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.it.chaos;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Stream;
import org.apache.sling.discovery.it.chaos.recorder.RecorderActivator;
import org.apache.sling.discovery.testing.laws.Call;

/** Makes the bundle that records the events of a container. */
final class RecorderBundle {

    /** Containers start bundles with the prefix {@code org.} before discovery, and stop them after it. */
    static final String NAME = "org.example.chaos-recorder";

    private RecorderBundle() {}

    static Path write(Path file) throws IOException {
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        Map.of(
                        "Bundle-ManifestVersion",
                        "2",
                        "Bundle-SymbolicName",
                        NAME,
                        "Bundle-Activator",
                        RecorderActivator.class.getName(),
                        "Export-Package",
                        RecorderActivator.class.getPackageName(),
                        "Import-Package",
                        "org.osgi.framework,org.osgi.framework.hooks.weaving,org.osgi.util.tracker,"
                                + "org.apache.sling.discovery,"
                                + "org.apache.sling.discovery.commons.leader,"
                                + "org.apache.sling.discovery.commons.report")
                .forEach((name, value) -> manifest.getMainAttributes().putValue(name, value));
        try (OutputStream content = Files.newOutputStream(file);
                JarOutputStream jar = new JarOutputStream(content, manifest)) {
            for (Path type : classes()) {
                add(RecorderActivator.class.getPackageName(), type.getFileName().toString(), jar);
            }
            for (Class<?> type : List.of(Call.class, Call.Shown.class)) {
                add(type.getPackageName(), type.getName().replaceAll(".*[.]", "") + ".class", jar);
            }
        }
        return file;
    }

    private static void add(String inPackage, String file, JarOutputStream jar) throws IOException {
        String name = inPackage.replace('.', '/') + "/" + file;
        jar.putNextEntry(new JarEntry(name));
        try (InputStream type = RecorderBundle.class.getResourceAsStream("/" + name)) {
            type.transferTo(jar);
        }
        jar.closeEntry();
    }

    private static List<Path> classes() throws IOException {
        try {
            Path folder = Path.of(RecorderActivator.class
                    .getResource("RecorderActivator.class")
                    .toURI());
            try (Stream<Path> files = Files.list(folder.getParent())) {
                return files.filter(file -> file.toString().endsWith(".class")).toList();
            }
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }
}
