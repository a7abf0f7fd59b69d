// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.reporting;

import java.util.List;
import java.util.stream.Collectors;
import org.apache.sling.discovery.commons.report.ConnectorReport;

/** What a report shows of connectors, without the times and counts that change with each ping. */
final class SteadyConnectors {

    private SteadyConnectors() {}

    /** Returns a value that is equal for two reports if they differ in such times and counts at most. */
    static Object of(ConnectorReport report) {
        return List.of(
                report.configured(),
                report.endpoint(),
                report.outgoing().stream()
                        .map(each -> List.of(
                                List.of(each.urls(), each.url(), each.state(), each.sentence()),
                                each.sinceMillis(),
                                each.peer(),
                                each.exchangedMillis().isPresent(),
                                each.expiresMillis().isPresent()))
                        .toList(),
                report.incoming().stream()
                        .map(each -> List.of(
                                List.of(each.ownerId(), each.serverInfo(), each.address(), each.clusterId()),
                                each.sinceMillis(),
                                each.backoffSeconds()))
                        .toList(),
                // The order of refusals changes with each of them.
                report.refusals().stream()
                        .map(each -> List.of(each.sender(), each.status(), each.reason(), each.firstMillis()))
                        .collect(Collectors.toSet()));
    }
}
