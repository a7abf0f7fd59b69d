// SPDX-License-Identifier: Apache-2.0

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.ZipFile;
import javax.xml.parsers.DocumentBuilderFactory;
import org.w3c.dom.Element;
import org.w3c.dom.Node;

/**
 * Checks a folder of deployed artifacts by the rules of Maven Central: {@code java CentralRules.java FOLDER VERSION LIST}. The
 * file LIST names in its table each artifact that is published. Prints a line for each violation; without one it prints the number
 * of artifacts and files, and ends with 0. Signatures are verified with {@code gpg}, by the keys of its home.
 */
public final class CentralRules {

    private static final String GROUP = "io.github.discoveryzk";
    private static final Pattern LISTED = Pattern.compile("(?m)^\\| `(discovery-[a-z-]+)` \\|");

    /** What Central demands of a POM and a parent may state. */
    private static final List<String> INHERITED =
            List.of("url", "licenses/license/name", "licenses/license/url", "developers/developer/name", "scm/url", "scm/connection");

    private static final Set<String> CHECKSUMS = Set.of("md5", "sha1", "sha256", "sha512");

    private final Path folder;
    private final String version;
    private final List<String> violations = new ArrayList<>();

    private CentralRules(Path folder, String version) {
        this.folder = folder;
        this.version = version;
    }

    public static void main(String[] arguments) throws Exception {
        CentralRules rules = new CentralRules(Path.of(arguments[0]), arguments[1]);
        List<Path> files = rules.artifacts();
        Set<String> published = rules.check(files);
        Set<String> listed = new TreeSet<>(LISTED.matcher(Files.readString(Path.of(arguments[2])))
                .results()
                .map(line -> line.group(1))
                .toList());
        if (!published.equals(listed)) {
            rules.violations.add("published are " + published + ", but listed are " + listed);
        }
        rules.violations.forEach(System.out::println);
        System.out.println(published.size() + " artifacts, " + files.size() + " files, " + rules.violations.size() + " violations");
        System.exit(rules.violations.isEmpty() ? 0 : 1);
    }

