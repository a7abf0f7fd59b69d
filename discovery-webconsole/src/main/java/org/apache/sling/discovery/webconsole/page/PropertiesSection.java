// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.webconsole.page;

import static org.apache.sling.discovery.webconsole.markup.Attributes.attr;

import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.apache.sling.discovery.commons.report.TopologyReport.Instance;
import org.apache.sling.discovery.webconsole.markup.Addresses;
import org.apache.sling.discovery.webconsole.markup.Attributes;
import org.apache.sling.discovery.webconsole.markup.ElementIds;
import org.apache.sling.discovery.webconsole.markup.Html;
import org.apache.sling.discovery.webconsole.markup.PageWriter;

/** The properties of an instance, and a form that searches them. */
public final class PropertiesSection {
    /** The query parameter that selects properties. */
    public static final String SEARCH = "q";

    private final PageWriter page;
    private final Html html;

    PropertiesSection(PageWriter page) {
        this.page = page;
        this.html = page.html();
    }

    void write(Instance instance, String search) throws IOException {
        Map<String, String> matching = new TreeMap<>(instance.properties());
        matching.entrySet().removeIf(property -> !matches(property, search));
        int count = instance.properties().size();
        page.section("dz-properties", "Properties", count, () -> {
            if (count == 0) {
                page.note("This instance has announced no properties.");
                return;
            }
            searchForm(instance.id(), search);
            if (!search.isEmpty()) {
                page.note(matching.size() + " of " + count + " match.");
            }
            table(matching);
        });
    }

    private static boolean matches(Map.Entry<String, String> property, String search) {
        String wanted = search.toLowerCase(Locale.ROOT);
        return property.getKey().toLowerCase(Locale.ROOT).contains(wanted)
                || property.getValue().toLowerCase(Locale.ROOT).contains(wanted);
    }

    private void searchForm(String id, String search) throws IOException {
        Attributes form = attr("method", "get")
                .and("action", page.addresses().overview())
                .and("class", "dz-form")
                .and("role", "search");
        Attributes field = attr("type", "search")
                .and("id", "dz-search")
                .and("name", SEARCH)
                .and("value", search);
        html.element("form", form, () -> {
                    ActionForms.writeHidden(html, Addresses.INSTANCE, id);
                    html.element("label", attr("for", "dz-search"), "Search names and values");
                    html.text(" ").empty("input", field);
                    html.text(" ").element("button", attr("type", "submit"), "Search");
                })
                .line();
    }

    private void table(Map<String, String> properties) throws IOException {
        if (properties.isEmpty()) {
            return;
        }
        page.table("dz-properties", List.of("Name", "Value"), () -> {
            for (Map.Entry<String, String> property : properties.entrySet()) {
                html.element("tr", attr("id", ElementIds.of("dz-p", property.getKey())), () -> property(property))
                        .line();
            }
        });
    }

    private void property(Map.Entry<String, String> property) throws IOException {
        html.element("th", attr("scope", "row"), () -> html.foreign(property.getKey()));
        // A long value scrolls, so the keyboard must be able to reach it.
        Attributes scrolling = attr("class", "dz-value").and("tabindex", "0");
        page.cell("Value", () -> html.element("div", scrolling, () -> html.foreign(property.getValue())));
    }
}
