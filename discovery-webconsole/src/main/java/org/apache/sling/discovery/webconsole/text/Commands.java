// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.webconsole.text;

import java.time.ZoneId;
import java.util.function.Function;
import org.apache.felix.service.command.Descriptor;
import org.apache.felix.service.command.Parameter;
import org.apache.sling.discovery.commons.report.Operator;
import org.apache.sling.discovery.commons.report.Reporter;
import org.apache.sling.discovery.commons.report.StoreTree;
import org.apache.sling.discovery.commons.report.TopologyReport;
import org.apache.sling.discovery.webconsole.content.Escape;
import org.apache.sling.discovery.webconsole.content.Phrases;
import org.apache.sling.discovery.webconsole.json.JsonRenderer;
import org.apache.sling.discovery.webconsole.query.InstanceFilter;
import org.apache.sling.discovery.webconsole.query.InvalidParameter;
import org.apache.sling.discovery.webconsole.query.ReportReader;
import org.apache.sling.discovery.webconsole.query.Selection;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicy;
import org.osgi.service.component.annotations.ReferencePolicyOption;

/**
 * The shell commands. Each prints text, or JSON that is valid by the published schema, to the standard output, which the shells of
 * Felix and Karaf lead to the session of the caller: a returned value would not be printed where Karaf executes a single command.
 * A command fails if there is nothing to show or if nothing happens. It waits at most 5 s for the store.
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
            "osgi.command.function=tree",
            "osgi.command.function=stepdown",
            "osgi.command.function=evict"
        })
public final class Commands {
    private static final String JSON = "--json";
    private static final String JSON_TEXT = "prints JSON by the published schema";
    private static final String FILTER_TEXT =
            "LDAP filter: selects instances by their properties and by id, name, leader, local, host and others, for example '"
                    + InstanceFilter.EXAMPLE + "'";

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

    @Descriptor("shows the whole report of the topology")
    public void topology(
            @Descriptor(JSON_TEXT) @Parameter(names = JSON, presentValue = "true", absentValue = "false")
                    boolean json) {
        show(
                json,
                () -> withHistory(Selection.ALL),
                report -> JsonRenderer.document(report, Selection.ALL),
                TextRenderer::all);
    }

    @Descriptor("shows the instances of all clusters with their properties")
    public void instances(
            @Descriptor(JSON_TEXT) @Parameter(names = JSON, presentValue = "true", absentValue = "false") boolean json,
            @Descriptor(FILTER_TEXT) @Parameter(names = "--filter", absentValue = "") String filter) {
        show(
                json,
                () -> Selection.parse(filter, "", "").apply(present(reporter).report()),
                JsonRenderer::clusters,
                TextRenderer::clusters);
    }

    @Descriptor(
            "shows the connectors to other clusters: those that this instance opens, those that peers open, and refused"
                    + " requests")
    public void connectors(
            @Descriptor(JSON_TEXT) @Parameter(names = JSON, presentValue = "true", absentValue = "false")
                    boolean json) {
        show(json, () -> present(reporter).report(), JsonRenderer::connectors, TextRenderer::connectors);
    }

    @Descriptor("shows the past views of the cluster, newest first: which instances joined and left, and why")
    public void history(
            @Descriptor(JSON_TEXT) @Parameter(names = JSON, presentValue = "true", absentValue = "false") boolean json,
            @Descriptor("selects the views after the view of this number")
                    @Parameter(names = "--since", absentValue = "")
                    String since,
            @Descriptor("selects at most this number of views, the newest ones")
                    @Parameter(names = "--last", absentValue = "")
                    String last) {
        show(json, () -> withHistory(Selection.parse("", since, last)), JsonRenderer::history, TextRenderer::history);
    }

    @Descriptor(
            "explains the state of this instance: the leader, what it waits for, and which instances and listeners delay"
                    + " it")
    public void explain(
            @Descriptor(JSON_TEXT) @Parameter(names = JSON, presentValue = "true", absentValue = "false")
                    boolean json) {
        show(json, () -> present(reporter).report(), JsonRenderer::explanation, TextRenderer::explanation);
    }

    @Descriptor("shows the nodes of the store, decoded and with secrets masked")
    public void tree(
            @Descriptor(JSON_TEXT) @Parameter(names = JSON, presentValue = "true", absentValue = "false")
                    boolean json) {
        print(json, () -> {
            try {
                StoreTree tree = ReportReader.DEFAULT.readTree(present(reporter));
                return json ? JsonRenderer.tree(tree) : TextRenderer.tree(tree, ZoneId.systemDefault());
            } catch (ReportReader.Unavailable e) {
                throw new CommandFailure("The store cannot be shown: " + e.getMessage());
            }
        });
    }

    @Descriptor("makes this instance give up its seniority, and the lead; it rejoins at the end")
    public void stepdown(
            @Descriptor(JSON_TEXT) @Parameter(names = JSON, presentValue = "true", absentValue = "false")
                    boolean json) {
        print(json, () -> perform(json, Operator::stepDown));
    }

    @Descriptor("removes another instance from the cluster; if it is alive, it rejoins at the end of the order")
    public void evict(
            @Descriptor(JSON_TEXT) @Parameter(names = JSON, presentValue = "true", absentValue = "false") boolean json,
            @Descriptor("instance id or member node") String target) {
        print(json, () -> perform(json, each -> each.evict(target)));
    }

    private String perform(boolean json, Function<Operator, Operator.Result> action) {
        Operator.Result result = action.apply(present(operator));
        if (!result.success()) {
            throw new CommandFailure(result.sentence());
        }
        return json ? JsonRenderer.outcome(result.sentence()) : Escape.line(result.sentence());
    }

    private static <T> T present(T service) {
        if (service == null) {
            throw new CommandFailure(Phrases.INACTIVE);
        }
        return service;
    }

    private TopologyReport withHistory(Selection selection) {
        return selection.apply(
                ReportReader.DEFAULT.readReport(present(reporter)).report());
    }

    private static void show(
            boolean json,
            Step<TopologyReport> source,
            Function<TopologyReport, String> asJson,
            Function<TextRenderer, String> asText) {
        print(json, () -> {
            TopologyReport report = source.run();
            return json ? asJson.apply(report) : asText.apply(new TextRenderer(report, ZoneId.systemDefault()));
        });
    }

    /** Prints what a command returns. With JSON, a failure is printed too. */
    private static void print(boolean json, Step<String> command) {
        try {
            System.out.println(run(command).strip());
        } catch (CommandFailure e) {
            if (json) {
                System.out.println(e.json());
            }
            throw e;
        }
    }

    private static String run(Step<String> command) {
        try {
            return command.run();
        } catch (InvalidParameter e) {
            throw new CommandFailure(e);
        }
    }

    /** What a command does. */
    private interface Step<T> {
        T run() throws InvalidParameter;
    }
}
