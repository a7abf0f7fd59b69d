// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.it;

import static java.util.Map.entry;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.source.tree.AssignmentTree;
import com.sun.source.tree.BinaryTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.ExpressionTree;
import com.sun.source.tree.LiteralTree;
import com.sun.source.tree.MemberReferenceTree;
import com.sun.source.tree.MemberSelectTree;
import com.sun.source.tree.MethodInvocationTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.NewClassTree;
import com.sun.source.tree.ParenthesizedTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.VariableTree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TreeScanner;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.lang.model.element.Name;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * {@code docs/operations.md} has each line that the product logs as WARN or ERROR, and no other. A line of the sources is its text with
 * {@code …} for what varies. An entry of the document is a line of a block {@code log}: a level and a text, in which {@code …} stands
 * for any characters.
 */
class LogLinesTest {

    private static final Path PROJECT = Path.of("").toAbsolutePath().getParent();
    private static final Path DOCUMENT = PROJECT.resolve("docs/operations.md");
    private static final Pattern PRODUCT = Pattern.compile("discovery-\\w+|connectors|work|zk-server|cluster-info");
    private static final Pattern BLOCK = Pattern.compile("(?ms)^```log\n(.*?)^```");
    private static final Pattern LOGGER = Pattern.compile("LOG|log|logger");
    private static final Map<String, String> LEVELS = Map.of("warn", "WARN", "error", "ERROR");
    private static final String VARIES = "…";
    private static final int FEWEST_LETTERS = 12;

    /**
     * The methods that log, or hand on, sentences that are written elsewhere, with these places: a class, and the name of a method, variable,
     * constant or exception that has the sentence; with brackets, of a method that is called with it. Without a class that is any but their
     * own.
     */
    private static final Map<String, List<String>> ELSEWHERE = Map.ofEntries(
            entry("Journal.log", List.of("ReasonCode:SUSPENDED_ON", "ReasonCode:CUT_OFF")),
            entry(
                    "Journal.warnOfListeners",
                    List.of(
                            "ReasonCode:VIEW_INVALIDATED",
                            "ReasonCode:ANNOUNCING_NEXT",
                            "ReasonCode:REJOINING_NEXT",
                            "ReasonCode:STEPPING_DOWN_NEXT",
                            "ReasonCode:ACKNOWLEDGING_NEXT")),
            entry("Neighbours.open", List.of("ReasonCode:NOT_LISTENING")),
            entry("Problems.recordFailure", List.of("ReasonCode:REJECTED")),
            entry("Problems.recordStoreGoneBack", List.of("ReasonCode:STORE_REGRESSED")),
            entry(
                    "AnnouncedClusters",
                    List.of("SharedReader:broken.accept()", "SharedReader:sentences.add()", "DampedClusters:sentence")),
            entry("HeldAnnouncements.warn", List.of("HeldAnnouncements:warn()")),
            entry("DiscoveryComponent.configure", List.of("ConfigurationReader:problems.add()")),
            entry("DiscoveryComponent.warnOfDifferences", List.of("DifferentSettings:sentence")),
            entry(
                    "ConnectorComponent.configure",
                    List.of(
                            "ConnectorConfiguration:problems.add()",
                            "ConfigurationReader:problems.add()",
                            "AllowList:problems.add()")),
            entry("OtherDiscoveryServices.addingService", List.of("OtherDiscoveryServices:problem")),
            entry("PropertyCollection.fitting", List.of("PropertyCollection:sentence")),
            entry("PropertySource.register", List.of("PropertyNames:of")),
            entry("PropertySource.remember", List.of("PropertySource:complaints.add()")),
            entry("ZooKeeperBackend.settings", List.of("ConfigurationReader:problems.add()")),
            entry("ObserverNotifier.notifyTrouble", List.of("notifyTrouble()", "notifySharingTrouble()")),
            entry(
                    "ZooKeeperStore.troubled",
                    List.of("listener.troubled()", "AccessGuard:refusal", "BackendSettings:access")),
            entry("AccessGuard.take", List.of("StoreAccess:problem")),
            entry("ClusterCache.handleFailure", List.of("FullRead:Refused")),
            entry("Connection.<init>", List.of("OutageLog:warning.accept()")),
            entry(
                    "Connection.explainTrouble",
                    List.of("Hosts:trouble.accept()", "ClientTls:problem", "ClientTls:shakeHands")),
            entry("Connection.processSessionEvent", List.of("ClientSecurity:rejected")),
            entry("Connection.processReply", List.of("ClientSecurity:required")),
            entry("Connection.replaceClient", List.of("ClientSecurity:problem", "ClientTls:problem")),
            entry("Hosts.next", List.of("Hosts:sentence")),
            entry(
                    "AnnouncementWriter.report",
                    List.of("AnnouncementWriter:failures.put()", "AnnouncementRecords:tooLarge")),
            entry(
                    "NodeProblems.report",
                    List.of(
                            "FollowedNodes:report()",
                            "OtherCluster:report()",
                            "Announcements:report()",
                            "Follower:report()")),
            entry("Announcements.skips", List.of("NodeKind:foreignSentence")),
            entry("Announcements.put", List.of("NodeKind:foreignSentence")),
            entry("Follower.skips", List.of("NodeKind:foreignSentence")),
            entry("WorkComponent.configure", List.of("ConfigurationReader:problems.add()")),
            entry("OwnServer.say", List.of("DataFolder:problems", "DataFolder:disk")),
            entry(
                    "ServerComponent.configure",
                    List.of("ServerComponent:found.add()", "ConfigurationReader:problems.add()")));

