// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.VariableTree;
import com.sun.source.util.JavacTask;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The classes, methods and constants that the documentation names exist in the sources. A name is text in backticks with the shape
 * {@code package.Class}, {@code Class} or {@code Class.member}, outside blocks of code. A package is below
 * {@code org.apache.sling.discovery}.
 *
 * <p>The pages in {@link #OWN_NAMES} name classes of this project and of {@code java.lang} only, so each name is checked. The
 * other pages also name classes of other projects and words of protocols. There a name is checked if its package or its first
 * class is one of this project, or if it is the name of a test.
 */
class DocsNamesTest {

    private static final String ROOT = "org.apache.sling.discovery";
    private static final Path PROJECT = Path.of("").toAbsolutePath().getParent();
    private static final Set<String> OWN_NAMES =
            Set.of("map.md", "glossary.md", "mutants.md", "CONTRIBUTING.md", "README.md");

    private static final Pattern BLOCK = Pattern.compile("(?ms)^ *```.*?^ *```");
    private static final Pattern NAME = Pattern.compile(
            "`(?<package>(?:[a-z]\\w*\\.)*)(?<class>[A-Z]\\w*[a-z]\\w*)(?<rest>(?:\\.\\w+)*)(?:\\([^`]*\\))?`");
    private static final Pattern TEST = Pattern.compile("\\w+(Test|IT)");

    /** The full names of classes and members, below the root package. */
    private static final Set<String> NAMES = new HashSet<>();

    /** The same without their packages, from each class on. */
    private static final Set<String> SHORT_NAMES = new HashSet<>();

    private static final Set<String> TOP_LEVEL_CLASSES = new HashSet<>();

    /** The packages directly below the root package. */
    private static final Set<String> PACKAGES = new HashSet<>();

    static {
        try {
            readSources();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    static List<Path> pages() throws IOException {
        try (Stream<Path> docs = Files.list(PROJECT.resolve("docs"))) {
            return Stream.concat(
                            docs.filter(file -> file.toString().endsWith(".md")).sorted(),
                            Stream.of("README.md", "CONTRIBUTING.md", "discovery-base/src/test/mutants.md")
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
            Set<String> known = name.group(1).isEmpty() ? SHORT_NAMES : NAMES;
            String wanted = name.group(1) + name.group(2) + name.group(3);
            if (!known.contains(wanted)) {
                unknown.add(wanted);
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
        String first = name.group(1).split("\\.", 2)[0];
        return name.group(1).isEmpty()
                ? TOP_LEVEL_CLASSES.contains(name.group(2))
                        || TEST.matcher(name.group(2)).matches()
                : PACKAGES.contains(first);
    }

    private static void readSources() throws IOException {
        List<Path> files = new ArrayList<>();
        try (Stream<Path> folders = Files.find(
                PROJECT, 3, (path, any) -> path.endsWith("src") && Files.exists(path.resolveSibling("pom.xml")))) {
            for (Path folder : folders.toList()) {
                try (Stream<Path> sources = Files.walk(folder)) {
                    sources.filter(file -> file.toString().endsWith(".java")).forEach(files::add);
                }
            }
        }
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        try (StandardJavaFileManager manager = compiler.getStandardFileManager(null, null, null)) {
            JavacTask task = (JavacTask) compiler.getTask(
                    null, manager, null, List.of("-proc:none"), null, manager.getJavaFileObjectsFromPaths(files));
            for (CompilationUnitTree unit : task.parse()) {
                String name = String.valueOf(unit.getPackageName());
                if ((name + ".").startsWith(ROOT + ".")) {
                    String below = (name + ".").substring(ROOT.length() + 1);
                    PACKAGES.add(below.split("\\.", 2)[0]);
                    unit.getTypeDecls().stream()
                            .filter(ClassTree.class::isInstance)
                            .map(type -> ((ClassTree) type).getSimpleName().toString())
                            .forEach(TOP_LEVEL_CLASSES::add);
                    unit.getTypeDecls().forEach(type -> add(type, below, List.of()));
                }
            }
        }
    }

    /** Adds the names of a class or a member that is nested in the given classes. */
    private static void add(Tree tree, String packagePrefix, List<String> outer) {
        boolean type = tree instanceof ClassTree;
        List<String> path = new ArrayList<>(outer);
        if (tree instanceof ClassTree named) {
            path.add(named.getSimpleName().toString());
        } else if (tree instanceof MethodTree method) {
            path.add(method.getName().toString());
        } else if (tree instanceof VariableTree variable) {
            path.add(variable.getName().toString());
        } else {
            return;
        }
        NAMES.add(packagePrefix + String.join(".", path));
        int shortest = type ? 1 : 2;
        for (int from = 0; from <= path.size() - shortest; from++) {
            SHORT_NAMES.add(String.join(".", path.subList(from, path.size())));
        }
        if (tree instanceof ClassTree named) {
            named.getMembers().forEach(member -> add(member, packagePrefix, path));
        }
    }
}
