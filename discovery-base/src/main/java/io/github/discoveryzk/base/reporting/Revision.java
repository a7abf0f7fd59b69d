// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.base.reporting;

import io.github.discoveryzk.report.ConnectorReport;
import io.github.discoveryzk.report.Health;
import io.github.discoveryzk.report.TopologyReport.Instances;
import io.github.discoveryzk.report.TopologyReport.Situation;
import java.util.List;
import java.util.stream.Collectors;

/** Counts the changes of the content of reports. Confined to the monitor of its owner. */
final class Revision {

    private List<Object> shown = List.of();
    private long number;

    /** Returns the number of a report: above that of the last one if the content has changed since then. */
    long of(Situation situation, Instances instances, ConnectorReport connectors, List<Object> others) {
        List<Object> now = List.of(steady(situation), instances, steady(connectors), others);
        if (!now.equals(shown)) {
            shown = now;
            number++;
        }
        return number;
    }

    /** Returns the situation without the values that change with time alone. */
    private static Object steady(Situation situation) {
        return List.of(
                List.of(situation.status(), situation.view(), situation.change(), situation.lastChange()),
                situation.connection().map(each -> List.of(each.session(), each.timeoutMillis(), each.usable())),
                situation.listeners().stream()
                        .map(each ->
                                List.of(each.name(), each.pending(), each.busyMillis() >= Health.LISTENER_LIMIT_MILLIS))
                        .toList());
    }

    /** Returns the connectors without the times and counts that change with each ping. */
    private static Object steady(ConnectorReport report) {
        return List.of(
                report.configured(),
                report.endpoint(),
                report.outgoing().stream()
                        .map(each -> List.of(
                                List.of(each.urls(), each.url(), each.state(), each.sentence()),
                                each.times().sinceMillis(),
                                each.peer(),
                                each.times().exchangedMillis().isPresent(),
                                each.times().expiresMillis().isPresent()))
                        .toList(),
                report.incoming().stream()
                        .map(each -> List.of(
                                List.of(each.ownerId(), each.serverInfo(), each.address(), each.clusterId()),
                                each.times().sinceMillis(),
                                each.backoffSeconds()))
                        .toList(),
                // The order of refusals changes with each of them.
                report.refusals().stream()
                        .map(each -> List.of(each.sender(), each.status(), each.reason(), each.firstMillis()))
                        .collect(Collectors.toSet()));
    }
}
