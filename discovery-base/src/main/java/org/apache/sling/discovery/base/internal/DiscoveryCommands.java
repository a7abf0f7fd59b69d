// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.internal;

import org.apache.sling.discovery.commons.report.Operator;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;

/** The shell commands {@code discovery:standdown} and {@code discovery:evict}; each returns the sentence to be printed. */
@Component(
        service = DiscoveryCommands.class,
        property = {"osgi.command.scope=discovery", "osgi.command.function=standdown", "osgi.command.function=evict"})
public final class DiscoveryCommands {

    private final Operator operator;

    @Activate
    public DiscoveryCommands(@Reference Operator operator) {
        this.operator = operator;
    }

    /** Has this instance give up its place. */
    public String standdown() {
        return operator.standDown();
    }

    /** Removes another instance, given by its id or its member node. */
    public String evict(String instanceIdOrNode) {
        return operator.evict(instanceIdOrNode);
    }
}
