// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.launcher;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.jar.JarFile;
import java.util.jar.Manifest;
import java.util.zip.ZipException;
import org.osgi.framework.Constants;
import org.osgi.framework.Version;

/**
 * A bundle as a file.
 *
 * @param file the jar
 * @param symbolicName its symbolic name, without directives
 * @param version its version
 */
record BundleJar(Path file, String symbolicName, Version version) {

    /**
     * Reads the manifest of a jar.
     *
     * @throws IOException if the file is missing, is not a jar or is not a bundle; the message says which
     */
    static BundleJar read(Path file) throws IOException {
        if (!Files.isReadable(file) || Files.isDirectory(file)) {
            throw new IOException("no such file, or no permission to read it");
        }
        try (JarFile jar = new JarFile(file.toFile())) {
            Manifest manifest = jar.getManifest();
            String name =
                    manifest == null ? null : manifest.getMainAttributes().getValue(Constants.BUNDLE_SYMBOLICNAME);
            if (name == null) {
                throw new IOException("its manifest has no " + Constants.BUNDLE_SYMBOLICNAME + ": it is not a bundle");
            }
            String version = manifest.getMainAttributes().getValue(Constants.BUNDLE_VERSION);
            return new BundleJar(file, name.split(";")[0].trim(), Version.parseVersion(version));
        } catch (ZipException e) {
            throw new IOException("it is not a jar", e);
        } catch (IllegalArgumentException e) {
            throw new IOException("its version is malformed", e);
        }
    }
}
