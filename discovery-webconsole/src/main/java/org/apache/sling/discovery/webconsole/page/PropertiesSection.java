// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.webconsole.page;

import static org.apache.sling.discovery.webconsole.markup.Attributes.attr;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.sling.discovery.commons.report.TopologyReport.Instance;
import org.apache.sling.discovery.webconsole.markup.Attributes;
import org.apache.sling.discovery.webconsole.markup.ElementIds;
import org.apache.sling.discovery.webconsole.markup.Html;
import org.apache.sling.discovery.webconsole.markup.PageWriter;

/** The properties of an instance. */
final class PropertiesSection {
    private final PageWriter page;
    private final Html html;

    PropertiesSection(PageWriter page) {
        this.page = page;
        this.html = page.html();
    }

    void write(Instance instance) throws IOException {
        Map<String, String> properties = new TreeMap<>(instance.properties());
        page.section("dz-properties", "Properties", properties.size(), () -> {
            if (properties.isEmpty()) {
                page.note("This instance has announced no properties.");
            } else {
                table(properties);
            }
        });
    }

    private void table(Map<String, String> properties) throws IOException {
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
