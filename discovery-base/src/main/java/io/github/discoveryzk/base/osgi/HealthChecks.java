// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.base.osgi;

import io.github.discoveryzk.report.Concern;
import io.github.discoveryzk.report.Health;
import io.github.discoveryzk.report.Reporter;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.Hashtable;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;
import org.apache.felix.hc.api.HealthCheck;
import org.apache.felix.hc.api.Result;
import org.apache.felix.hc.api.ResultLog;
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

    /** The system property that remembers a connection: this class may be loaded again while the process goes on. */
    private static final String CONNECTED = "io.github.discoveryzk.connected";

    private HealthChecks() {}

    static List<ServiceRegistration<?>> register(BundleContext context, Reporter reporter) {
        List<ServiceRegistration<?>> checks = new ArrayList<>();
        checks.add(register(context, "Discovery", () -> Health.of(reporter.report()), "discovery", "system"));
        for (Concern each : EnumSet.complementOf(EnumSet.of(Concern.OTHER))) {
            String name = "discovery-" + each.name().toLowerCase(Locale.ROOT).replace('_', '-');
            String[] tags =
                    each == Concern.CONNECTED ? new String[] {"discovery", "systemready"} : new String[] {"discovery"};
            checks.add(register(context, name, () -> Health.of(reporter.report(), each), tags));
        }
        return checks;
    }

    /** A service that starts again without a connection does not make a container unready that was ready. */
    private static Result.Status status(Health.Finding finding) {
        boolean isNew = finding.status() == Health.Severity.TEMPORARILY_UNAVAILABLE;
        if (finding.concern() == Concern.CONNECTED && !isNew) {
            System.setProperty(CONNECTED, "true");
        }
        boolean isKnown = finding.concern() == Concern.CONNECTED && Boolean.getBoolean(CONNECTED);
        return isNew && isKnown
                ? Result.Status.WARN
                : Result.Status.valueOf(finding.status().name());
    }

    private static ServiceRegistration<?> register(
            BundleContext context, String name, Supplier<Health> health, String... tags) {
        HealthCheck check = () -> {
            ResultLog log = new ResultLog();
            for (Health.Finding each : health.get().findings()) {
                log.add(new ResultLog.Entry(status(each), each.sentence()));
            }
            return new Result(log);
        };
        Map<String, Object> properties = Map.of(HealthCheck.NAME, name, HealthCheck.TAGS, tags);
        return context.registerService(HealthCheck.class, check, new Hashtable<>(properties));
    }
}
