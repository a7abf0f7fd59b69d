// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.webconsole.query;

import java.util.UUID;
import org.apache.sling.discovery.commons.report.Reporter;
import org.apache.sling.discovery.commons.report.TopologyReport;
import org.apache.sling.discovery.commons.report.TopologyReport.View;

/** The entity tags of what is rendered from reports. May be used from any thread. */
public final class ReportTags {
    /** Distinguishes the tags of this process, because each process counts its revisions from the start. */
    private final String run = UUID.randomUUID().toString();

    /**
     * Returns the tag of a report. It is a weak one, because elapsed times are not part of it. A view may cease to be
     * current before the revision changes, so the tag contains this too.
     */
    public String of(TopologyReport report, Reporter reporter) {
        return of(report, reporter, "");
    }

    /**
     * Returns the tag of a report with something else.
     *
     * @param other what the content depends on besides the report, in letters and digits
     */
    public String of(TopologyReport report, Reporter reporter, String other) {
        String over = report.view()
                .filter(view -> !view.current())
                .map(view -> "-over")
                .orElse("");
        return "W/\"" + report.view().map(View::number).orElse(0L) + over + "-" + report.revision() + "-" + run + "-"
                + Integer.toHexString(System.identityHashCode(reporter)) + (other.isEmpty() ? "" : "-" + other) + "\"";
    }
}
