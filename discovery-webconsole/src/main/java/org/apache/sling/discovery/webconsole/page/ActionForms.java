// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.webconsole.page;

import java.io.IOException;
import org.apache.sling.discovery.webconsole.markup.Addresses;
import org.apache.sling.discovery.webconsole.markup.Html;
import org.apache.sling.discovery.webconsole.markup.PageWriter;

/** What people can do, each behind a step in which they are told what it means. */
public final class ActionForms {
    /** The parameter that names the action. */
    public static final String ACTION = "action";

    /** The parameter that proves that a page of this console made the form. */
    public static final String TOKEN = "token";

    /** The parameter that says what to evict: an instance id or the name of a member node. */
    public static final String TARGET = "target";

    public static final String STAND_DOWN = "standdown";
    public static final String EVICT = "evict";

    private final PageWriter sheet;
    private final Html html;
    private final String token;

    ActionForms(PageWriter sheet, String token) {
        this.sheet = sheet;
        this.html = sheet.html();
        this.token = token;
    }

    void standDown(String instanceId) throws IOException {
        begin("dz-stand-down", "Stand down …");
        html.element(
                "p",
                "This instance gives up its place in the order, and the lead if it has it, and comes back at the end. "
                        + "The whole cluster goes through a change.");
        form(STAND_DOWN, instanceId);
        end("Stand down now");
    }

    void evict(String instanceId, String target) throws IOException {
        begin("dz-evict", "Evict …");
        html.element(
                "p",
                "This removes the instance from the cluster, such as one that hangs or whose process has died. If its process "
                        + "lives, it comes back at the end of the order. The whole cluster goes through a change.");
        form(EVICT, instanceId);
        hidden(TARGET, target);
        end("Evict now");
    }

    private void begin(String id, String summary) throws IOException {
        html.open("details", "class", "dz-action", "id", id);
        html.element("summary", summary);
    }

    private void form(String action, String instanceId) throws IOException {
        html.open("form", "method", "post", "action", sheet.at().overview());
        hidden(ACTION, action);
        hidden(TOKEN, token);
        hidden(Addresses.INSTANCE, instanceId);
    }

    private void end(String button) throws IOException {
        html.element("button", button, "type", "submit").close().close().line();
    }

    private void hidden(String name, String value) throws IOException {
        html.empty("input", "type", "hidden", "name", name, "value", value);
    }
}