    /** A log line, or an entry of the document; lines of the sources name their class. */
    private record Line(String level, String text, String where) {
        @Override
        public String toString() {
            return level + " " + text + (where.isEmpty() ? "" : "   (" + where + ")");
        }
    }

    private static final Map<String, CompilationUnitTree> SOURCES = new HashMap<>();
    private static final Set<String> UNUSED = new HashSet<>(ELSEWHERE.keySet());

    @BeforeAll
    static void parse() throws IOException {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        try (StandardJavaFileManager manager = compiler.getStandardFileManager(null, null, null);
                Stream<Path> modules = Stream.concat(Files.list(PROJECT), Files.list(PROJECT.resolve("extras")))) {
            List<Path> paths = new ArrayList<>();
            for (Path module : modules.filter(each ->
                            PRODUCT.matcher(each.getFileName().toString()).matches())
                    .toList()) {
                try (Stream<Path> files = Files.walk(module.resolve("src/main/java"))) {
                    files.filter(each -> each.toString().endsWith(".java")).forEach(paths::add);
                }
            }
            JavacTask task = (JavacTask)
                    compiler.getTask(null, manager, null, null, null, manager.getJavaFileObjectsFromPaths(paths));
            for (CompilationUnitTree unit : task.parse()) {
                SOURCES.put(
                        Path.of(unit.getSourceFile().getName()).getFileName().toString(), unit);
            }
        }
    }

    @Test
    void theDocumentHasEachLineAndNoOther() throws IOException {
        Set<Line> entries = entries();
        List<Line> lines = SOURCES.keySet().stream()
                .sorted()
                .flatMap(file -> lines(file).stream())
                .toList();
        Set<String> wrong = new TreeSet<>();
        Set<Line> used = new HashSet<>();
        for (Line line : lines) {
            List<Line> matching =
                    entries.stream().filter(entry -> matches(entry, line)).toList();
            used.addAll(matching);
            if (matching.size() != 1) {
                wrong.add((matching.isEmpty() ? "no entry for  " : "more than one entry for  ") + line);
            }
        }
        entries.stream().filter(entry -> !used.contains(entry)).forEach(entry -> wrong.add("nothing logs  " + entry));
        entries.stream()
                .filter(entry -> letters(entry.text()) < FEWEST_LETTERS)
                .forEach(entry -> wrong.add("too few letters in  " + entry));
        UNUSED.forEach(each -> wrong.add("the list ELSEWHERE names without need  " + each));
        assertThat(wrong)
                .as("log lines in %s, see ELSEWHERE", DOCUMENT.getFileName())
                .isEmpty();
        assertThat(lines).hasSizeGreaterThan(50);
    }

