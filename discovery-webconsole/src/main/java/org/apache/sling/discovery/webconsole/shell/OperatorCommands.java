// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.webconsole.shell;

import java.util.function.Function;
import org.apache.felix.service.command.Descriptor;
import org.apache.felix.service.command.Parameter;
import org.apache.sling.discovery.commons.report.Operator;
import org.apache.sling.discovery.webconsole.format.Phrases;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicy;
import org.osgi.service.component.annotations.ReferencePolicyOption;

/** The shell commands that act on the cluster. Each returns a sentence that tells the result. */
@Component(
        service = OperatorCommands.class,
        property = {"osgi.command.scope=discovery", "osgi.command.function=standdown", "osgi.command.function=evict"})
public final class OperatorCommands {
    private static final String JSON = "--json";
    private static final String JSON_HELP = "print the outcome as JSON";

    @Reference(
            cardinality = ReferenceCardinality.OPTIONAL,
            policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY)
    private volatile Operator operator;

    /** Makes this instance give up its seniority. */
    @Descriptor("makes this instance give up its seniority, and the lead; it rejoins at the end")
    public String standdown(
            @Descriptor(JSON_HELP) @Parameter(names = JSON, presentValue = "true", absentValue = "false")
                    boolean json) {
        return perform(json, Operator::standDown);
    }

    /** Removes another instance, identified by its id or its member node. */
    @Descriptor("removes another instance from the cluster; if it is alive, it rejoins at the end of the order")
    public String evict(
            @Descriptor(JSON_HELP) @Parameter(names = JSON, presentValue = "true", absentValue = "false") boolean json,
            @Descriptor("its instance id, or the name of its member node") String instanceIdOrNode) {
        return perform(json, each -> each.evict(instanceIdOrNode));
    }

    private String perform(boolean json, Function<Operator, String> action) {
        Operator present = operator;
        return present == null
                ? CommandOutcome.problem(json, Phrases.INACTIVE)
                : CommandOutcome.sentence(json, action.apply(present));
    }
}
