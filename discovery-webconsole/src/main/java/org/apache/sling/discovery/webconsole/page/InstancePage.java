// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.webconsole.page;

import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.apache.sling.discovery.commons.report.History;
import org.apache.sling.discovery.commons.report.TopologyReport;
import org.apache.sling.discovery.commons.report.TopologyReport.Cluster;
import org.apache.sling.discovery.commons.report.TopologyReport.Instance;
import org.apache.sling.discovery.commons.report.TopologyReport.Outsider;
import org.apache.sling.discovery.commons.report.TopologyReport.PropertyChange;
import org.apache.sling.discovery.webconsole.format.Phrases;
import org.apache.sling.discovery.webconsole.markup.Addresses;
import org.apache.sling.discovery.webconsole.markup.ElementIds;
import org.apache.sling.discovery.webconsole.markup.Html;
import org.apache.sling.discovery.webconsole.markup.PageWriter;

/** One instance, or why there is none of that name. */
public final class InstancePage {
    /** The query parameter that properties are searched for. */
    public static final String SEARCH = "q";

    private static final int PASTS = 20;

    private final PageWriter sheet;
    private final Html html;
    private final PageContext visit;

    InstancePage(PageWriter sheet, PageContext visit) {
        this.sheet = sheet;
        this.html = sheet.html();
        this.visit = visit;
    }

    void write(TopologyReport report, String id, String search) throws IOException {
        html.open("p", "class", "dz-back")
                .element("a", "‹ Topology", "href", sheet.at().overview());
        html.close().line();
        if (report.hasInstance(id)) {
            for (Cluster cluster : report.clusters()) {
                for (Instance instance : cluster.instances()) {
                    if (instance.id().equals(id)) {
                        instance(report, cluster, instance, search);
                    }
                }
            }
            changes(report, id);
        } else {
            unknown(report, id);
        }
        past(report.history(), id);
    }

    private void instance(TopologyReport report, Cluster cluster, Instance instance, String search) throws IOException {
        html.open("h2", "class", "dz-title").text("Instance ").foreign(instance.id());
        sheet.badges(instance);
        html.close().line();
        if (report.view().isPresent() && !report.view().get().current()) {
            html.element(
                    "p",
                    "View " + report.view().get().number()
                            + " is not current. What is shown here is what was true last.",
                    "class",
                    "dz-stale-view");
        }
        facts(cluster, instance);
        if (visit.token().isPresent()) {
            ActionForms forms = new ActionForms(sheet, visit.token().get());
            if (instance.local()) {
                forms.standDown(instance.id());
            } else if (cluster.local()) {
                forms.evict(instance.id(), instance.node());
            }
        }
        properties(instance, search);
    }

    private void facts(Cluster cluster, Instance instance) throws IOException {
        html.open("dl", "class", "dz-facts", "id", "dz-facts");
        sheet.fact("Cluster", cluster.id());
        sheet.fact(
                "Place in the order",
                instance.order() + " of " + cluster.instances().size());
        sheet.fact("Role", instance.leader() ? "leader" : "member");
        sheet.fact("Host", instance.host());
        sheet.fact("Process", Phrases.pid(instance.pid()));
        sheet.fact("Working directory", instance.home());
        sheet.time("Started", instance.startedMillis());
        sheet.time("Joined", instance.joinedMillis());
        sheet.fact("Member node", instance.node());
        sheet.fact("Session", Phrases.session(instance));
        html.element("dt", "Console").open("dd");
        if (instance.console().isPresent()) {
            html.outside(instance.console().get());
        } else {
            html.text("none published");
        }
        html.close();
        sheet.endFacts();
    }

    private void properties(Instance instance, String search) throws IOException {
        Map<String, String> matching = new TreeMap<>(instance.properties());
        matching.entrySet().removeIf(property -> !matches(property, search));
        sheet.section("dz-properties", "Properties", instance.properties().size());
        if (instance.properties().isEmpty()) {
            sheet.nothing("This instance has announced no properties.");
        } else {
            search(instance.id(), search);
            if (!search.isEmpty()) {
                sheet.nothing(matching.size() + " of " + instance.properties().size() + " match.");
            }
            table(matching);
        }
        sheet.endSection();
    }

    private static boolean matches(Map.Entry<String, String> property, String search) {
        String wanted = search.toLowerCase(Locale.ROOT);
        return property.getKey().toLowerCase(Locale.ROOT).contains(wanted)
                || property.getValue().toLowerCase(Locale.ROOT).contains(wanted);
    }

    private void search(String id, String search) throws IOException {
        html.open("form", "method", "get", "action", sheet.at().overview(), "class", "dz-form", "role", "search");
        html.empty("input", "type", "hidden", "name", Addresses.INSTANCE, "value", id);
        html.element("label", "Search names and values", "for", "dz-search").text(" ");
        html.empty("input", "type", "search", "id", "dz-search", "name", SEARCH, "value", search);
        html.text(" ").element("button", "Search", "type", "submit");
        html.close().line();
    }

    private void table(Map<String, String> properties) throws IOException {
        if (properties.isEmpty()) {
            return;
        }
        sheet.table("dz-properties", "Name", "Value");
        for (Map.Entry<String, String> property : properties.entrySet()) {
            html.open("tr", "id", ElementIds.of("dz-p", property.getKey()));
            html.open("th", "scope", "row").foreign(property.getKey()).close();
            // Scrolls where it is long, so the keyboard must be able to get there.
            html.open("td", "data-label", "Value").open("div", "class", "dz-value", "tabindex", "0");
            html.foreign(property.getValue());
            html.close().close().close().line();
        }
        sheet.endTable();
    }

    private void changes(TopologyReport report, String id) throws IOException {
        List<PropertyChange> changes = report.recent().propertyChanges().stream()
                .filter(change -> change.instanceId().equals(id))
                .toList();
        sheet.section("dz-property-changes", "What changed last", changes.size());
        new RecentSections(sheet).propertyChanges(changes, false);
        sheet.endSection();
    }

    private void past(History history, String id) throws IOException {
        List<History.Entry> entries = history.entries().stream()
                .filter(entry -> ChangeKind.concerns(entry, id::equals))
                .limit(PASTS)
                .toList();
        if (entries.isEmpty()) {
            return;
        }
        sheet.section("dz-past", "In the history");
        html.open("ul", "class", "dz-list");
        for (History.Entry entry : entries) {
            html.open("li").text("View " + entry.number() + ", ");
            sheet.moment(entry.publishedMillis());
            html.text(": ").foreign(entry.cause()).close();
        }
        html.close();
        html.open("p").element("a", "All of it, drawn", "href", sheet.at().history(id));
        html.close();
        sheet.endSection();
    }

    private void unknown(TopologyReport report, String id) throws IOException {
        html.open("h2", "class", "dz-title").text("No instance ").foreign(id).text(" in the view");
        html.close().line();
        List<Outsider> outsiders = report.outsiders().stream()
                .filter(outsider -> outsider.id().equals(id))
                .toList();
        if (outsiders.isEmpty()) {
            html.element("p", "It may have left the topology since the link was made, or the id may be misspelled.");
        } else {
            html.element("p", "An instance of that name is alive, but outside the view:");
            new ExplainSection(sheet).outsiders(outsiders);
        }
        html.open("p").text("The ").element("a", "topology", "href", sheet.at().overview());
        html.text(" lists all instances, the ")
                .element("a", "history", "href", sheet.at().history());
        html.text(" those that came and went.").close();
    }
}
