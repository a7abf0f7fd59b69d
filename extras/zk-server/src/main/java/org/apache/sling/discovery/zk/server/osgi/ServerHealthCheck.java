// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.zk.server.osgi;

import org.apache.felix.hc.api.FormattingResultLog;
import org.apache.felix.hc.api.HealthCheck;
import org.apache.felix.hc.api.Result;
import org.apache.sling.discovery.zk.server.EnsembleReport;
import org.apache.sling.discovery.zk.server.EnsembleReport.Role;
import org.apache.sling.discovery.zk.server.EnsembleReport.Server;
import org.apache.sling.discovery.zk.server.EnsembleReporter;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;

/**
 * Reports the health of the ensemble to Felix Health Checks. Without their API no bundle uses this service, so this class is never
 * loaded.
 */
@Component(
        service = HealthCheck.class,
        property = {
            HealthCheck.NAME + "=Discovery ZooKeeper Server",
            HealthCheck.TAGS + "=discovery",
            HealthCheck.TAGS + "=system",
        })
public final class ServerHealthCheck implements HealthCheck {
    private final EnsembleReporter reporter;

    @Activate
    public ServerHealthCheck(@Reference EnsembleReporter reporter) {
        this.reporter = reporter;
    }

    @Override
    public Result execute() {
        EnsembleReport report = reporter.report();
        FormattingResultLog log = new FormattingResultLog();
        log.info("{}", report.sentence());
        report.problems().forEach(each -> log.critical("{}", each));
        report.servers().stream().filter(each -> !serves(each)).forEach(each -> log.warn("{}", absence(each)));
        if (!report.serves()) {
            log.critical("No server leads: fewer than a majority of the servers run, so no member can join or leave.");
        }
        return new Result(log);
    }

    private static boolean serves(Server server) {
        return server.role() == Role.LEADER || server.role() == Role.FOLLOWER;
    }

    private static String absence(Server server) {
        return "Server " + server.id() + " at " + server.address()
                + (server.role() == Role.DOWN
                        ? " does not answer. Start its container; until then another loss may stop the ensemble."
                        : " runs and does not serve. Its own log and page say what it waits for.");
    }
}
