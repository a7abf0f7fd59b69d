// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.webconsole.page;

import java.io.IOException;
import org.apache.sling.discovery.commons.report.TopologyReport;
import org.apache.sling.discovery.webconsole.drawing.TopologyDiagram;
import org.apache.sling.discovery.webconsole.format.Phrases;
import org.apache.sling.discovery.webconsole.markup.PageWriter;

/** The topology at a glance, and its explanation. */
final class OverviewPage {
    private final PageWriter page;
    private final PageContext context;

    OverviewPage(PageWriter page, PageContext context) {
        this.page = page;
        this.context = context;
    }

    void write(TopologyReport report) throws IOException {
        StatusSection status = new StatusSection(page);
        InstancesSection instances = new InstancesSection(page, report);
        status.write(report);
        status.writeProblems(Phrases.problems(report));
        new TopologyDiagram(page).write(report);
        instances.write();
        new ExplainSection(page).write(report);
        if (context.token().isPresent()) {
            new ActionForms(page, context.token().get()).writeStandDown(report);
        }
        new ConnectorsSection(page, report).write();
        new RecentSections(page).write(report.recent());
    }
}
