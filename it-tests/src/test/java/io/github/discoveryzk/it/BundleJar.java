// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.it;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.ZipEntry;

/** A built bundle: its manifest and its content. */
final class BundleJar {

    /** A clause of a header: quoted texts may hold commas and semicolons. */
    private static final Pattern CLAUSE = Pattern.compile("([^,;\"]+)((?:;[^,;\"]*(?:\"[^\"]*\")?)*)(?:,|$)");

    private final Attributes manifest;
    private final Map<String, byte[]> legal = new HashMap<>();
    private final Set<String> packages = new TreeSet<>();

    BundleJar(String name) {
        try (JarFile jar = new JarFile(Setup.jar(name))) {
            manifest = jar.getManifest().getMainAttributes();
            for (ZipEntry entry : Collections.list(jar.entries())) {
                String file = entry.getName();
                if (file.endsWith(".class") && file.contains("/")) {
                    packages.add(file.substring(0, file.lastIndexOf('/')).replace('/', '.'));
                } else if (file.startsWith("META-INF/")) {
                    legal.put(file, jar.getInputStream(entry).readAllBytes());
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the imported packages with their attributes and directives. */
    Map<String, String> imports() {
        return clauses("Import-Package");
    }

    Set<String> exports() {
        return clauses("Export-Package").keySet();
    }

    /** Returns the packages of this project that it imports from other bundles: a bundle may import its own exports. */
    Set<String> needs() {
        Set<String> needs = new TreeSet<>(imports().keySet());
        needs.removeAll(exports());
        needs.removeIf(
                name -> !(name + ".").matches("(org\\.apache\\.sling\\.discovery|io\\.github\\.discoveryzk)\\..*"));
        return needs;
    }

    String header(String name) {
        return manifest.getValue(name);
    }

    private Map<String, String> clauses(String name) {
        Map<String, String> clauses = new LinkedHashMap<>();
        String header = header(name) == null ? "" : header(name);
        Matcher matcher = CLAUSE.matcher(header);
        int end = 0;
        while (matcher.find() && matcher.start() == end) {
            end = matcher.end();
            clauses.put(matcher.group(1).trim(), matcher.group(2));
        }
        if (end != header.length()) {
            throw new IllegalStateException(name + " is not understood: " + header.substring(end));
        }
        return clauses;
    }

    /** Returns the packages of its classes. */
    Set<String> packages() {
        return packages;
    }

    /** Returns the text of a file of its folder {@code META-INF}; empty if it has none of that name. */
    String text(String file) {
        return new String(legal.getOrDefault("META-INF/" + file, new byte[0]), StandardCharsets.UTF_8);
    }
}
