// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.osgi;

import java.util.ArrayList;
import java.util.Hashtable;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.apache.felix.hc.api.HealthCheck;
import org.apache.felix.hc.api.Result;
import org.apache.felix.hc.api.ResultLog;
import org.apache.sling.discovery.commons.report.Concern;
import org.apache.sling.discovery.commons.report.Health;
import org.apache.sling.discovery.commons.report.Reporter;
import org.apache.sling.discovery.commons.report.TopologyReport;
import org.osgi.framework.BundleContext;
import org.osgi.framework.ServiceRegistration;

/**
 * The services by which Felix Health Checks reads the health of discovery: one that sums up, and one for each concern. To be used only
 * when their API is there.
 *
 * <p>What reads the tag {@code systemready} takes an instance out of service, so only the connection has it, whose check an interruption
 * does not turn red. What reads {@code systemalive} restarts the container, which mends nothing that is found here.
 */
final class HealthChecks {

    /** The type of the services, for those that must not load it. */
    static final String TYPE = "org.apache.felix.hc.api.HealthCheck";

    private HealthChecks() {}

    static List<ServiceRegistration<?>> register(BundleContext context, Reporter reporter) {
        List<ServiceRegistration<?>> checks = new ArrayList<>();
        checks.add(register(context, reporter, Health::of, "Discovery", "discovery", "system"));
        for (Concern each : Concern.values()) {
            String[] tags =
                    each == Concern.CONNECTED ? new String[] {"discovery", "systemready"} : new String[] {"discovery"};
            if (each != Concern.OTHER) {
                checks.add(register(context, reporter, report -> Health.of(report, each), each.check(), tags));
            }
        }
        return checks;
    }

    private static ServiceRegistration<?> register(
            BundleContext context,
            Reporter reporter,
            Function<TopologyReport, Health> judge,
            String name,
            String... tags) {
        HealthCheck check = () -> result(judge.apply(reporter.report()));
        Map<String, Object> properties = Map.of(HealthCheck.NAME, name, HealthCheck.TAGS, tags);
        return context.registerService(HealthCheck.class, check, new Hashtable<>(properties));
    }

    private static Result result(Health health) {
        ResultLog log = new ResultLog();
        health.findings()
                .forEach(each -> log.add(
                        new ResultLog.Entry(Result.Status.valueOf(each.status().name()), each.sentence())));
        return new Result(log);
    }
}