    private static Set<Line> entries() throws IOException {
        return BLOCK.matcher(Files.readString(DOCUMENT))
                .results()
                .flatMap(block -> block.group(1).lines())
                .map(line -> new Line(line.substring(0, line.indexOf(' ')), line.substring(line.indexOf(' ') + 1), ""))
                .collect(Collectors.toSet());
    }

    /** Compares piece by piece, because the time of a regular expression with so many wildcards would have no bound. */
    private static boolean matches(Line entry, Line line) {
        String[] pieces = entry.text().split(VARIES, -1);
        String last = pieces[pieces.length - 1];
        int end = line.text().length() - last.length();
        if (!entry.level().equals(line.level())
                || !line.text().startsWith(pieces[0])
                || !line.text().endsWith(last)) {
            return false;
        }
        int at = pieces[0].length();
        for (String piece : List.of(pieces).subList(1, Math.max(1, pieces.length - 1))) {
            int found = line.text().indexOf(piece, at);
            if (found < 0) {
                return false;
            }
            at = found + piece.length();
        }
        return pieces.length == 1 ? end == 0 : at <= end;
    }

    private static long letters(String text) {
        return text.chars().filter(Character::isLetter).count();
    }

    /** Visits a source, and knows in which method it is. */
    private abstract static class Visitor extends TreeScanner<Void, Void> {
        private final String file;
        private String method = "";

        private Visitor(String file) {
            this.file = file;
        }

        /** Returns the class with the method, or the class outside of methods. */
        final String where() {
            return file.replace(".java", method);
        }

        final void visit() {
            assertThat(SOURCES).as("sources").containsKey(file);
            scan(SOURCES.get(file), null);
        }

        @Override
        public Void visitMethod(MethodTree entered, Void none) {
            String outer = method;
            method = "." + entered.getName();
            super.visitMethod(entered, none);
            method = outer;
            return null;
        }
    }

    /** Returns the lines that a source logs, with the sentences from elsewhere. */
    private static List<Line> lines(String file) {
        List<Line> lines = new ArrayList<>();
        new Visitor(file) {
            @Override
            public Void visitMethodInvocation(MethodInvocationTree call, Void none) {
                if (call.getMethodSelect() instanceof MemberSelectTree select
                        && isLog(select.getExpression(), select.getIdentifier())) {
                    add(select.getIdentifier(), text(call.getArguments().get(0)));
                }
                return super.visitMethodInvocation(call, none);
            }

            @Override
            public Void visitMemberReference(MemberReferenceTree reference, Void none) {
                if (isLog(reference.getQualifierExpression(), reference.getName())) {
                    add(reference.getName(), VARIES);
                }
                return super.visitMemberReference(reference, none);
            }

            private boolean isLog(ExpressionTree receiver, Name method) {
                return LOGGER.matcher(receiver.toString()).matches() && LEVELS.containsKey(method.toString());
            }

            private void add(Name method, String text) {
                String level = LEVELS.get(method.toString());
                Set<String> sentences = text.endsWith(VARIES) ? elsewhere(where(), new HashSet<>()) : Set.<String>of();
                String before = sentences.isEmpty() ? text : text.substring(0, text.length() - 1);
                (sentences.isEmpty() ? Set.of("") : sentences)
                        .forEach(each -> lines.add(new Line(level, before + each, where())));
            }
        }.visit();
        return lines;
    }

