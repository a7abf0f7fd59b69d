// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.webconsole.page;

import static org.apache.sling.discovery.webconsole.markup.Attributes.attr;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.apache.sling.discovery.commons.report.Change;
import org.apache.sling.discovery.commons.report.Change.Concerned;
import org.apache.sling.discovery.commons.report.InstanceStatus;
import org.apache.sling.discovery.commons.report.TopologyReport;
import org.apache.sling.discovery.commons.report.TopologyReport.Instance;
import org.apache.sling.discovery.commons.report.TopologyReport.View;
import org.apache.sling.discovery.webconsole.format.Phrases;
import org.apache.sling.discovery.webconsole.format.Times;
import org.apache.sling.discovery.webconsole.markup.Html;
import org.apache.sling.discovery.webconsole.markup.PageWriter;

/**
 * The answers to the first questions of an operator: why it is changing and for whom it waits, who leads, what changed last,
 * and what follows if this instance stops.
 */
final class AnswersSection {
    private static final int MAX_NAMED = 12;
    private static final int REASON_LENGTH = 300;

    private final PageWriter page;
    private final Html html;

    AnswersSection(PageWriter page) {
        this.page = page;
        this.html = page.html();
    }

    void write(TopologyReport report) throws IOException {
        html.element("dl", attr("id", "dz-answers").and("class", "dz-facts dz-answers"), () -> {
                    if (report.change().isPresent()) {
                        change(report.change().get(), report.view().isPresent());
                    }
                    leader(report);
                    if (report.lastChange().isPresent()) {
                        page.fact(
                                "Last change", () -> settled(report.lastChange().get()));
                    }
                    if (report.ifStopped().isPresent()) {
                        page.fact(
                                "If this instance stops",
                                report.ifStopped().get().consequence());
                    }
                })
                .line();
    }

    /** @param held whether a view was held, which the change has ended */
    private void change(Change change, boolean held) throws IOException {
        if (held) {
            page.fact("Why", change.cause());
        }
        concerned("Gone", change.gone(), false);
        concerned("Waiting for", change.awaited(), true);
        concerned("Acknowledged", change.acknowledged(), false);
        concerned("Joining", change.joining(), false);
    }

    /** @param withReasons whether the reasons are written, which are not in the sentence about the change */
    private void concerned(String title, List<Concerned> instances, boolean withReasons) throws IOException {
        if (instances.isEmpty()) {
            return;
        }
        page.fact(title, () -> {
            List<Concerned> named = instances.subList(0, Math.min(MAX_NAMED, instances.size()));
            for (int i = 0; i < named.size(); i++) {
                InstanceStatus status = named.get(i).status();
                page.instanceLink(named.get(i).id());
                boolean isLast = i == named.size() - 1;
                boolean sameFollows = !isLast && same(status, named.get(i + 1).status());
                if (withReasons && !sameFollows) {
                    reason(status);
                }
                html.text(isLast ? "" : withReasons && sameFollows ? ", " : "; ");
            }
            if (instances.size() > named.size()) {
                html.text("; and " + (instances.size() - named.size()) + " more");
            }
        });
    }

    private static boolean same(InstanceStatus one, InstanceStatus other) {
        return one.reason().equals(other.reason()) && one.listener().equals(other.listener());
    }

    private void reason(InstanceStatus status) throws IOException {
        String listener = status.listener().map(name -> "listener " + name).orElse(status.reason());
        if (!listener.isEmpty()) {
            html.text(": ").foreign(Phrases.truncate(listener, REASON_LENGTH));
        }
        if (status.sinceMillis().isPresent()) {
            html.text(", for ");
            page.elapsed(status.sinceMillis().getAsLong());
        }
    }

    private void leader(TopologyReport report) throws IOException {
        if (report.view().isPresent()) {
            View view = report.view().get();
            page.fact(view.current() ? "Leader" : "Last leader", () -> {
                page.instanceLink(view.leaderId());
                html.text(" since ");
                page.time(view.leaderSinceMillis());
            });
            return;
        }
        Optional<Instance> leader =
                report.outsiders().stream().filter(Instance::leader).findFirst();
        if (leader.isPresent()) {
            page.fact("Leader", () -> page.instanceLink(leader.get().id()));
        }
    }

    private void settled(Change.Settled change) throws IOException {
        html.foreign(change.cause()).text(", ");
        page.time(change.settledMillis());
        html.text(", took " + Times.duration(change.tookMillis()) + " here, ");
        html.element("a", attr("href", page.addresses().view(change.number())), "view " + change.number());
    }
}
