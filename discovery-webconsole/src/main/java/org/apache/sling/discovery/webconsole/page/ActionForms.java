// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.webconsole.page;

import static org.apache.sling.discovery.webconsole.markup.Attributes.attr;

import java.io.IOException;
import org.apache.sling.discovery.commons.report.IfStopped;
import org.apache.sling.discovery.commons.report.TopologyReport;
import org.apache.sling.discovery.webconsole.markup.Addresses;
import org.apache.sling.discovery.webconsole.markup.Html;
import org.apache.sling.discovery.webconsole.markup.PageWriter;

/** The forms for the actions of operators. Each is closed at first, and says what the action leads to. */
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

    private final PageWriter page;
    private final Html html;
    private final String token;

    ActionForms(PageWriter page, String token) {
        this.page = page;
        this.html = page.html();
        this.token = token;
    }

    void writeStandDown(TopologyReport report) throws IOException {
        action("dz-stand-down", "Stand down …", () -> {
            html.element(
                    "p",
                    "This instance gives up its seniority, and the lead if it is the leader, and "
                            + "rejoins at the end. The view of the whole cluster changes.");
            if (report.ifStopped().isPresent()) {
                consequences(report.ifStopped().get());
            }
            form(
                    STAND_DOWN,
                    report.localInstanceId(),
                    () -> html.element("button", attr("type", "submit"), "Stand down now"));
        });
    }

    private void consequences(IfStopped ifStopped) throws IOException {
        page.facts(() -> {
            page.fact("Who leads then", () -> {
                if (ifStopped.leaderId().isPresent()) {
                    page.instanceLink(ifStopped.leaderId().get());
                } else {
                    html.text("no other instance is left to lead");
                }
            });
            page.fact("Bundles that use the lease here", () -> {
                if (ifStopped.leaseUsers().isEmpty()) {
                    html.text(ifStopped.leads() ? "none" : "none, because this instance does not lead");
                }
                for (int i = 0; i < ifStopped.leaseUsers().size(); i++) {
                    html.text(i == 0 ? "" : ", ").foreign(ifStopped.leaseUsers().get(i));
                }
            });
        });
    }

    void writeEvict(String instanceId, String target) throws IOException {
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

    private void action(String id, String summary, Html.Content content) throws IOException {
        html.element("details", attr("class", "dz-action").and("id", id), () -> {
                    html.element("summary", summary);
                    content.write();
                })
                .line();
    }

    private void form(String action, String instanceId, Html.Content content) throws IOException {
        html.element(
                "form", attr("method", "post").and("action", page.addresses().overview()), () -> {
                    writeHidden(html, ACTION, action);
                    writeHidden(html, TOKEN, token);
                    writeHidden(html, Addresses.INSTANCE, instanceId);
                    content.write();
                });
    }

    /** Writes a parameter that the user does not see. */
    static void writeHidden(Html html, String name, String value) throws IOException {
        html.empty("input", attr("type", "hidden").and("name", name).and("value", value));
    }
}
