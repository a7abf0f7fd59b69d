// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The classes, methods and constants that the documentation names exist in the sources. A name is text in backticks with the shape
 * {@code package.Class}, {@code Class} or {@code Class.member}, outside blocks of code. A package is below
 * {@code io.github.discoveryzk}, and what keeps its name in Sling below {@code org.apache.sling.discovery}.
 *
 * <p>The pages in {@link #OWN_NAMES} name classes of this project and of {@code java.lang} only, so each name is checked. The
 * other pages also name classes of other projects and words of protocols. There a name is checked if its package or its first
 * class is one of this project, or if it is the name of a test.
 */
class DocsNamesTest {

    private static final Pattern ROOT =
            Pattern.compile("(org\\.apache\\.sling\\.discovery|io\\.github\\.discoveryzk)\\.");
    private static final Path PROJECT = Path.of("").toAbsolutePath().getParent();
    private static final Set<String> OWN_NAMES =
            Set.of("map.md", "glossary.md", "mutants.md", "CONTRIBUTING.md", "README.md");

    private static final Pattern BLOCK = Pattern.compile("(?ms)^ *```.*?^ *```");
    private static final Pattern NAME = Pattern.compile(
            "`(?<package>(?:[a-z]\\w*\\.)*)(?<class>[A-Z]\\w*[a-z]\\w*)(?<rest>(?:\\.\\w+)*)(?:\\([^`]*\\))?`");
    private static final Pattern TEST = Pattern.compile("\\w+(Test|IT)");

    /** A declaration of a class, or of a member: a name before a bracket, a semicolon, an assignment or a comma. */
    private static final Pattern DECLARED =
            Pattern.compile("(?:class|interface|enum|record) (\\w+)|(?<![.\\w])(\\w+)(?=\\s*[(;=,)])");

    /** What each file declares, by the name of its package below the root and of its class. */
    private static final Map<String, Set<String>> DECLARATIONS = new HashMap<>();

    static {
        try (Stream<Path> folders = Files.find(
                PROJECT, 3, (path, any) -> path.endsWith("src") && Files.exists(path.resolveSibling("pom.xml")))) {
            for (Path folder : folders.toList()) {
                try (Stream<Path> sources = Files.walk(folder)) {
                    for (Path file : sources.filter(each -> each.toString().endsWith(".java"))
                            .toList()) {
                        read(file);
                    }
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void read(Path file) throws IOException {
        String name = file.toString().replaceAll(".*/java/|[.]java$", "").replace('/', '.');
        Matcher root = ROOT.matcher(name);
        if (root.lookingAt()) {
            DECLARATIONS
                    .computeIfAbsent(name.substring(root.end()), any -> new HashSet<>())
                    .addAll(DECLARED.matcher(Files.readString(file))
                            .results()
                            .map(found -> found.group(1) == null ? found.group(2) : found.group(1))
                            .collect(Collectors.toSet()));
        }
    }

    /** Says whether a file declares all the names; the first is a class in that package, or in any if that is empty. */
    private static boolean exists(String packagePrefix, List<String> names) {
        return DECLARATIONS.entrySet().stream()
                .anyMatch(file -> (packagePrefix.isEmpty() || file.getKey().equals(packagePrefix + names.get(0)))
                        && file.getValue().containsAll(names));
    }

    static List<Path> pages() throws IOException {
        try (Stream<Path> docs = Files.walk(PROJECT.resolve("docs"))) {
            return Stream.concat(
                            docs.filter(file -> file.toString().endsWith(".md")).sorted(),
                            Stream.of(
                                            "README.md",
                                            "CHANGELOG.md",
                                            "CONTRIBUTING.md",
                                            "RELEASING.md",
                                            "SECURITY.md",
                                            "discovery-base/src/test/mutants.md")
                                    .map(PROJECT::resolve))
                    .toList();
        }
    }

    @ParameterizedTest
    @MethodSource("pages")
    void namesExist(Path page) throws IOException {
        boolean own = OWN_NAMES.contains(page.getFileName().toString());
        String text = BLOCK.matcher(Files.readString(page)).replaceAll("");
        List<MatchResult> names = NAME.matcher(text)
                .results()
                .filter(name -> own ? !isOfTheLanguage(name) : isOfThisProject(name))
                .toList();
        Set<String> unknown = new TreeSet<>();
        for (MatchResult name : names) {
            if (!exists(name.group(1), List.of((name.group(2) + name.group(3)).split("[.]")))) {
                unknown.add(name.group(1) + name.group(2) + name.group(3));
            }
        }
        assertThat(unknown)
                .as("names in %s that no source has", page.getFileName())
                .isEmpty();
        assertThat(own && names.isEmpty()).as("the page names no class").isFalse();
    }

    private static boolean isOfTheLanguage(MatchResult name) {
        try {
            return name.group(1).isEmpty() && Class.forName("java.lang." + name.group(2)) != null;
        } catch (ClassNotFoundException e) {
            return false;
        }
    }

    private static boolean isOfThisProject(MatchResult name) {
        String first = name.group(1) + (name.group(1).isEmpty() ? name.group(2) : "");
        return TEST.matcher(name.group(2)).matches()
                || DECLARATIONS.keySet().stream()
                        .anyMatch(file -> name.group(1).isEmpty()
                                ? file.endsWith("." + first) || file.equals(first)
                                : file.startsWith(first.split("[.]")[0] + "."));
    }
}
