// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.webconsole.page;

import static org.apache.sling.discovery.webconsole.content.Line.line;
import static org.apache.sling.discovery.webconsole.markup.Attributes.attr;

import java.util.List;
import java.util.Optional;
import org.apache.sling.discovery.commons.report.History;
import org.apache.sling.discovery.commons.report.TopologyReport;
import org.apache.sling.discovery.commons.report.TopologyReport.Cluster;
import org.apache.sling.discovery.commons.report.TopologyReport.Instance;
import org.apache.sling.discovery.webconsole.content.Line;
import org.apache.sling.discovery.webconsole.content.Section;
import org.apache.sling.discovery.webconsole.content.Section.Items;
import org.apache.sling.discovery.webconsole.markup.Html;
import org.apache.sling.discovery.webconsole.markup.PageWriter;
import org.apache.sling.discovery.webconsole.section.InstanceSections;
import org.apache.sling.discovery.webconsole.section.RecentSections;

/** One instance, or the reason why the view has no instance of that id. */
final class InstancePage {
    private static final int MAX_ENTRIES = 20;

    private final PageWriter page;
    private final Html html;
    private final PageContext context;
    private final TopologyReport report;

    InstancePage(PageWriter page, PageContext context, TopologyReport report) {
        this.page = page;
        this.html = page.html();
        this.context = context;
        this.report = report;
    }

    void write(String id) {
        PageFrame.back(page, page.addresses().overview(), "‹ Topology");
        boolean known = false;
        for (Cluster cluster : report.clusters()) {
            Optional<Instance> instance = cluster.instances().stream()
                    .filter(each -> each.id().equals(id))
                    .findFirst();
            instance.ifPresent(each -> instance(cluster, each));
            known |= instance.isPresent();
        }
        if (known) {
            page.section(RecentSections.propertyChanges(report.recent().propertyChanges().stream()
                    .filter(change -> change.instanceId().equals(id))
                    .toList()));
        } else {
            unknown(id);
        }
        past(id);
    }

    private void instance(Cluster cluster, Instance instance) {
        html.element("h2", attr("class", "dz-title"), () -> {
                    html.text("Instance ")
                            .foreign(page.names().name(instance.id()).orElse(instance.id()));
                    page.line(InstanceSections.badges(instance));
                })
                .line();
        OverviewPage.staleView(page, report);
        page.facts(attr("id", "dz-facts"), InstanceSections.facts(cluster, instance));
        ActionForms forms = new ActionForms(page, context, report);
        if (instance.local()) {
            forms.writeStandDown();
        } else if (cluster.local()) {
            forms.writeEvict(instance.id(), instance.node());
        }
        page.section(InstanceSections.properties(instance));
    }

    private void past(String id) {
        List<Line> entries = report.history().entries().stream()
                .filter(entry -> HistoryFilter.involves(entry, id::equals))
                .limit(MAX_ENTRIES)
                .map(InstancePage::entry)
                .toList();
        if (!entries.isEmpty()) {
            page.section(new Section("dz-past", "In the history", List.of(new Items(entries))));
            html.element("p", () -> html.link(page.addresses().history(id), "The whole history of this instance"));
        }
    }

    private static Line entry(History.Entry entry) {
        return line().view(entry.number(), "View " + entry.number())
                .text(", ")
                .time(entry.stored().publishedMillis())
                .text(": ")
                .because(entry.head().cause());
    }

    private void unknown(String id) {
        html.element("h2", attr("class", "dz-title"), () -> html.text("No instance ")
                        .foreign(id)
                        .text(" in the view"))
                .line();
        List<Instance> outsiders = report.outsiders().stream()
                .filter(outsider -> outsider.id().equals(id))
                .toList();
        if (outsiders.isEmpty()) {
            html.element("p", "It may have left the topology since the link was made, or the id may be misspelled.");
        } else {
            html.element("p", "An instance with this id is alive, but not in the view:");
            page.parts(List.of(InstanceSections.outsiders(outsiders)));
        }
        html.element("p", () -> {
            html.text("The ").link(page.addresses().overview(), "topology");
            html.text(" lists all instances, and the ").link(page.addresses().history(), "history");
            html.text(" those that joined and left.");
        });
    }
}