    /** Returns the files that are no signatures, checksums or indexes. */
    private List<Path> artifacts() throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(Files::isRegularFile)
                    .filter(file -> !file.toString().matches(".*\\.(asc|md5|sha1|sha256|sha512)|.*/maven-metadata.*"))
                    .sorted()
                    .toList();
        }
    }

    private Set<String> check(List<Path> files) throws Exception {
        Set<String> published = new TreeSet<>();
        for (Path file : files) {
            verifySignature(file);
            verifyChecksums(file, List.of("md5", "sha1"));
            if (file.toString().endsWith(".pom")) {
                published.add(checkPom(file));
            }
        }
        return published;
    }

    private String checkPom(Path file) throws Exception {
        Element pom = parse(file);
        String artifact = text(pom, "artifactId").orElse("");
        Path place = folder.resolve(GROUP.replace('.', '/')).resolve(artifact).resolve(version);
        require(file, file.equals(place.resolve(artifact + "-" + version + ".pom")), "is not at " + place);
        for (String own : List.of("name", "description")) {
            require(file, text(pom, own).isPresent(), "has no " + own);
        }
        for (String inherited : INHERITED) {
            require(file, inherited(pom, inherited).isPresent(), "has no " + inherited + ", and neither has its parent");
        }
        String source = Files.readString(file);
        require(file, !source.contains("-SNAPSHOT"), "names a snapshot");
        require(file, !source.contains("<repositories>"), "names repositories");
        require(file, !source.contains("<pluginRepositories>"), "names repositories of plugins");
        require(file, !source.contains("<scope>system</scope>"), "has a dependency with the scope system");
        if (text(pom, "packaging").orElse("jar").equals("jar")) {
            requireEntry(place.resolve(artifact + "-" + version + ".jar"), "META-INF/MANIFEST.MF");
            requireEntry(place.resolve(artifact + "-" + version + "-sources.jar"), ".java");
            requireEntry(place.resolve(artifact + "-" + version + "-javadoc.jar"), "index.html");
        }
        for (Element dependency : dependencies(pom)) {
            checkDependency(file, dependency);
        }
        return artifact;
    }

    /** What a user receives by a dependency on an artifact of ours is published too. */
    private void checkDependency(Path file, Element dependency) {
        String name = text(dependency, "artifactId").orElse("");
        String scope = text(dependency, "scope").orElse("compile");
        if (text(dependency, "groupId").orElse("").equals(GROUP) && Set.of("compile", "runtime").contains(scope)) {
            require(
                    file,
                    Files.exists(folder.resolve(GROUP.replace('.', '/')).resolve(name).resolve(version)),
                    "needs " + name + ", which is not published");
        }
    }

    private void requireEntry(Path jar, String ending) throws IOException {
        if (!Files.exists(jar)) {
            violations.add(jar.getFileName() + " is missing");
            return;
        }
        try (ZipFile zip = new ZipFile(jar.toFile())) {
            require(jar, zip.stream().anyMatch(entry -> entry.getName().endsWith(ending)), "has no entry " + ending);
        }
    }

    private void verifySignature(Path file) throws Exception {
        Path signature = Path.of(file + ".asc");
        if (!Files.exists(signature)) {
            violations.add(file.getFileName() + " is not signed");
            return;
        }
        Process gpg = new ProcessBuilder("gpg", "--batch", "--verify", signature.toString(), file.toString())
                .redirectErrorStream(true)
                .start();
        String output = new String(gpg.getInputStream().readAllBytes());
        require(file, gpg.waitFor() == 0, "has a signature that gpg refuses: " + output.strip());
    }

    private void verifyChecksums(Path file, List<String> demanded) throws Exception {
        for (String kind : CHECKSUMS) {
            Path stored = Path.of(file + "." + kind);
            if (!Files.exists(stored)) {
                require(file, !demanded.contains(kind), "has no " + kind);
                continue;
            }
            MessageDigest digest = MessageDigest.getInstance(
                    kind.equals("md5") ? "MD5" : kind.replaceFirst("sha", "SHA-"));
            String actual = HexFormat.of().formatHex(digest.digest(Files.readAllBytes(file)));
            require(file, Files.readString(stored).strip().equals(actual), "differs from its " + kind);
        }
    }

    private void require(Path file, boolean condition, String violation) {
        if (!condition) {
            violations.add(file.getFileName() + " " + violation);
        }
    }

    private Optional<String> inherited(Element pom, String path) throws Exception {
        Optional<String> own = text(pom, path.split("/"));
        Optional<Element> parent = child(pom, "parent");
        if (own.isPresent() || parent.isEmpty()) {
            return own;
        }
        String name = text(parent.get(), "artifactId").orElse("");
        Path file = folder.resolve(GROUP.replace('.', '/'))
                .resolve(name)
                .resolve(version)
                .resolve(name + "-" + version + ".pom");
        return Files.exists(file) ? inherited(parse(file), path) : Optional.empty();
    }

    private static Element parse(Path file) throws Exception {
        return DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(file.toFile())
                .getDocumentElement();
    }

    private static List<Element> dependencies(Element pom) {
        return child(pom, "dependencies").map(CentralRules::children).orElse(List.of());
    }

    private static Optional<String> text(Element element, String... path) {
        Optional<Element> found = Optional.of(element);
        for (String name : path) {
            found = found.flatMap(each -> child(each, name));
        }
        return found.map(Node::getTextContent).map(String::strip).filter(text -> !text.isEmpty());
    }

    private static Optional<Element> child(Element element, String name) {
        return children(element).stream()
                .filter(each -> each.getTagName().equals(name))
                .findFirst();
    }

    private static List<Element> children(Element element) {
        return Stream.iterate(element.getFirstChild(), node -> node != null, Node::getNextSibling)
                .filter(Element.class::isInstance)
                .map(Element.class::cast)
                .collect(Collectors.toList());
    }
}
