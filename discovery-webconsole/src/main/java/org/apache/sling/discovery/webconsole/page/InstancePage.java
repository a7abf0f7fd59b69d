// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.webconsole.page;

import static org.apache.sling.discovery.webconsole.markup.Attributes.attr;

import java.io.IOException;
import java.util.List;
import org.apache.sling.discovery.commons.report.History;
import org.apache.sling.discovery.commons.report.TopologyReport;
import org.apache.sling.discovery.commons.report.TopologyReport.Cluster;
import org.apache.sling.discovery.commons.report.TopologyReport.Instance;
import org.apache.sling.discovery.commons.report.TopologyReport.PropertyChange;
import org.apache.sling.discovery.webconsole.format.InstanceDisplay;
import org.apache.sling.discovery.webconsole.format.Phrases;
import org.apache.sling.discovery.webconsole.markup.Html;
import org.apache.sling.discovery.webconsole.markup.PageWriter;

/** One instance, or the reason why the view has no instance of that id. */
final class InstancePage {
    private static final int MOST_ENTRIES = 20;

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

    void write(String id) throws IOException {
        html.element(
                        "p",
                        attr("class", "dz-back"),
                        () -> html.element("a", attr("href", page.addresses().overview()), "‹ Topology"))
                .line();
        if (report.hasInstance(id)) {
            for (Cluster cluster : report.clusters()) {
                for (Instance instance : cluster.instances()) {
                    if (instance.id().equals(id)) {
                        instance(cluster, instance);
                    }
                }
            }
            changes(id);
        } else {
            unknown(id);
        }
        past(id);
    }

    private void instance(Cluster cluster, Instance instance) throws IOException {
        html.element("h2", attr("class", "dz-title"), () -> {
                    html.text("Instance ").foreign(page.nameOrId(instance.id()));
                    page.badges(instance);
                })
                .line();
        new StatusSection(page).writeStaleView(report);
        facts(cluster, instance);
        if (context.token().isPresent()) {
            ActionForms forms = new ActionForms(page, context.token().get());
            if (instance.local()) {
                forms.writeStandDown(report);
            } else if (cluster.local()) {
                forms.writeEvict(instance.id(), instance.node());
            }
        }
        new PropertiesSection(page).write(instance);
    }

    private void facts(Cluster cluster, Instance instance) throws IOException {
        html.element("dl", attr("class", "dz-facts").and("id", "dz-facts"), () -> {
                    page.fact("Id", instance.id());
                    page.fact("Cluster", cluster.id());
                    if (!cluster.local()) {
                        page.fact("How known", () -> new ConnectorsSection(page, report).source(cluster));
                    }
                    page.fact(
                            "Position in the order",
                            instance.position() + " of " + cluster.instances().size());
                    page.fact("State", () -> state(instance));
                    page.fact("Role", role(instance));
                    if (cluster.local()) {
                        process(instance);
                    }
                    page.fact("Its page", () -> page.topologyLink(instance));
                })
                .line();
    }

    /** Other clusters do not tell this of their instances. */
    private void process(Instance instance) throws IOException {
        page.fact("Host", instance.host());
        page.fact("Process", Phrases.pid(instance.pid()));
        page.fact("Working directory", instance.home());
        page.timeFact("Started", instance.startedMillis());
        page.timeFact("Joined", instance.joinedMillis());
        page.fact("Member node", instance.node());
        page.fact("Session", Phrases.session(instance));
    }

    private void state(Instance instance) throws IOException {
        html.text(InstanceDisplay.of(instance.status().state()).word() + " ");
        page.reason(instance.status());
    }

    private static String role(Instance instance) {
        if (instance.wasLeader()) {
            return "was leader";
        }
        return instance.leader() ? "leader" : "member";
    }

    private void changes(String id) throws IOException {
        List<PropertyChange> changes = report.recent().propertyChanges().stream()
                .filter(change -> change.instanceId().equals(id))
                .toList();
        page.section("dz-property-changes", "Last property changes", changes.size(), () -> new RecentSections(page)
                .writePropertyChangesOfInstance(changes));
    }

    private void past(String id) throws IOException {
        List<History.Entry> entries = report.history().entries().stream()
                .filter(HistoryFilter.involving(report.history().entries(), id::equals))
                .limit(MOST_ENTRIES)
                .toList();
        if (entries.isEmpty()) {
            return;
        }
        page.section("dz-past", "In the history", () -> {
            html.element("ul", attr("class", "dz-list"), () -> {
                for (History.Entry entry : entries) {
                    html.element("li", () -> {
                        html.element("a", attr("href", page.addresses().view(entry.number())), "View " + entry.number())
                                .text(", ");
                        page.time(entry.publishedMillis());
                        html.text(": ").foreign(entry.cause());
                    });
                }
            });
            html.element(
                    "p",
                    () -> html.element(
                            "a", attr("href", page.addresses().history(id)), "The whole history of this instance"));
        });
    }

    private void unknown(String id) throws IOException {
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
            new OutsideTable(page).write("Alive, but not in the view", outsiders);
        }
        html.element("p", () -> {
            html.text("The ").element("a", attr("href", page.addresses().overview()), "topology");
            html.text(" lists all instances, and the ")
                    .element("a", attr("href", page.addresses().history()), "history");
            html.text(" those that joined and left.");
        });
    }
}
