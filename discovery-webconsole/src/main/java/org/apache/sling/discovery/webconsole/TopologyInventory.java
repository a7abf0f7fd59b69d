// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.webconsole;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.time.ZoneId;
import org.apache.felix.inventory.Format;
import org.apache.felix.inventory.InventoryPrinter;
import org.apache.sling.discovery.commons.report.Reporter;
import org.apache.sling.discovery.commons.report.TopologyReport;
import org.apache.sling.discovery.webconsole.format.Phrases;
import org.apache.sling.discovery.webconsole.json.JsonRenderer;
import org.apache.sling.discovery.webconsole.markup.Html;
import org.apache.sling.discovery.webconsole.query.ReportReader;
import org.apache.sling.discovery.webconsole.query.Selection;
import org.apache.sling.discovery.webconsole.text.TextRenderer;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicy;
import org.osgi.service.component.annotations.ReferencePolicyOption;

/**
 * Prints the topology as text, as HTML that contains this text, and as the JSON document. The console shows the result
 * on its status pages and puts it into the status archive of a support request.
 */
@Component(
        property = {
            InventoryPrinter.NAME + "=discovery",
            InventoryPrinter.TITLE + "=Topology",
            InventoryPrinter.FORMAT + "=TEXT",
            InventoryPrinter.FORMAT + "=HTML",
            InventoryPrinter.FORMAT + "=JSON"
        })
public final class TopologyInventory implements InventoryPrinter {

    @Reference(
            cardinality = ReferenceCardinality.OPTIONAL,
            policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY)
    private volatile Reporter reporter;

    @Override
    public void print(PrintWriter out, Format format, boolean isZip) {
        Reporter present = reporter;
        try {
            if (format == Format.JSON) {
                out.append(present == null ? JsonRenderer.error(Phrases.INACTIVE) : json(report(present)));
            } else if (format == Format.HTML) {
                new Html(out).element("pre", text(present));
            } else {
                out.append(text(present));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String json(TopologyReport report) {
        return JsonRenderer.document(report, Selection.ALL);
    }

    private static String text(Reporter present) throws IOException {
        if (present == null) {
            return Phrases.INACTIVE + "\n";
        }
        StringBuilder text = new StringBuilder();
        new TextRenderer(report(present), ZoneId.systemDefault(), text).writeAll();
        return text.toString();
    }

    private static TopologyReport report(Reporter present) {
        return ReportReader.DEFAULT.readReport(present).report();
    }
}