    /** Returns the sentences that a method takes from elsewhere; empty if the list does not name it. */
    private static Set<String> elsewhere(String method, Set<String> path) {
        Set<String> sentences = new TreeSet<>();
        if (path.add(method)) {
            UNUSED.remove(method);
            for (String place : ELSEWHERE.getOrDefault(method, List.of())) {
                String name = place.substring(place.indexOf(':') + 1);
                Stream<String> files = name.equals(place)
                        ? SOURCES.keySet().stream().filter(each -> !method.startsWith(each.replace("java", "")))
                        : Stream.of(place.replaceFirst(":.*", ".java"));
                Set<String> there = files.flatMap(file -> sentences(file, name, path).stream())
                        .collect(Collectors.toSet());
                assertThat(there).as("sentences at %s", place).isNotEmpty();
                sentences.addAll(there);
            }
        }
        return sentences;
    }

    private static Set<String> sentences(String file, String name, Set<String> path) {
        Set<String> sentences = new TreeSet<>();
        new Visitor(file) {
            @Override
            public Void visitMethodInvocation(MethodInvocationTree call, Void none) {
                if (("." + call.getMethodSelect() + "()").endsWith("." + name)) {
                    addPassed(call.getArguments());
                }
                return super.visitMethodInvocation(call, none);
            }

            @Override
            public Void visitNewClass(NewClassTree creation, Void none) {
                if (creation.getIdentifier().toString().equals(name)) {
                    addPassed(creation.getArguments());
                }
                return super.visitNewClass(creation, none);
            }

            @Override
            public Void visitMethod(MethodTree method, Void none) {
                if (method.getName().contentEquals(name)) {
                    sentences.addAll(texts(method.getBody()));
                }
                return super.visitMethod(method, none);
            }

            @Override
            public Void visitVariable(VariableTree variable, Void none) {
                if (variable.getName().contentEquals(name)) {
                    // What follows the sentence of a reason is its countdown, which is not logged.
                    sentences.addAll(texts(
                            variable.getInitializer() instanceof NewClassTree reason && file.equals("ReasonCode.java")
                                    ? reason.getArguments().get(0)
                                    : variable.getInitializer()));
                }
                return super.visitVariable(variable, none);
            }

            @Override
            public Void visitAssignment(AssignmentTree assignment, Void none) {
                if (("." + assignment.getVariable()).endsWith("." + name)) {
                    sentences.addAll(texts(assignment.getExpression()));
                }
                return super.visitAssignment(assignment, none);
            }

            private void addPassed(List<? extends ExpressionTree> arguments) {
                Set<String> found = new TreeSet<>();
                arguments.forEach(each -> found.addAll(texts(each)));
                sentences.addAll(found);
                if (found.isEmpty() && !arguments.stream().allMatch(LiteralTree.class::isInstance)) {
                    sentences.addAll(
                            ELSEWHERE.containsKey(where())
                                    ? elsewhere(where(), path)
                                    : Set.of("what " + where() + " hands on"));
                }
            }
        }.visit();
        return sentences;
    }

    /** Returns the texts within a part of a source that are long enough for a sentence. */
    private static Set<String> texts(Tree part) {
        Set<String> texts = new TreeSet<>();
        new TreeScanner<Void, Void>() {
            @Override
            public Void visitBinary(BinaryTree sum, Void none) {
                return add(text(sum)) ? null : super.visitBinary(sum, none);
            }

            @Override
            public Void visitLiteral(LiteralTree literal, Void none) {
                add(text(literal));
                return null;
            }

            private boolean add(String text) {
                return letters(text) >= FEWEST_LETTERS && texts.add(text);
            }
        }.scan(part, null);
        return texts;
    }

    /** Returns a text with {@link #VARIES} in place of each expression and placeholder. */
    private static String text(ExpressionTree expression) {
        String text = VARIES;
        if (expression instanceof LiteralTree literal && literal.getValue() instanceof String constant) {
            text = constant.replaceAll("\\{[^}]*\\}", VARIES);
        } else if (expression instanceof ParenthesizedTree inner) {
            text = text(inner.getExpression());
        } else if (expression instanceof BinaryTree sum && sum.getKind() == Tree.Kind.PLUS) {
            text = text(sum.getLeftOperand()) + text(sum.getRightOperand());
        }
        return text.replaceAll(VARIES + "+", VARIES);
    }
}
