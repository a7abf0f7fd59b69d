// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.webconsole.html;

import static io.github.discoveryzk.webconsole.content.Line.line;

import io.github.discoveryzk.report.State;
import io.github.discoveryzk.report.TopologyReport;
import io.github.discoveryzk.report.TopologyReport.Instance;
import io.github.discoveryzk.webconsole.content.Line;
import io.github.discoveryzk.webconsole.content.Section;
import io.github.discoveryzk.webconsole.section.StatusSections;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The forms for the actions of operators, where they can act. */
public final class ActionForms {
    /** The parameter that names the action. */
    public static final String ACTION = "action";

    /** The parameter with the CSRF token. */
    public static final String TOKEN = "token";

    /** The parameter that names the instance to evict: its id, or the name of its member node. */
    public static final String TARGET = "target";

    /** The action by which the local instance gives up its seniority. */
    public static final String STEP_DOWN = "stepdown";

    /** The action that removes another instance. */
    public static final String EVICT = "evict";

    /** The states in which an instance may step down. In the others it would be refused. */
    private static final Set<State> MEMBERS = EnumSet.of(State.SETTLED, State.CHANGING);

    /** The states in which an instance may evict another one. */
    private static final Set<State> ANNOUNCED = EnumSet.of(State.SETTLED, State.CHANGING, State.JOINING, State.REFUSED);

    private ActionForms() {}

    static List<Section.Form> stepDown(TopologyReport report) {
        if (!MEMBERS.contains(report.state()) || report.view().isEmpty()) {
            return List.of();
        }
        List<Line> explanation = new ArrayList<>();
        explanation.add(line().text("This instance gives up its seniority, and the lead if it is the leader, and "
                + "rejoins at the end. The view of the whole cluster changes."));
        StatusSections.ifStopped(report)
                .ifPresent(then ->
                        explanation.add(line().text("If this instance stops, ").and(then)));
        Map<String, String> fields = Map.of(ACTION, STEP_DOWN, Addresses.INSTANCE, report.localInstanceId());
        return List.of(new Section.Form("dz-step-down", "Step down …", explanation, fields, "Step down now"));
    }

    /** @param gone whether the instance has left, so that it can only be dismissed from what is reported */
    static List<Section.Form> evict(TopologyReport report, Instance instance, boolean gone) {
        if (!ANNOUNCED.contains(report.state())) {
            return List.of();
        }
        String label = gone ? "Dismiss" : "Evict";
        Line explanation = line().text(
                        gone
                                ? "If it does not come back: the instance that serves this page does not report it any"
                                        + " more. Other instances do for an hour after it left."
                                : "This removes the instance from the cluster, for example one that hangs or whose "
                                        + "process has died. If the process is alive, the instance rejoins at the end of "
                                        + "the order. The view of the whole cluster changes.");
        String target = gone ? instance.id() : instance.node();
        Map<String, String> fields = Map.of(ACTION, EVICT, Addresses.INSTANCE, instance.id(), TARGET, target);
        return List.of(new Section.Form("dz-evict", label + " …", List.of(explanation), fields, label + " now"));
    }
}
