// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.webconsole.page;

import static org.apache.sling.discovery.webconsole.markup.Attributes.attr;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import org.apache.sling.discovery.commons.report.InstanceNames;
import org.apache.sling.discovery.commons.report.TopologyReport;
import org.apache.sling.discovery.commons.report.TopologyReport.Instance;
import org.apache.sling.discovery.webconsole.format.Phrases;
import org.apache.sling.discovery.webconsole.markup.Addresses;
import org.apache.sling.discovery.webconsole.markup.Attributes;
import org.apache.sling.discovery.webconsole.markup.ElementIds;
import org.apache.sling.discovery.webconsole.markup.Html;
import org.apache.sling.discovery.webconsole.markup.PageWriter;

/** The properties of two instances beside each other. */
public final class ComparisonPage {
    /** The query parameter that leaves out equal properties. */
    public static final String DIFFERENCES = "differences";

    /** Its value. */
    public static final String ONLY = "only";

    private static final int NAME_LENGTH = 40;

    private final PageWriter page;
    private final Html html;
    private final TopologyReport report;

    ComparisonPage(PageWriter page, TopologyReport report) {
        this.page = page;
        this.html = page.html();
        this.report = report;
    }

    void write(String first, String second, boolean onlyDifferences) throws IOException {
        html.element(
                        "p",
                        attr("class", "dz-back"),
                        () -> html.element("a", attr("href", page.addresses().overview()), "‹ Topology"))
                .line();
        html.element("h2", attr("class", "dz-title"), "Compare the properties of two instances")
                .line();
        form(first, second, onlyDifferences);
        Optional<Instance> left = find(first);
        Optional<Instance> right = find(second);
        if (left.isPresent() && right.isPresent()) {
            compare(left.get(), right.get(), onlyDifferences);
        } else {
            missing(left.isPresent() ? second : first);
        }
    }

    private Optional<Instance> find(String id) {
        return report.clusters().stream()
                .flatMap(cluster -> cluster.instances().stream())
                .filter(instance -> instance.id().equals(id))
                .findFirst();
    }

    private void missing(String id) throws IOException {
        if (id.isEmpty()) {
            page.note("Choose two instances.");
        } else {
            html.element(
                    "p",
                    () -> html.text("The view has no instance ").foreign(id).text("."));
        }
    }

    private void form(String first, String second, boolean onlyDifferences) throws IOException {
        Attributes form = attr("method", "get")
                .and("action", page.addresses().overview())
                .and("class", "dz-form")
                .and("id", "dz-comparison-form");
        html.element("form", form, () -> {
                    choice("Compare", Addresses.COMPARE, first);
                    choice("with", Addresses.WITH, second);
                    html.element("label", () -> html.empty(
                                    "input",
                                    attr("type", "checkbox")
                                            .and("name", DIFFERENCES)
                                            .and("value", ONLY)
                                            .andIf(onlyDifferences, "checked", "checked"))
                            .text(" only differences"));
                    html.element("button", attr("type", "submit"), "Compare");
                })
                .line();
    }

    private void choice(String label, String name, String selected) throws IOException {
        html.element("label", () -> {
            html.text(label + " ");
            html.element("select", attr("name", name).and("id", "dz-in-" + name), () -> {
                html.element("option", attr("value", ""), "choose …");
                for (String id : ids()) {
                    html.element(
                            "option", attr("value", id).andIf(id.equals(selected), "selected", "selected"), label(id));
                }
            });
        });
    }

    private List<String> ids() {
        return report.clusters().stream()
                .flatMap(cluster -> cluster.instances().stream())
                .map(Instance::id)
                .toList();
    }

    private String label(String id) {
        String name = page.nameOrId(id);
        return Phrases.shorten(name, NAME_LENGTH)
                + (name.equals(id) ? "" : " (" + Phrases.shorten(InstanceNames.shortId(id), NAME_LENGTH) + ")");
    }

    private void compare(Instance left, Instance right, boolean onlyDifferences) throws IOException {
        SortedSet<String> all = new TreeSet<>(left.properties().keySet());
        all.addAll(right.properties().keySet());
        List<String> different = new ArrayList<>(all);
        different.removeIf(name -> equal(left, right, name));
        page.section("dz-comparison", "Properties that differ", different.size(), () -> {
            html.element(
                    "p",
                    attr("class", "dz-soft"),
                    different.isEmpty()
                            ? "All " + Phrases.properties(all.size()) + " are equal."
                            : different.size() + " of " + Phrases.properties(all.size())
                                    + " differ; these rows are marked.");
            Iterable<String> shown = onlyDifferences ? different : all;
            if (shown.iterator().hasNext()) {
                table(left, right, shown);
            }
        });
    }

    private static boolean equal(Instance left, Instance right, String name) {
        return value(left, name).equals(value(right, name));
    }

    private static Optional<String> value(Instance instance, String name) {
        return Optional.ofNullable(instance.properties().get(name));
    }

    private void table(Instance left, Instance right, Iterable<String> names) throws IOException {
        page.table(
                "dz-comparison",
                () -> {
                    html.element("th", attr("scope", "col"), "Name");
                    html.element("th", attr("scope", "col"), () -> page.instanceLink(left.id()));
                    html.element("th", attr("scope", "col"), () -> page.instanceLink(right.id()));
                },
                () -> {
                    for (String name : names) {
                        row(left, right, name);
                    }
                });
    }

    private void row(Instance left, Instance right, String name) throws IOException {
        boolean differs = !equal(left, right, name);
        Attributes attributes = attr("id", ElementIds.of("dz-c", name)).andIf(differs, "class", "dz-differs");
        html.element("tr", attributes, () -> {
                    html.element("th", attr("scope", "row"), () -> {
                        html.foreign(name);
                        if (differs) {
                            page.badge("differs");
                        }
                    });
                    value(left, value(left, name));
                    value(right, value(right, name));
                })
                .line();
    }

    private void value(Instance instance, Optional<String> value) throws IOException {
        String label = Phrases.shorten(page.nameOrId(instance.id()), NAME_LENGTH);
        page.cell(label, () -> {
            if (value.isPresent()) {
                Attributes scrolling = attr("class", "dz-value").and("tabindex", "0");
                html.element("div", scrolling, () -> html.foreign(value.get()));
            } else {
                html.element("em", "absent");
            }
        });
    }
}
