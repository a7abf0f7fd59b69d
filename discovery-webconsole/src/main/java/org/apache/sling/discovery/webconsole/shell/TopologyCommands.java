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
import org.apache.sling.discovery.webconsole.format.Escape;
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
 * The shell commands that show the topology. Each returns the text to print, or JSON that is valid by the published
 * schema. A command waits at most 5 s for the store.
 */
@Component(
        service = TopologyCommands.class,
        property = {
            "osgi.command.scope=discovery",
            "osgi.command.function=topology",
            "osgi.command.function=instances",
            "osgi.command.function=history",
            "osgi.command.function=explain",
            "osgi.command.function=tree"
        })
public final class TopologyCommands {
    private static final String JSON = "--json";
    private static final String JSON_HELP = "print JSON as in topology.json";
    private static final String ALL = "";

    @Reference(
            cardinality = ReferenceCardinality.OPTIONAL,
            policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY)
    private volatile Reporter reporter;

    /** Shows the whole report. */
    @Descriptor("shows the whole report of the topology")
    public String topology(
            @Descriptor(JSON_HELP) @Parameter(names = JSON, presentValue = "true", absentValue = "false")
                    boolean json) {
        return renderWithHistory(
                json, Selection.ALL, TextRenderer::writeAll, report -> JsonRenderer.document(report, Selection.ALL));
    }

    /** Shows the instances that match a filter. */
    @Descriptor("shows the instances of all clusters with their properties")
    public String instances(
            @Descriptor(JSON_HELP) @Parameter(names = JSON, presentValue = "true", absentValue = "false") boolean json,
            @Descriptor("an LDAP filter over properties and id, leader, local, host ...: " + InstanceFilter.EXAMPLE)
                    @Parameter(names = "--filter", absentValue = ALL)
                    String filter) {
        return select(
                json,
                () -> Selection.ALL.withFilter(filter),
                selection -> renderNow(json, selection, TextRenderer::writeClusters, JsonRenderer::clusters));
    }

    /** Shows the established views, newest first. */
    @Descriptor("shows the past views of the cluster, newest first: which instances joined and left, and why")
    public String history(
            @Descriptor(JSON_HELP) @Parameter(names = JSON, presentValue = "true", absentValue = "false") boolean json,
            @Descriptor("only views after the view of this number") @Parameter(names = "--since", absentValue = ALL)
                    String since,
            @Descriptor("at most this number of views, the newest ones") @Parameter(names = "--last", absentValue = ALL)
                    String last) {
        return select(
                json,
                () -> Selection.ALL.withSince(since).withLast(last),
                selection -> renderWithHistory(json, selection, TextRenderer::writeHistory, JsonRenderer::history));
    }

    /** Shows the state of this instance and its reasons. */
    @Descriptor("explains the state of this instance: what it waits for, and which instances and listeners delay it")
    public String explain(
            @Descriptor(JSON_HELP) @Parameter(names = JSON, presentValue = "true", absentValue = "false")
                    boolean json) {
        return renderNow(json, Selection.ALL, TextRenderer::writeExplanation, JsonRenderer::explanation);
    }

    /** Shows the nodes of the store. */
    @Descriptor("shows the nodes of the store, decoded and with secrets masked")
    public String tree(
            @Descriptor(JSON_HELP) @Parameter(names = JSON, presentValue = "true", absentValue = "false")
                    boolean json) {
        Reporter present = reporter;
        if (present == null) {
            return CommandOutcome.problem(json, Phrases.INACTIVE);
        }
        try {
            StoreTree tree = ReportReader.DEFAULT.readTree(present);
            return json ? JsonRenderer.tree(tree) : print(out -> TreeText.write(tree, ZoneId.systemDefault(), out));
        } catch (ReportReader.Unavailable e) {
            return CommandOutcome.problem(json, "The store cannot be shown: " + e.getMessage());
        }
    }

    private static String select(boolean json, Selector selector, Answer answer) {
        try {
            return answer.to(selector.select());
        } catch (InvalidParameter e) {
            return json ? JsonRenderer.error(e) : Escape.line(e.getMessage());
        }
    }

    private String renderWithHistory(boolean json, Selection selection, Part part, JsonPart jsonPart) {
        Reporter present = reporter;
        return present == null
                ? CommandOutcome.problem(json, Phrases.INACTIVE)
                : render(
                        json,
                        selection.apply(ReportReader.DEFAULT.readReport(present).report()),
                        part,
                        jsonPart);
    }

    private String renderNow(boolean json, Selection selection, Part part, JsonPart jsonPart) {
        Reporter present = reporter;
        return present == null
                ? CommandOutcome.problem(json, Phrases.INACTIVE)
                : render(json, selection.apply(present.report()), part, jsonPart);
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

    private interface Answer {
        String to(Selection selection);
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
