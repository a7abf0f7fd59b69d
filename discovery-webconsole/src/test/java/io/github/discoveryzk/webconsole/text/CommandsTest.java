// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.webconsole.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.github.discoveryzk.report.AddedSection;
import io.github.discoveryzk.webconsole.testing.Acting;
import io.github.discoveryzk.webconsole.testing.AskedReporter;
import io.github.discoveryzk.webconsole.testing.Bound;
import io.github.discoveryzk.webconsole.testing.RemoteReports;
import io.github.discoveryzk.webconsole.testing.Reports;
import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.apache.felix.gogo.runtime.CommandProcessorImpl;
import org.apache.felix.gogo.runtime.threadio.ThreadIOImpl;
import org.apache.felix.service.command.CommandSession;
import org.apache.felix.service.command.Descriptor;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.FieldSource;

/** The commands in the shell's own runtime. */
class CommandsTest {
    static final List<String> COMMANDS = List.of(
            "topology",
            "instances",
            "connectors",
            "history",
            "explain",
            "data",
            "tree",
            "acl",
            "stepdown",
            "evict",
            "lead",
            "safetostop",
            "restartorder");
    static final List<String> CALLS = COMMANDS.stream()
            .map(name -> List.of("evict", "lead").contains(name) ? name + " b" : name)
            .toList();

    private final Commands commands = new Commands();
    private final ThreadIOImpl threads = new ThreadIOImpl();
    private final CommandProcessorImpl shell = new CommandProcessorImpl(threads);
    private final AskedReporter reporter = new AskedReporter(Reports.hostile("text"));
    private final Acting acting = new Acting();
    private final ByteArrayOutputStream printed = new ByteArrayOutputStream();

    @BeforeEach
    void start() throws ReflectiveOperationException {
        threads.start();
        Bound.in(commands, "reporter", reporter);
        Bound.in(commands, "operator", acting);
        AddedSection data = () -> new AddedSection.Content(
                "Shared data",
                List.of("Two names."),
                List.of("Scope", "Name", "Kind"),
                List.of(
                        List.of("app", "limit", "number"),
                        List.of("app", "limits: a", "text"),
                        List.of("b", "c", "text")));
        AddedSection restart = () -> new AddedSection.Content(
                "Restart",
                List.of("In this order."),
                List.of("Order", "Instance", "Why"),
                List.of(List.of("1", "b", ""), List.of("2", "a", "it leads")));
        Bound.in(commands, "added", List.of(data, restart));
        COMMANDS.forEach(name -> shell.addCommand("discovery", commands, name));
        shell.addCommand("discovery", new First(), "first");
    }

