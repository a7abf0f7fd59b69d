// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.osgi;

import org.apache.felix.hc.api.HealthCheck;
import org.apache.felix.hc.api.Result;
import org.apache.felix.hc.api.ResultLog;
import org.apache.sling.discovery.commons.report.Health;
import org.apache.sling.discovery.commons.report.Reporter;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;

/**
 * Reports the health of discovery to Felix Health Checks. Without their API no bundle uses this service, so this class is never
 * loaded.
 */
@Component(
        service = HealthCheck.class,
        property = {
            HealthCheck.NAME + "=Discovery",
            HealthCheck.TAGS + "=discovery",
            HealthCheck.TAGS + "=system",
        })
public final class TopologyHealthCheck implements HealthCheck {

    private final Reporter reporter;

    @Activate
    public TopologyHealthCheck(@Reference Reporter reporter) {
        this.reporter = reporter;
    }

    @Override
    public Result execute() {
        ResultLog log = new ResultLog();
        Health.of(reporter.report())
                .findings()
                .forEach(each -> log.add(
                        new ResultLog.Entry(Result.Status.valueOf(each.status().name()), each.sentence())));
        return new Result(log);
    }
}
