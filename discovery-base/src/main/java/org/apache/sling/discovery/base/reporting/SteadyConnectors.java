// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.reporting;

import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.sling.discovery.commons.report.ConnectorReport;
import org.apache.sling.discovery.commons.report.ConnectorReport.Incoming;
import org.apache.sling.discovery.commons.report.ConnectorReport.Outgoing;
import org.apache.sling.discovery.commons.report.ConnectorReport.Refusal;
import org.apache.sling.discovery.commons.report.ConnectorReport.Traffic;

/** What a report shows of connectors, without the times and counts that change with each ping. */
final class SteadyConnectors {

    private SteadyConnectors() {}

    /** Returns a value that is equal for two reports if they differ in such times and counts at most. */
    static Object of(ConnectorReport report) {
        // The order of refusals changes with each of them.
        Set<Refusal> refusals =
                report.refusals().stream().map(SteadyConnectors::steady).collect(Collectors.toSet());
        return List.of(
                new ConnectorReport(
                        report.configured(),
                        report.endpoint(),
                        report.outgoing().stream().map(SteadyConnectors::steady).toList(),
                        report.incoming().stream().map(SteadyConnectors::steady).toList(),
                        List.of(),
                        report.pingTimeoutMillis()),
                refusals);
    }

    private static Outgoing steady(Outgoing each) {
        return new Outgoing(
                each.urls(),
                each.url(),
                each.state(),
                each.sentence(),
                each.sinceMillis(),
                each.peer(),
                presence(each.exchangedMillis()),
                OptionalLong.empty(),
                presence(each.expiresMillis()),
                Traffic.NOTHING);
    }

    private static Incoming steady(Incoming each) {
        return new Incoming(
                each.ownerId(),
                each.serverInfo(),
                each.address(),
                each.clusterId(),
                each.sinceMillis(),
                0,
                0,
                each.backoffSeconds(),
                Traffic.NOTHING);
    }

    private static Refusal steady(Refusal each) {
        return new Refusal(each.sender(), each.status(), each.reason(), 0, each.firstMillis(), 0);
    }

    private static OptionalLong presence(OptionalLong time) {
        return time.isPresent() ? OptionalLong.of(0) : time;
    }
}
