// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.webconsole.section;

import static io.github.discoveryzk.webconsole.content.Line.line;

import io.github.discoveryzk.report.Concern;
import io.github.discoveryzk.report.Reporter;
import io.github.discoveryzk.report.Reporter.Restart;
import io.github.discoveryzk.report.Startup;
import io.github.discoveryzk.report.TopologyReport;
import io.github.discoveryzk.webconsole.content.Fact;
import io.github.discoveryzk.webconsole.content.Line;
import io.github.discoveryzk.webconsole.content.Section;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Whether this container may be stopped, and in which order all are restarted.
 *
 * @param startup how far its start is
 * @param objections why it should not be stopped now, a sentence each
 * @param order the containers by their instances, the first one first
 */
public record RestartPlan(Startup startup, List<String> objections, List<Restart> order) {
    private static final int MAX_NAMED = 5;

    public static RestartPlan of(Reporter reporter) {
        return new RestartPlan(reporter.startup(), reporter.objections(), reporter.restartOrder());
    }

    /**
     * Returns the answers to the questions of an operator who restarts containers; the order only while it knows who is there.
     *
     * @param report what stands above, and whose sentence the answers need not repeat
     */
    public List<Fact> facts(TopologyReport report) {
        List<Fact> facts = new ArrayList<>();
        if (startup.stage() != Startup.Stage.STARTED
                && !(report.sentence() + report.problems()).contains(startup.sentence())) {
            facts.add(new Fact("Started", line().foreign("not yet: " + startup.sentence())));
        }
        facts.add(new Fact(
                "May it be stopped",
                objections.isEmpty()
                        ? line().text("yes, go on")
                        : line().foreign(objections.stream()
                                .map(each -> each.replaceFirst(
                                        "(?s)^(No view is settled here|The store does not answer): .*", "$1."))
                                .collect(Collectors.joining(" ", "not now. ", "")))));
        if (startup.isReady() && StatusSections.nextLeader(report).isPresent()) {
            boolean free = objections.isEmpty()
                    && report.noted().stream().noneMatch(each -> each.concern() == Concern.SERVERS);
            boolean first = !free && order.stream().anyMatch(Restart::isGone);
            List<Restart> next = first ? order.stream().filter(Restart::isGone).toList() : order;
            boolean over = order.stream().allMatch(each -> each.why().equals(Restart.DONE));
            Line steps = line().text(free || first ? "" : "as soon as nothing speaks against it: ")
                    .list(next, ", then ", MAX_NAMED, RestartPlan::step)
                    .text(next.size() < 2 ? "" : "; before each next one, wait until the last one is ready");
            facts.add(new Fact("To restart all", over ? line().text("none: all were restarted") : steps));
        }
        return facts;
    }

    /** Returns all steps. */
    public Section steps() {
        return new Section(
                "dz-restart",
                "Restart one after the other; before each next one, wait until the last one is ready",
                List.of(new Section.Items(order.stream().map(RestartPlan::step).toList(), true)));
    }

    private static Line step(Restart step) {
        Line instance = line().instance(step.instanceId());
        return step.why().isEmpty() ? instance : instance.soft(" (" + step.why() + ")");
    }
}