    @AfterEach
    void stop() {
        shell.stop();
        threads.stop();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
            topology         | State:         Settled since | History of views     | nothing of the kind
            topology --json  | {"schema":5,                 | "history":{          | State:
            instances        | Cluster text                 | 1. text [leader]     | History
            connectors       | Connectors                   | peer text-gone: failing for | State:
            history          | What happened                | View 1               | Cluster
            history --last 1 | What happened                | View 1               | Cluster
            history --last 0 | What happened                | newest first         | View 1
            explain          | State:                       | Listeners            | History
            data             | Shared data                  | b: c; kind text      | State:
            data app         | Shared data                  | app: limits: a; kind text | b: c
            data app limits  | Shared data                  | app: limits: a       | app: limit;
            tree             | Read:                        | /sling/discovery     | State:
            acl              | Access rights of the nodes   | world:anyone:cdrwa   | State:
            """)
    void eachShowsItsPartAndNothingElse(String command, String start, String part, String other) throws Exception {
        assertThat(run(command)).startsWith(start).contains(part).doesNotContain(other);
    }

    @ParameterizedTest
    @CsvSource({
        "evict, evict <instance id or node>",
        "evict --help, evict <instance id or node>",
        "evict a b, evict <instance id or node>",
        "lead, lead <instance id or node>",
        "lead --help, lead <instance id or node>",
        "explain a, explain",
        "explain --help, explain",
        "instances --help, instances",
        "connectors --help, connectors",
        "tree --help, tree",
        "data --help, data [<scope> [<name>]]",
        "data a b c, data [<scope> [<name>]]",
        "topology --help, topology [--json]",
        "topology --text, topology [--json]",
        "history 5, history [--last <count>]",
        "history --help, history [--last <count>]",
        "history --last x, history [--last <count>]",
        "stepdown --now, stepdown",
        "stepdown --help, stepdown",
        "acl --help, acl [repair]",
        "acl mend, acl [repair]",
        "acl repair repair, acl [repair]"
    })
    void aWrongCallSaysHowItIsUsedAndDoesNothing(String line, String usage) {
        assertThat(failure(line)).isEqualTo("Usage: discovery:" + usage);
        assertThat(acting.done).isEmpty();
    }

    @ParameterizedTest
    @FieldSource("COMMANDS")
    void theShellExplainsEachOption(String command) {
        assertThat(Stream.of(commands.getClass().getMethods())
                        .filter(each -> each.getName().equals(command)))
                .singleElement()
                .satisfies(method -> {
                    assertThat(method.isAnnotationPresent(Descriptor.class)).isTrue();
                    assertThat(method.getParameters()).allMatch(each -> each.isAnnotationPresent(Descriptor.class));
                });
    }

    @Test
    void theOutputCanBeKeptAndPiped() throws Exception {
        assertThat(run("explain | discovery:first")).startsWith("State:").doesNotContain("\n");
        assertThat((String) execute("explain; kept = (discovery:explain)"))
                .startsWith("State:")
                .contains("Listeners");
        assertThat(execute("topology")).as("a shell prints a result too").isNull();
    }

    @Test
    void theStoreMayBeAway() throws Exception {
        reporter.treeAnswers(CompletableFuture.failedFuture(new IllegalStateException("It is away.")));
        assertThat(failure("tree")).isEqualTo("The store cannot be shown: It is away.");
        reporter.accessAnswers(CompletableFuture.failedFuture(new IllegalStateException("It is away.")));
        assertThat(failure("acl")).isEqualTo("The access rights cannot be compared: It is away.");
        reporter.historyAnswers(CompletableFuture.failedFuture(new IllegalStateException("It is away.")));
        assertThat(run("history")).contains("The history may be incomplete: It is away.", "View 1");
    }

    @Test
    void actsSayWhatHappens() throws Exception {
        assertThat(run("stepdown")).isEqualTo("It steps down.");
        assertThat(run("evict a/b")).isEqualTo("It evicts\\na/b");
        assertThat(run("lead b")).isEqualTo("It makes b lead.");
        assertThat(acting.done).containsExactly("step down", "evict a/b", "lead b");
    }

    @Test
    void accessRightsAreComparedAndSetOnRequest() throws Exception {
        assertThat(run("acl"))
                .contains(
                        "  Compared:      1 of 12 nodes differ from creator; this instance is x509:CN=It is denied.",
                        "  /sling/It is denied.: world:anyone:cdrwa; not set It is denied.");
        assertThat(reporter.repairs()).isZero();
        run("acl repair");
        assertThat(reporter.repairs()).isEqualTo(1);
    }

    @Test
    void anActionThatDoesNothingIsAFailure() throws Exception {
        acting.success = false;
        assertThat(failure("evict b")).isEqualTo("It evicts\\nb");
        assertThat(failure("stepdown")).isEqualTo("It steps down.");
    }

    @ParameterizedTest
    @FieldSource("CALLS")
    void eachSaysThatTheServiceIsAbsent(String line) throws Exception {
        Bound.in(commands, "reporter", null);
        Bound.in(commands, "operator", null);
        assertThat(failure(line)).isEqualTo("The discovery service is not active.");
    }

    @Test
    void nothingReachesTheTerminalThatCannotBeSeen() throws Exception {
        reporter.reports(RemoteReports.hostile("\u001b[2J\u009b2J\r\u202e"));
        for (String line : List.of("topology", "topology --json", "tree", "instances", "explain", "connectors")) {
            assertThat(run(line)).as(line).doesNotContain("\u001b", "\u009b", "\r", "\u202e");
        }
        acting.success = false;
        assertThat(failure("evict '\u001b\u202e'")).doesNotContain("\u001b", "\u202e");
    }

    private Object execute(String line) throws Exception {
        printed.reset();
        try (CommandSession session =
                shell.createSession(new ByteArrayInputStream(new byte[0]), printed, new ByteArrayOutputStream())) {
            return session.execute("discovery:" + line);
        }
    }

    private String run(String line) throws Exception {
        execute(line);
        return printed.toString(StandardCharsets.UTF_8).stripTrailing();
    }

    private String failure(String line) {
        Throwable thrown = catchThrowable(() -> execute(line));
        assertThat(thrown).as(line).isInstanceOf(Commands.CommandFailure.class);
        return thrown.getMessage();
    }

    /** A command that reads what another one prints. */
    public static final class First {
        public void first() throws IOException {
            System.out.println(new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8)).readLine());
        }
    }
}
