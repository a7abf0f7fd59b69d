// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.webconsole.page;

import static org.apache.sling.discovery.webconsole.markup.Attributes.attr;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalLong;
import org.apache.sling.discovery.webconsole.format.Times;
import org.apache.sling.discovery.webconsole.markup.Addresses;
import org.apache.sling.discovery.webconsole.markup.Attributes;
import org.apache.sling.discovery.webconsole.markup.Html;
import org.apache.sling.discovery.webconsole.markup.PageWriter;

/** The form that selects views of the history. */
final class HistoryForm {
    private static final Map<String, String> DURATIONS = durations();

    private final PageWriter page;
    private final Html html;
    private final HistoryFilter filter;

    HistoryForm(PageWriter page, HistoryFilter filter) {
        this.page = page;
        this.html = page.html();
        this.filter = filter;
    }

    private static Map<String, String> durations() {
        Map<String, String> all = new LinkedHashMap<>();
        all.put("", "all, or from and to");
        all.put("1h", "the last hour");
        all.put("24h", "the last 24 hours");
        all.put("7d", "the last 7 days");
        return all;
    }

    void write() throws IOException {
        Attributes attributes = attr("method", "get")
                .and("action", page.addresses().overview())
                .and("class", "dz-form")
                .and("id", "dz-history-form");
        html.element("form", attributes, () -> {
                    ActionForms.writeHidden(html, Addresses.SHOW, "history");
                    ActionForms.writeHidden(html, TimeRange.ZONE, filter.zone().getId());
                    input("Instance", Addresses.INSTANCE, attr("type", "text"), filter.instance());
                    select("Views in which", HistoryFilter.KIND, this::kinds);
                    select("Time", TimeRange.LAST, this::lasts);
                    time(
                            "From",
                            TimeRange.FROM,
                            filter.range().last().isEmpty() ? filter.range().from() : OptionalLong.empty());
                    time("To", TimeRange.TO, filter.range().to());
                    input(
                            "At most",
                            HistoryFilter.COUNT,
                            attr("type", "number").and("min", 1).and("max", HistoryFilter.MOST),
                            String.valueOf(filter.count()));
                    select("Drawn by", HistoryFilter.AXIS, this::axes);
                    html.element("button", attr("type", "submit"), "Show").text(" ");
                    html.element("a", attr("href", page.addresses().history()), "Show the newest");
                })
                .line();
    }

    private void select(String label, String name, Html.Content options) throws IOException {
        html.element("label", () -> {
            html.text(label + " ");
            html.element("select", attr("name", name).and("id", "dz-in-" + name), options);
        });
    }

    private void kinds() throws IOException {
        for (ChangeKind each : ChangeKind.values()) {
            option(HistoryFilter.value(each), each.label(), each == filter.kind());
        }
    }

    private void lasts() throws IOException {
        String last = filter.range().last();
        for (Map.Entry<String, String> each : DURATIONS.entrySet()) {
            option(each.getKey(), each.getValue(), each.getKey().equals(last));
        }
        if (!DURATIONS.containsKey(last)) {
            option(last, "the last " + last, true);
        }
    }

    private void axes() throws IOException {
        option(HistoryFilter.VIEW_AXIS, "view", !filter.byTime());
        option(HistoryFilter.TIME_AXIS, "time", filter.byTime());
    }

    private void option(String value, String label, boolean isSelected) throws IOException {
        html.element("option", attr("value", value).andIf(isSelected, "selected", "selected"), label);
    }

    private void time(String label, String name, OptionalLong millis) throws IOException {
        Times times = page.times();
        Attributes field = attr("type", "datetime-local").and("step", "any");
        boolean isGiven = millis.isPresent();
        input(
                label,
                name,
                field.andIf(isGiven, "data-millis", String.valueOf(millis.orElse(0))),
                isGiven ? times.local(millis.getAsLong()) : "");
    }

    private void input(String label, String name, Attributes attributes, String value) throws IOException {
        html.element("label", () -> html.text(label + " ")
                .empty(
                        "input",
                        attributes.and("name", name).and("id", "dz-in-" + name).and("value", value)));
    }
}
