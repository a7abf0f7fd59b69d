// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.it;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.jar.JarFile;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.zip.ZipEntry;

/** A built bundle: its manifest and its content. */
final class BundleJar {

    /** A clause of a header: quoted texts may hold commas and semicolons. */
    private static final Pattern CLAUSE = Pattern.compile("([^,;\"]+)((?:;[^,;\"]*(?:\"[^\"]*\")?)*)(?:,|$)");

    private final File file;

    BundleJar(String name) {
        file = Setup.jar(name);
    }

    /** Returns the imported packages with their attributes and directives. */
    Map<String, String> imports() {
        return clauses("Import-Package");
    }

    Set<String> exports() {
        return clauses("Export-Package").keySet();
    }

    /** Returns the packages imported from other bundles: a bundle may import its own exports. */
    Set<String> needs() {
        Set<String> needs = new TreeSet<>(imports().keySet());
        needs.removeAll(exports());
        return needs;
    }

    String header(String name) {
        try (JarFile jar = new JarFile(file)) {
            return jar.getManifest().getMainAttributes().getValue(name);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Map<String, String> clauses(String name) {
        Map<String, String> clauses = new LinkedHashMap<>();
        String header = header(name);
        if (header != null) {
            Matcher matcher = CLAUSE.matcher(header);
            int end = 0;
            while (matcher.find() && matcher.start() == end) {
                end = matcher.end();
                clauses.put(matcher.group(1).trim(), matcher.group(2));
            }
            if (end != header.length()) {
                throw new IllegalStateException(name + " of " + file + " is not understood: " + header.substring(end));
            }
        }
        return clauses;
    }

    List<String> entries() {
        try (JarFile jar = new JarFile(file)) {
            return jar.stream()
                    .filter(each -> !each.isDirectory())
                    .map(ZipEntry::getName)
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the packages of its classes. */
    Set<String> packages() {
        return entries().stream()
                .filter(name -> name.endsWith(".class") && name.contains("/"))
                .map(name -> name.substring(0, name.lastIndexOf('/')).replace('/', '.'))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    String text(String entry) {
        try (JarFile jar = new JarFile(file)) {
            ZipEntry found = jar.getEntry(entry);
            return found == null ? "" : new String(jar.getInputStream(found).readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
