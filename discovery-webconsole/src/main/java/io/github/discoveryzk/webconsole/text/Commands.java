// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.webconsole.text;

import io.github.discoveryzk.report.AddedSection;
import io.github.discoveryzk.report.Operator;
import io.github.discoveryzk.report.Reporter;
import io.github.discoveryzk.report.TopologyReport;
import io.github.discoveryzk.webconsole.content.Escape;
import io.github.discoveryzk.webconsole.content.Phrases;
import io.github.discoveryzk.webconsole.content.Section;
import io.github.discoveryzk.webconsole.json.JsonRenderer;
import io.github.discoveryzk.webconsole.query.ReportReader;
import io.github.discoveryzk.webconsole.section.AddedSections;
import io.github.discoveryzk.webconsole.section.RestartPlan;
import java.time.ZoneId;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.apache.felix.service.command.Descriptor;
import org.apache.felix.service.command.Parameter;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicy;
import org.osgi.service.component.annotations.ReferencePolicyOption;

/**
 * The shell commands. Each prints to the standard output, which the shells of Felix and Karaf lead to the session of the caller: a
 * returned value would not be printed where Karaf executes a single command. A command fails if there is nothing to show or if nothing
 * happens. It waits at most 5 s for the store, and 60 s if it has to read or write all nodes.
 */
@Component(
        service = Commands.class,
        property = {
            "osgi.command.scope=discovery",
            "osgi.command.function=topology",
            "osgi.command.function=instances",
            "osgi.command.function=connectors",
            "osgi.command.function=history",
            "osgi.command.function=explain",
            "osgi.command.function=data",
            "osgi.command.function=tree",
            "osgi.command.function=acl",
            "osgi.command.function=stepdown",
            "osgi.command.function=evict",
            "osgi.command.function=lead",
            "osgi.command.function=safetostop",
            "osgi.command.function=restartorder"
        })
public final class Commands {
    private static final ReportReader PATIENT = new ReportReader(60_000);

    @Reference(
            cardinality = ReferenceCardinality.OPTIONAL,
            policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY)
    private volatile Reporter reporter;

    @Reference(
            cardinality = ReferenceCardinality.OPTIONAL,
            policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY)
    private volatile Operator operator;

    @Reference(policy = ReferencePolicy.DYNAMIC, policyOption = ReferencePolicyOption.GREEDY)
    private volatile List<AddedSection> added = List.of();

    @Descriptor("shows the whole report of the topology")
    public void topology(
            @Descriptor("prints JSON by the published schema")
                    @Parameter(names = "--json", presentValue = "true", absentValue = "false")
                    boolean json) {
        TopologyReport report = withHistory();
        print(
                json
                        ? JsonRenderer.document(report, present(reporter), AddedSections.of(added))
                        : text(report).all());
    }

    @Descriptor("shows the instances of all clusters with their properties")
    public void instances() {
        print(text(present(reporter).report()).clusters());
    }

    @Descriptor(
            "shows the connectors to other clusters: those that this instance opens, those that peers open, and refused"
                    + " requests")
    public void connectors() {
        print(text(present(reporter).report()).connectors());
    }

    @Descriptor("shows the past views of the cluster, newest first: which instances joined and left, and why")
    public void history(
            @Descriptor("shows at most this number of views, the newest ones")
                    @Parameter(names = "--last", absentValue = "500")
                    int last) {
        print(text(withHistory()).history(last));
    }

    @Descriptor(
            "explains the state of this instance: the leader, what it waits for, and which instances and listeners delay"
                    + " it")
    public void explain() {
        print(text(present(reporter).report()).explanation());
    }

    @Descriptor("shows what members share for applications, as far as a bundle of this instance has opened it")
    public void data(@Descriptor("a scope, and a name in it; nothing for all") String... place) {
        if (place.length > 2 || List.of(place).contains("--help")) {
            throw misuse("data");
        }
        TopologyReport report = present(reporter).report();
        Section section = AddedSections.of(added)
                .section(AddedSections.DATA, row -> isAt(row, List.of(place)), report.names())
                .orElseThrow(() -> new CommandFailure("No bundle of this instance has opened shared data."));
        print(text(report).section(section));
    }

