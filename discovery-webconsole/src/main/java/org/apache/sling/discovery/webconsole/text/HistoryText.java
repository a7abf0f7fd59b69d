// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.webconsole.text;

import java.io.IOException;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.sling.discovery.commons.report.History;
import org.apache.sling.discovery.commons.report.History.Departed;
import org.apache.sling.discovery.commons.report.History.Participant;
import org.apache.sling.discovery.webconsole.format.Times;

/** Writes the history of views as plain text. */
record HistoryText(Times times, TextLines lines) {

    void write(History history) throws IOException {
        lines.heading("History of views, newest first");
        for (String problem : history.problems()) {
            lines.item(problem);
        }
        for (History.Entry entry : history.entries()) {
            entry(entry);
        }
    }

    private void entry(History.Entry entry) throws IOException {
        lines.item("view " + entry.number() + " at " + times.absolute(entry.publishedMillis()) + ": " + entry.cause());
        lines.detail("changing for " + Times.duration(entry.changingMillis()) + ", published by " + entry.publisher()
                + ", after view " + entry.previous());
        lines.detail("token " + entry.token() + ", leader since " + times.absolute(entry.leaderSinceMillis()));
        lines.detail(
                entry.members().isEmpty()
                        ? entry.size() + " members, led by " + entry.leader()
                        : "members " + words(entry.members()));
        if (!entry.joined().isEmpty()) {
            lines.detail("joined " + words(entry.joined()));
        }
        for (Departed departed : entry.left()) {
            lines.detail("left: " + departed.words() + " (" + words(List.of(departed.who())) + ")");
        }
        for (String leftOut : entry.leftOut()) {
            lines.detail("left out: " + leftOut);
        }
    }

    private static String words(List<Participant> participants) {
        return participants.stream().map(each -> each.id() + " " + each.node()).collect(Collectors.joining(", "));
    }
}
