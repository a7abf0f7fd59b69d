// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.webconsole.text;

import java.io.IOException;
import java.util.OptionalLong;
import org.apache.sling.discovery.commons.report.ConnectorReport;
import org.apache.sling.discovery.commons.report.ConnectorReport.Incoming;
import org.apache.sling.discovery.commons.report.ConnectorReport.Outgoing;
import org.apache.sling.discovery.commons.report.ConnectorReport.Refusal;
import org.apache.sling.discovery.commons.report.TopologyReport;
import org.apache.sling.discovery.webconsole.format.ConnectorDisplay;
import org.apache.sling.discovery.webconsole.format.Phrases;
import org.apache.sling.discovery.webconsole.format.Times;

/** Writes the connectors of an instance as plain text. */
record ConnectorText(TopologyReport report, Times times, TextLines lines) {
    private static final int LONGEST = 1_000;

    void write() throws IOException {
        ConnectorReport connectors = report.connectors();
        lines.heading("Connectors");
        if (!connectors.configured()) {
            lines.item(ConnectorDisplay.UNCONFIGURED);
            return;
        }
        lines.item(connectors
                .endpoint()
                .map(path -> "peers connect at " + path)
                .orElse("no servlet container offers the path at which peers connect"));
        for (Outgoing each : connectors.outgoing()) {
            outgoing(each);
        }
        for (Incoming each : connectors.incoming()) {
            incoming(each);
        }
        for (Refusal each : connectors.refusals()) {
            lines.item("refused " + each.count() + (each.count() == 1 ? " request of " : " requests of ")
                    + cut(each.sender()) + " with status " + each.status() + ", last "
                    + times.absoluteAndRelative(each.lastMillis()) + ": " + cut(each.reason()));
        }
    }

    private void outgoing(Outgoing each) throws IOException {
        lines.item("to " + cut(each.url()) + ": "
                + ConnectorDisplay.of(each.state()).word() + " since " + times.absoluteAndRelative(each.sinceMillis()));
        lines.detail(cut(each.sentence()));
        for (String url : each.urls()) {
            if (!url.equals(each.url())) {
                lines.detail("other URL " + cut(url));
            }
        }
        if (each.peer().isPresent()) {
            lines.detail("peer " + cut(report.names().label(each.peer().get())));
        }
        lines.detail("last exchange " + time(each.exchangedMillis(), "none yet") + ", announcement kept until "
                + time(each.expiresMillis(), "none") + ", next ping " + time(each.nextPingMillis(), "none"));
        lines.detail(ConnectorDisplay.traffic(each.traffic()));
    }

    private void incoming(Incoming each) throws IOException {
        lines.item("from " + cut(report.names().label(each.ownerId())) + " at " + cut(each.address())
                + (each.serverInfo().isEmpty() ? "" : ", which says " + cut(each.serverInfo())) + ": cluster "
                + cut(each.clusterId()) + ", connected since " + times.absoluteAndRelative(each.sinceMillis()));
        lines.detail("last ping " + times.absoluteAndRelative(each.pingedMillis()) + ", announcement kept until "
                + times.absoluteAndRelative(each.expiresMillis())
                + (each.backoffSeconds() > 0 ? ", told to wait " + Times.duration(each.backoffSeconds() * 1_000) : ""));
        lines.detail(ConnectorDisplay.traffic(each.traffic()));
    }

    private String time(OptionalLong millis, String absent) {
        return millis.isPresent() ? times.absoluteAndRelative(millis.getAsLong()) : absent;
    }

    private static String cut(String text) {
        return Phrases.truncate(text, LONGEST);
    }
}