    /** Says whether a row belongs to a place. The name of an entry begins with that of its map. */
    private static boolean isAt(List<String> row, List<String> place) {
        return (place.isEmpty() || row.get(0).equals(place.get(0)))
                && (place.size() < 2 || (row.get(1) + ": ").startsWith(place.get(1) + ": "));
    }

    @Descriptor("shows the nodes of the store, decoded and with secrets masked")
    public void tree() {
        try {
            print(TextRenderer.tree(ReportReader.DEFAULT.await(present(reporter).readTree()), ZoneId.systemDefault()));
        } catch (ReportReader.Unavailable e) {
            throw new CommandFailure("The store cannot be shown: " + e.getMessage());
        }
    }

    @Descriptor("compares the access rights of all nodes of the store with the configured ones")
    public void acl(
            @Descriptor("repair: gives the configured access rights to all nodes that have other ones")
                    String... action) {
        boolean repair = List.of(action).equals(List.of("repair"));
        if (action.length > 0 && !repair) {
            throw misuse("acl");
        }
        try {
            print(TextRenderer.access(PATIENT.await(present(reporter).checkAccess(repair))));
        } catch (ReportReader.Unavailable e) {
            throw new CommandFailure("The access rights cannot be compared: " + e.getMessage());
        }
    }

    @Descriptor("makes this instance give up its seniority, and the lead; it rejoins at the end")
    public void stepdown() {
        perform(Operator::stepDown);
    }

    @Descriptor("removes another instance from the cluster; if it is alive, it rejoins at the end of the order")
    public void evict(@Descriptor("instance id or member node") String target) {
        perform("evict", target, Operator::evict);
    }

    @Descriptor("makes an instance the leader: evicts its seniors, one after the other; repeat it to see who is left")
    public void lead(@Descriptor("instance id or member node") String target) {
        perform("lead", target, Operator::lead);
    }

    @Descriptor("fails with the reasons if this container should not be stopped now")
    public void safetostop() {
        List<String> objections = present(reporter).objections();
        if (!objections.isEmpty()) {
            throw new CommandFailure("Do not stop this container now. " + String.join(" ", objections));
        }
        print("This container may be stopped now.");
    }

    @Descriptor("shows in which order to restart all containers, one after the other")
    public void restartorder() {
        print(text(withHistory()).section(RestartPlan.of(reporter).steps()));
    }

    /** The shell calls the method of this name with a command and its arguments where they fit no other method. */
    @SuppressWarnings("DoNotCallSuggester") // The shell calls it, to fail.
    public void _main(String... call) {
        throw misuse(call[0]);
    }

    private static CommandFailure misuse(String command) {
        String arguments =
                switch (command) {
                    case "topology" -> " [--json]";
                    case "history" -> " [--last <count>]";
                    case "data" -> " [<scope> [<name>]]";
                    case "acl" -> " [repair]";
                    case "evict", "lead" -> " <instance id or node>";
                    default -> "";
                };
        return new CommandFailure("Usage: discovery:" + command + arguments);
    }

    private void perform(String command, String target, BiFunction<Operator, String, Operator.Result> action) {
        if (target.equals("--help")) {
            throw misuse(command);
        }
        perform(each -> action.apply(each, target));
    }

    private void perform(Function<Operator, Operator.Result> action) {
        Operator.Result result = action.apply(present(operator));
        if (!result.success()) {
            throw new CommandFailure(result.sentence());
        }
        print(Escape.line(result.sentence()));
    }

    private TopologyReport withHistory() {
        return ReportReader.DEFAULT.readReport(present(reporter));
    }

    private static <T> T present(T service) {
        if (service == null) {
            throw new CommandFailure(Phrases.INACTIVE);
        }
        return service;
    }

    private static TextRenderer text(TopologyReport report) {
        return new TextRenderer(report, ZoneId.systemDefault());
    }

    private static void print(String text) {
        System.out.println(text.strip());
    }

    /** A command has not done what it was called for. The shell shows the sentence, and counts the command as failed. */
    static final class CommandFailure extends RuntimeException {
        private static final long serialVersionUID = 1L;

        CommandFailure(String sentence) {
            super(Escape.line(sentence));
        }
    }
}
