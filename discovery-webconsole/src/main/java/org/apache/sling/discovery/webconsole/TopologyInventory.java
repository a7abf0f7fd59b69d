// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.webconsole;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.time.ZoneId;
import java.util.Optional;
import org.apache.felix.inventory.Format;
import org.apache.felix.inventory.InventoryPrinter;
import org.apache.sling.discovery.commons.report.Reporter;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicy;
import org.osgi.service.component.annotations.ReferencePolicyOption;

/** The text form of the topology, for the console's status pages and the status archive of a support request. */
@Component(
        property = {
            InventoryPrinter.NAME + "=discovery",
            InventoryPrinter.TITLE + "=Topology",
            InventoryPrinter.FORMAT + "=TEXT"
        })
public final class TopologyInventory implements InventoryPrinter {

    @Reference(
            cardinality = ReferenceCardinality.OPTIONAL,
            policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY)
    private volatile Reporter reporter;

    @Override
    public void print(PrintWriter out, Format format, boolean isZip) {
        TextRenderer renderer = new TextRenderer(ZoneId.systemDefault());
        try {
            renderer.render(Optional.ofNullable(reporter).map(Reporter::report), out);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
