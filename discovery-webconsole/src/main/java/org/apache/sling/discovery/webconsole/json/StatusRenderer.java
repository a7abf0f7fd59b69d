// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.webconsole.json;

import java.util.Optional;
import java.util.OptionalLong;
import org.apache.sling.discovery.commons.report.Health;
import org.apache.sling.discovery.commons.report.TopologyReport;
import org.apache.sling.discovery.commons.report.TopologyReport.Cluster;
import org.apache.sling.discovery.commons.report.TopologyReport.View;

/** Renders the status of an instance as a small JSON document for scripts. */
final class StatusRenderer {

    private StatusRenderer() {}

    static String status(TopologyReport report) {
        Optional<View> view = report.view();
        int members = report.clusters().stream()
                .filter(Cluster::local)
                .mapToInt(cluster -> cluster.instances().size())
                .sum();
        return JsonObjectWriter.object(json -> json.number("schema", JsonRenderer.SCHEMA)
                .number("generatedMillis", report.generatedMillis())
                .number("revision", report.revision())
                .text("localInstanceId", report.localInstanceId())
                .text("state", report.state().name())
                .text("sentence", report.sentence())
                .number("sinceMillis", report.status().sinceMillis())
                .flag("current", view.filter(View::current).isPresent())
                .number("view", view.map(each -> OptionalLong.of(each.number())).orElse(OptionalLong.empty()))
                .text("leader", view.map(View::leaderId))
                .number("members", members)
                .text("health", Health.of(report).status().name())
                .texts("problems", report.problems()));
    }
}
