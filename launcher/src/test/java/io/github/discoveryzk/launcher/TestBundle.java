// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.launcher;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;

/** Makes small bundles. */
final class TestBundle {

    private TestBundle() {}

    /** Makes a jar; without a name it is not a bundle. */
    static Path jar(Path file, String symbolicName) throws IOException {
        return write(file, symbolicName == null ? Map.of() : Map.of("Bundle-SymbolicName", symbolicName));
    }

    /** Makes a bundle that lacks something. */
    static Path unresolvable(Path file) throws IOException {
        return write(
                file,
                Map.of(
                        "Bundle-ManifestVersion", "2",
                        "Bundle-SymbolicName", "unresolvable",
                        "Import-Package", "no.such.pack"));
    }

    /** Makes a bundle with an activator class, which must not use other classes of the test. */
    static Path withActivator(Path file, Class<?> activator) throws IOException {
        return write(
                file,
                Map.of(
                        "Bundle-ManifestVersion", "2",
                        "Bundle-SymbolicName", "with-activator",
                        "Bundle-Activator", activator.getName(),
                        "Import-Package", "org.osgi.framework,org.slf4j"),
                activator);
    }

    private static Path write(Path file, Map<String, String> headers, Class<?>... classes) throws IOException {
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        headers.forEach((name, value) -> manifest.getMainAttributes().putValue(name, value));
        try (OutputStream content = Files.newOutputStream(file);
                JarOutputStream jar = new JarOutputStream(content, manifest)) {
            for (Class<?> type : classes) {
                String entry = type.getName().replace('.', '/') + ".class";
                jar.putNextEntry(new JarEntry(entry));
                try (InputStream bytes = type.getClassLoader().getResourceAsStream(entry)) {
                    bytes.transferTo(jar);
                }
                jar.closeEntry();
            }
        }
        return file;
    }
}
