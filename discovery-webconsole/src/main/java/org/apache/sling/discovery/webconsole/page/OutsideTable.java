// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.webconsole.page;

import static org.apache.sling.discovery.webconsole.markup.Attributes.attr;

import java.io.IOException;
import java.util.List;
import org.apache.sling.discovery.commons.report.InstanceState;
import org.apache.sling.discovery.commons.report.TopologyReport.Instance;
import org.apache.sling.discovery.webconsole.format.Phrases;
import org.apache.sling.discovery.webconsole.markup.Html;
import org.apache.sling.discovery.webconsole.markup.PageWriter;

/** The instances that the view does not have: live ones, each with the reason, and those that left a short time ago. */
final class OutsideTable {
    private static final List<String> HEADINGS =
            List.of("Instance", "State", "Host, process", "Working directory", "Why");

    /** When a cluster is stopped or started as a whole, all of its instances are outside for a while. */
    private static final int MOST = 50;

    private final PageWriter page;
    private final Html html;

    OutsideTable(PageWriter page) {
        this.page = page;
        this.html = page.html();
    }

    /** Writes the instances in a state. */
    void write(String title, InstanceState state, List<Instance> instances) throws IOException {
        write(
                title,
                instances.stream()
                        .filter(each -> each.status().state() == state)
                        .toList());
    }

    /** Writes the instances in other states. */
    void writeOthers(String title, InstanceState state, List<Instance> instances) throws IOException {
        write(
                title,
                instances.stream()
                        .filter(each -> each.status().state() != state)
                        .toList());
    }

    void write(String title, List<Instance> instances) throws IOException {
        if (instances.isEmpty()) {
            return;
        }
        page.subheading(title, instances.size());
        page.table("dz-outsiders", HEADINGS, () -> {
            for (Instance instance : instances.subList(0, Math.min(MOST, instances.size()))) {
                html.element("tr", attr("data-state", instance.status().state().name()), () -> {
                            html.element("th", attr("scope", "row"), () -> {
                                page.instanceLink(instance.id());
                                page.badges(instance);
                            });
                            page.stateCell("State", instance.status());
                            page.hostCell(instance.host(), instance.pid());
                            page.cell("Working directory", instance.home());
                            page.wideCell("Why", () -> page.reason(instance.status()));
                        })
                        .line();
            }
        });
        if (instances.size() > MOST) {
            page.note("Not listed: " + Phrases.count(instances.size() - MOST, "further instance") + ".");
        }
    }
}
