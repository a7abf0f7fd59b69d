// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.webconsole;

import io.github.discoveryzk.report.AddedSection;
import io.github.discoveryzk.report.Reporter;
import io.github.discoveryzk.report.TopologyReport;
import io.github.discoveryzk.webconsole.content.Phrases;
import io.github.discoveryzk.webconsole.html.Html;
import io.github.discoveryzk.webconsole.json.JsonRenderer;
import io.github.discoveryzk.webconsole.query.ReportReader;
import io.github.discoveryzk.webconsole.section.AddedSections;
import io.github.discoveryzk.webconsole.text.TextRenderer;
import java.io.PrintWriter;
import java.time.ZoneId;
import java.util.List;
import org.apache.felix.inventory.Format;
import org.apache.felix.inventory.InventoryPrinter;
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

    @Reference(policy = ReferencePolicy.DYNAMIC, policyOption = ReferencePolicyOption.GREEDY)
    private volatile List<AddedSection> added = List.of();

    @Override
    public void print(PrintWriter out, Format format, boolean isZip) {
        Reporter present = reporter;
        if (format == Format.JSON) {
            out.append(
                    present == null
                            ? JsonRenderer.error(Phrases.INACTIVE)
                            : JsonRenderer.document(report(present), present, AddedSections.of(added)));
        } else if (format == Format.HTML) {
            out.append(new Html().element("pre", text(present)).toString());
        } else {
            out.append(text(present));
        }
    }

    private static String text(Reporter present) {
        return present == null
                ? Phrases.INACTIVE + "\n"
                : new TextRenderer(report(present), ZoneId.systemDefault()).all();
    }

    private static TopologyReport report(Reporter present) {
        return ReportReader.DEFAULT.readReport(present);
    }
}
