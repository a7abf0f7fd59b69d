// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.webconsole.shell;

import java.util.function.Function;
import org.apache.felix.service.command.Descriptor;
import org.apache.felix.service.command.Parameter;
import org.apache.sling.discovery.commons.report.Operator;
import org.apache.sling.discovery.webconsole.format.Escape;
import org.apache.sling.discovery.webconsole.format.Phrases;
import org.apache.sling.discovery.webconsole.json.JsonRenderer;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicy;
import org.osgi.service.component.annotations.ReferencePolicyOption;

/** The shell commands that act on the cluster. Each prints a sentence that tells the result, and fails if nothing happens. */
@Component(
        service = OperatorCommands.class,
        property = {"osgi.command.scope=discovery", "osgi.command.function=standdown", "osgi.command.function=evict"})
public final class OperatorCommands {
    private static final String STAND_DOWN_SUMMARY =
            "makes this instance give up its seniority, and the lead; it rejoins at the end";
    private static final String EVICT_SUMMARY =
            "removes another instance from the cluster; if it is alive, it rejoins at the end of the order";
    private static final String TARGET = "instance id or member node";

    @Reference(
            cardinality = ReferenceCardinality.OPTIONAL,
            policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY)
    private volatile Operator operator;

    /** Makes this instance give up its seniority. */
    @Descriptor(STAND_DOWN_SUMMARY)
    public void standdown(
            @Descriptor(Output.JSON_DESCRIPTION)
                    @Parameter(names = Output.JSON, presentValue = "true", absentValue = "false")
                    boolean json)
            throws CommandFailure {
        Output.print(json, () -> perform(json, Operator::standDown));
    }

    /** Removes another instance, identified by its id or its member node. */
    @Descriptor(EVICT_SUMMARY)
    public void evict(
            @Descriptor(Output.JSON_DESCRIPTION)
                    @Parameter(names = Output.JSON, presentValue = "true", absentValue = "false")
                    boolean json,
            @Descriptor(TARGET) String target)
            throws CommandFailure {
        Output.print(json, () -> perform(json, each -> each.evict(target)));
    }

    private String perform(boolean json, Function<Operator, Operator.Result> action) throws CommandFailure {
        Operator present = operator;
        if (present == null) {
            throw new CommandFailure(Phrases.INACTIVE);
        }
        Operator.Result result = action.apply(present);
        if (!result.success()) {
            throw new CommandFailure(result.sentence());
        }
        return json ? JsonRenderer.outcome(result.sentence()) : Escape.line(result.sentence());
    }
}
