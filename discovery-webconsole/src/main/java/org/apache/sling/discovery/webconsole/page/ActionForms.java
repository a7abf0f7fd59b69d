// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.webconsole.page;

import static org.apache.sling.discovery.webconsole.markup.Attributes.attr;

import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import org.apache.sling.discovery.commons.report.TopologyReport;
import org.apache.sling.discovery.commons.report.TopologyReport.State;
import org.apache.sling.discovery.webconsole.markup.Addresses;
import org.apache.sling.discovery.webconsole.markup.Html;
import org.apache.sling.discovery.webconsole.markup.PageWriter;

/** The forms for the actions of operators, where they can act. Each is closed at first, and says what the action leads to. */
public final class ActionForms {
    /** The parameter that names the action. */
    public static final String ACTION = "action";

    /** The parameter with the CSRF token. */
    public static final String TOKEN = "token";

    /** The parameter that names the instance to evict: its id, or the name of its member node. */
    public static final String TARGET = "target";

    /** The action by which the local instance gives up its seniority. */
    public static final String STAND_DOWN = "standdown";

    /** The action that removes another instance. */
    public static final String EVICT = "evict";

    /** The states in which an instance may stand down. In the others it would be refused. */
    private static final Set<State> MEMBERS = EnumSet.of(State.SETTLED, State.CHANGING);

    /** The states in which an instance may evict another one. */
    private static final Set<State> ANNOUNCED = EnumSet.of(State.SETTLED, State.CHANGING, State.JOINING, State.REFUSED);

    private final PageWriter page;
    private final Html html;
    private final TopologyReport report;
    private final Optional<String> token;

    ActionForms(PageWriter page, PageContext context, TopologyReport report) {
        this.page = page;
        this.html = page.html();
        this.report = report;
        this.token = context.token();
    }

    void writeStandDown() {
        if (!MEMBERS.contains(report.state()) || report.view().isEmpty()) {
            return;
        }
        action("dz-stand-down", "Stand down …", () -> {
            html.element(
                    "p",
                    "This instance gives up its seniority, and the lead if it is the leader, and "
                            + "rejoins at the end. The view of the whole cluster changes.");
            report.ifStopped()
                    .ifPresent(stopped -> html.element("p", () -> html.text("if this instance stops, ")
                            .foreign(page.names().sentence(stopped.consequence()))));
            form(
                    STAND_DOWN,
                    report.localInstanceId(),
                    () -> html.element("button", attr("type", "submit"), "Stand down now"));
        });
    }

    void writeEvict(String instanceId, String target) {
        if (!ANNOUNCED.contains(report.state())) {
            return;
        }
        action("dz-evict", "Evict …", () -> {
            html.element(
                    "p",
                    "This removes the instance from the cluster, for example one that hangs or whose process "
                            + "has died. If the process is alive, the instance rejoins at the end of the order. "
                            + "The view of the whole cluster changes.");
            form(EVICT, instanceId, () -> {
                writeHidden(html, TARGET, target);
                html.element("button", attr("type", "submit"), "Evict now");
            });
        });
    }

    private void action(String id, String summary, Runnable content) {
        if (token.isEmpty()) {
            return;
        }
        html.element("details", attr("class", "dz-action").and("id", id), () -> {
                    html.element("summary", summary);
                    content.run();
                })
                .line();
    }

    private void form(String action, String instanceId, Runnable content) {
        html.element(
                "form", attr("method", "post").and("action", page.addresses().overview()), () -> {
                    writeHidden(html, ACTION, action);
                    writeHidden(html, TOKEN, token.orElseThrow());
                    writeHidden(html, Addresses.INSTANCE, instanceId);
                    content.run();
                });
    }

    private static void writeHidden(Html html, String name, String value) {
        html.empty("input", attr("type", "hidden").and("name", name).and("value", value));
    }
}
