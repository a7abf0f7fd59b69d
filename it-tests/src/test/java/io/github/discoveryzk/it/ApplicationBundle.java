// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.it;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import org.osgi.framework.Constants;

/** A bundle of an application, made of classes of the tests. */
final class ApplicationBundle {

    private final Map<String, String> headers = new HashMap<>();
    private final Map<String, byte[]> files = new HashMap<>();

    /** Makes a bundle that imports these packages, separated by commas. */
    ApplicationBundle(String symbolicName, String imports) {
        headers.put(Attributes.Name.MANIFEST_VERSION.toString(), "1.0");
        headers.put(Constants.BUNDLE_MANIFESTVERSION, "2");
        headers.put(Constants.BUNDLE_SYMBOLICNAME, symbolicName);
        headers.put(Constants.IMPORT_PACKAGE, imports);
    }

    ApplicationBundle withHeader(String name, String value) {
        headers.put(name, value);
        return this;
    }

    ApplicationBundle withFile(String name, String content) {
        files.put(name, content.getBytes(StandardCharsets.UTF_8));
        return this;
    }

    ApplicationBundle withClasses(List<Class<?>> types) throws IOException {
        for (Class<?> type : types) {
            String file = type.getName().replace('.', '/') + ".class";
            try (InputStream content = type.getResourceAsStream("/" + file)) {
                files.put(file, content.readAllBytes());
            }
        }
        return this;
    }

    InputStream jar() throws IOException {
        Manifest manifest = new Manifest();
        headers.forEach(manifest.getMainAttributes()::putValue);
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (JarOutputStream jar = new JarOutputStream(bytes, manifest)) {
            for (Map.Entry<String, byte[]> file : files.entrySet()) {
                jar.putNextEntry(new JarEntry(file.getKey()));
                jar.write(file.getValue());
                jar.closeEntry();
            }
        }
        return new ByteArrayInputStream(bytes.toByteArray());
    }
}
