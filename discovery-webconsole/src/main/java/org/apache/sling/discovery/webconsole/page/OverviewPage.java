// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.webconsole.page;

import java.io.IOException;
import org.apache.sling.discovery.commons.report.TopologyReport;
import org.apache.sling.discovery.webconsole.drawing.TopologyDiagram;
import org.apache.sling.discovery.webconsole.format.Phrases;
import org.apache.sling.discovery.webconsole.markup.PageWriter;

/** The topology at a glance, and why it is what it is. */
final class OverviewPage {
    private final PageWriter sheet;
    private final PageContext visit;

    OverviewPage(PageWriter sheet, PageContext visit) {
        this.sheet = sheet;
        this.visit = visit;
    }

    void write(TopologyReport report) throws IOException {
        StatusSection status = new StatusSection(sheet);
        InstancesSection instances = new InstancesSection(sheet);
        status.write(report);
        status.problems(Phrases.problems(report));
        new TopologyDiagram(sheet).write(report);
        instances.write(report);
        new ExplainSection(sheet).write(report);
        if (visit.token().isPresent()) {
            new ActionForms(sheet, visit.token().get()).standDown(report.localInstanceId());
        }
        instances.connectors(report);
        new RecentSections(sheet).write(report.recent());
    }
}
