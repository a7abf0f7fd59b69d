// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.webconsole.shell;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.ZoneId;
import org.apache.felix.service.command.Descriptor;
import org.apache.felix.service.command.Parameter;
import org.apache.sling.discovery.commons.report.Reporter;
import org.apache.sling.discovery.commons.report.StoreTree;
import org.apache.sling.discovery.commons.report.TopologyReport;
import org.apache.sling.discovery.webconsole.format.Phrases;
import org.apache.sling.discovery.webconsole.json.JsonRenderer;
import org.apache.sling.discovery.webconsole.query.InstanceFilter;
import org.apache.sling.discovery.webconsole.query.InvalidParameter;
import org.apache.sling.discovery.webconsole.query.ReportReader;
import org.apache.sling.discovery.webconsole.query.Selection;
import org.apache.sling.discovery.webconsole.text.TextRenderer;
import org.apache.sling.discovery.webconsole.text.TreeText;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicy;
import org.osgi.service.component.annotations.ReferencePolicyOption;

/**
 * The shell commands that show the topology. Each prints text, or JSON that is valid by the published schema, and fails if there
 * is nothing to show. A command waits at most 5 s for the store.
 */
@Component(
        service = TopologyCommands.class,
        property = {
            "osgi.command.scope=discovery",
            "osgi.command.function=topology",
            "osgi.command.function=instances",
            "osgi.command.function=connectors",
            "osgi.command.function=history",
            "osgi.command.function=explain",
            "osgi.command.function=tree"
        })
public final class TopologyCommands {
    private static final String TOPOLOGY_SUMMARY = "shows the whole report of the topology";
    private static final String INSTANCES_SUMMARY = "shows the instances of all clusters with their properties";
    private static final String CONNECTORS_SUMMARY =
            "shows the connectors to other clusters: those that this instance opens, those that peers open, and refused"
                    + " requests";
    private static final String HISTORY_SUMMARY =
            "shows the past views of the cluster, newest first: which instances joined and left, and why";
    private static final String EXPLAIN_SUMMARY =
            "explains the state of this instance: the leader, what it waits for, and which instances and listeners delay"
                    + " it";
    private static final String TREE_SUMMARY = "shows the nodes of the store, decoded and with secrets masked";

    private static final String FILTER_DESCRIPTION =
            "LDAP filter: selects instances by their properties and by id, name, leader, local, host and others, for example '"
                    + InstanceFilter.EXAMPLE + "'";
    private static final String SINCE_DESCRIPTION = "selects the views after the view of this number";
    private static final String LAST_DESCRIPTION = "selects at most this number of views, the newest ones";

    @Reference(
            cardinality = ReferenceCardinality.OPTIONAL,
            policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY)
    private volatile Reporter reporter;

    /** Shows the whole report. */
    @Descriptor(TOPOLOGY_SUMMARY)
    public void topology(
            @Descriptor(Output.JSON_DESCRIPTION)
                    @Parameter(names = Output.JSON, presentValue = "true", absentValue = "false")
                    boolean json)
            throws CommandFailure {
        Output.print(
                json,
                () -> render(
                        json,
                        reportWithHistory(Selection.ALL),
                        TextRenderer::writeAll,
                        report -> JsonRenderer.document(report, Selection.ALL)));
    }

    /** Shows the instances that match a filter. */
    @Descriptor(INSTANCES_SUMMARY)
    public void instances(
            @Descriptor(Output.JSON_DESCRIPTION)
                    @Parameter(names = Output.JSON, presentValue = "true", absentValue = "false")
                    boolean json,
            @Descriptor(FILTER_DESCRIPTION) @Parameter(names = "--filter", absentValue = "") String filter)
            throws CommandFailure {
        Output.print(json, () -> {
            Selection selection = select(() -> Selection.ALL.withFilter(filter));
            return render(
                    json, selection.apply(present().report()), TextRenderer::writeClusters, JsonRenderer::clusters);
        });
    }

    /** Shows the connectors. */
    @Descriptor(CONNECTORS_SUMMARY)
    public void connectors(
            @Descriptor(Output.JSON_DESCRIPTION)
                    @Parameter(names = Output.JSON, presentValue = "true", absentValue = "false")
                    boolean json)
            throws CommandFailure {
        Output.print(
                json, () -> render(json, present().report(), TextRenderer::writeConnectors, JsonRenderer::connectors));
    }

    /** Shows the established views, newest first. */
    @Descriptor(HISTORY_SUMMARY)
    public void history(
            @Descriptor(Output.JSON_DESCRIPTION)
                    @Parameter(names = Output.JSON, presentValue = "true", absentValue = "false")
                    boolean json,
            @Descriptor(SINCE_DESCRIPTION) @Parameter(names = "--since", absentValue = "") String since,
            @Descriptor(LAST_DESCRIPTION) @Parameter(names = "--last", absentValue = "") String last)
            throws CommandFailure {
        Output.print(json, () -> {
            Selection selection = select(() -> Selection.ALL.withSince(since).withLast(last));
            return render(json, reportWithHistory(selection), TextRenderer::writeHistory, JsonRenderer::history);
        });
    }

    /** Shows the state of this instance and its reasons. */
    @Descriptor(EXPLAIN_SUMMARY)
    public void explain(
            @Descriptor(Output.JSON_DESCRIPTION)
                    @Parameter(names = Output.JSON, presentValue = "true", absentValue = "false")
                    boolean json)
            throws CommandFailure {
        Output.print(
                json,
                () -> render(json, present().report(), TextRenderer::writeExplanation, JsonRenderer::explanation));
    }

    /** Shows the nodes of the store. */
    @Descriptor(TREE_SUMMARY)
    public void tree(
            @Descriptor(Output.JSON_DESCRIPTION)
                    @Parameter(names = Output.JSON, presentValue = "true", absentValue = "false")
                    boolean json)
            throws CommandFailure {
        Output.print(json, () -> {
            try {
                StoreTree tree = ReportReader.DEFAULT.readTree(present());
                return json ? JsonRenderer.tree(tree) : print(out -> TreeText.write(tree, ZoneId.systemDefault(), out));
            } catch (ReportReader.Unavailable e) {
                throw new CommandFailure("The store cannot be shown: " + e.getMessage());
            }
        });
    }

    private Reporter present() throws CommandFailure {
        Reporter present = reporter;
        if (present == null) {
            throw new CommandFailure(Phrases.INACTIVE);
        }
        return present;
    }

    private static Selection select(Selector selector) throws CommandFailure {
        try {
            return selector.select();
        } catch (InvalidParameter e) {
            throw new CommandFailure(e);
        }
    }

    private TopologyReport reportWithHistory(Selection selection) throws CommandFailure {
        return selection.apply(ReportReader.DEFAULT.readReport(present()).report());
    }

    private static String render(boolean json, TopologyReport report, Part part, JsonPart jsonPart) {
        return json
                ? jsonPart.of(report)
                : print(out -> part.write(new TextRenderer(report, ZoneId.systemDefault(), out)));
    }

    private static String print(Text text) {
        StringBuilder out = new StringBuilder();
        try {
            text.write(out);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return out.toString().strip();
    }

    private interface Selector {
        Selection select() throws InvalidParameter;
    }

    private interface Part {
        void write(TextRenderer renderer) throws IOException;
    }

    private interface JsonPart {
        String of(TopologyReport report);
    }

    private interface Text {
        void write(StringBuilder out) throws IOException;
    }
}
