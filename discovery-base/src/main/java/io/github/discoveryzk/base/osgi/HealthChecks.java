// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.base.osgi;

import io.github.discoveryzk.report.Concern;
import io.github.discoveryzk.report.Health;
import io.github.discoveryzk.report.Health.Finding;
import io.github.discoveryzk.report.Health.Severity;
import io.github.discoveryzk.report.Reporter;
import io.github.discoveryzk.report.Startup;
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
 * <p>What reads the tag {@code systemready} takes an instance out of service, and stops or starts the next one when it is green. So only
 * {@code discovery-ready} has it, which stays green once the container has started. What reads {@code systemalive} restarts the container, which mends nothing that is found here.
 */
final class HealthChecks {

    /** The system property that remembers the end of the start: this class may be loaded again while the process goes on. */
    private static final String STARTED = "io.github.discoveryzk.started";

    private HealthChecks() {}

    static List<ServiceRegistration<?>> register(BundleContext context, Reporter reporter) {
        List<ServiceRegistration<?>> checks = new ArrayList<>();
        checks.add(register(context, "Discovery", () -> Health.of(reporter.report()), "discovery", "system"));
        for (Concern each : EnumSet.complementOf(EnumSet.of(Concern.OTHER))) {
            String name = "discovery-" + each.name().toLowerCase(Locale.ROOT).replace('_', '-');
            checks.add(register(context, name, () -> Health.of(reporter.report(), each), "discovery"));
        }
        checks.add(register(context, "discovery-ready", () -> ready(reporter.startup()), "discovery", "systemready"));
        checks.add(register(context, "discovery-stop", () -> safe(reporter.objections()), "discovery-stop"));
        return checks;
    }

    /** Says whether the start of this container is over, perhaps since an earlier discovery service. */
    static boolean hasStarted() {
        return Boolean.getBoolean(STARTED);
    }

    private static Health ready(Startup startup) {
        if (startup.stage() == Startup.Stage.STARTED) {
            System.setProperty(STARTED, "true");
        }
        return startup.isReady()
                ? health(Severity.OK, startup.sentence().isEmpty() ? "the container has started" : startup.sentence())
                : health(Severity.TEMPORARILY_UNAVAILABLE, startup.sentence());
    }

    private static Health safe(List<String> objections) {
        return objections.isEmpty()
                ? health(Severity.OK, "the container may be stopped")
                : health(Severity.TEMPORARILY_UNAVAILABLE, String.join(" ", objections));
    }

    private static Health health(Severity severity, String sentence) {
        return new Health(List.of(new Finding(Concern.OTHER, severity, sentence)));
    }

    private static ServiceRegistration<?> register(
            BundleContext context, String name, Supplier<Health> health, String... tags) {
        HealthCheck check = () -> {
            ResultLog log = new ResultLog();
            for (Finding each : health.get().findings()) {
                log.add(new ResultLog.Entry(Result.Status.valueOf(each.status().name()), each.sentence()));
            }
            return new Result(log);
        };
        Map<String, Object> properties = Map.of(HealthCheck.NAME, name, HealthCheck.TAGS, tags);
        return context.registerService(HealthCheck.class, check, new Hashtable<>(properties));
    }
}
