// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.it;

import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The packages of main code depend on one another as {@code packages.txt} says, and never in a circle. The list in that file is the
 * rule: a new arrow is added there first.
 */
class PackagesTest {

    private static final String ROOT = "io.github.discoveryzk.";
    private static final String SLING = "org.apache.sling.discovery";
    private static final Path PROJECT = Path.of("").toAbsolutePath().getParent();
    private static final JavaClasses CLASSES = classes();

    @Test
    void noCircleBetweenPackages() {
        slices().matching(ROOT + "(**)").should().beFreeOfCycles().check(CLASSES);
    }

    @Test
    void packagesDependOnOneAnotherAsTheListSays() throws IOException {
        assertThat(String.join("\n", actual()))
                .as("the arrows between packages; those that are allowed stand in packages.txt")
                .isEqualTo(String.join("\n", allowed()));
    }

    private static List<String> allowed() throws IOException {
        return Files.readAllLines(PROJECT.resolve("it-tests/src/test/resources/packages.txt"));
    }

    private static List<String> actual() {
        TreeMap<String, TreeSet<String>> arrows = new TreeMap<>();
        for (JavaClass from : CLASSES) {
            TreeSet<String> targets = arrows.computeIfAbsent(name(from), any -> new TreeSet<>());
            from.getDirectDependenciesFromSelf().stream()
                    .map(dependency -> dependency.getTargetClass().getBaseComponentType())
                    .filter(to ->
                            to.getPackageName().startsWith(ROOT) || (to.getPackageName() + ".").startsWith(SLING + "."))
                    .map(PackagesTest::name)
                    .filter(to -> !to.equals(name(from)))
                    .forEach(targets::add);
        }
        return arrows.entrySet().stream()
                .map(each -> each.getValue().isEmpty()
                        ? each.getKey()
                        : each.getKey() + " -> " + String.join(", ", each.getValue()))
                .toList();
    }

    private static String name(JavaClass type) {
        String name = type.getPackageName();
        if (name.startsWith(ROOT)) {
            return name.substring(ROOT.length());
        }
        return name.equals(SLING) ? "api" : name.substring(SLING.length() + 1);
    }

    private static JavaClasses classes() {
        try (Stream<Path> modules = Files.list(PROJECT)) {
            return new ClassFileImporter()
                    .importPaths(Stream.concat(
                                    modules,
                                    Stream.of("extras/connectors", "extras/work")
                                            .map(PROJECT::resolve))
                            .flatMap(module -> Stream.of("io/github", "org/apache/sling")
                                    .map(root ->
                                            module.resolve("target/classes").resolve(root)))
                            .filter(Files::isDirectory)
                            .collect(Collectors.toSet()));
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }
}
