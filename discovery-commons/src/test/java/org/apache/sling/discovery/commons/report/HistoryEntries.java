// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.commons.report;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.sling.discovery.commons.report.History.Departed;
import org.apache.sling.discovery.commons.report.History.Entry;
import org.apache.sling.discovery.commons.report.History.Participant;

/** Makes entries of a history. */
final class HistoryEntries {

    private HistoryEntries() {}

    static Participant participant(String node) {
        return new Participant("id-of-" + node, node);
    }

    /** A member whose session ended, or that left in another way if a kind is given after a colon. */
    static Departed departed(String text) {
        String[] parts = text.split(":");
        return new Departed(
                participant(parts[0]),
                parts.length > 1 ? Optional.of(parts[1]) : Optional.empty(),
                Optional.empty(),
                "id-of-" + parts[0] + " left");
    }

    /** An entry in which the members after the first list joined, and those of the third left. */
    static Entry entry(
            long number,
            long token,
            long publishedMillis,
            long changingMillis,
            String stayed,
            String joined,
            String left) {
        List<Participant> members = Stream.concat(nodes(stayed), nodes(joined))
                .map(HistoryEntries::participant)
                .toList();
        return new Entry(
                number,
                number - 1,
                token,
                0,
                publishedMillis,
                changingMillis,
                "publisher",
                members.isEmpty() ? "" : members.get(0).id(),
                members.size(),
                members,
                nodes(joined).map(HistoryEntries::participant).toList(),
                nodes(left).map(HistoryEntries::departed).toList(),
                List.of(),
                "cause",
                Optional.empty());
    }

    private static Stream<String> nodes(String text) {
        return Stream.of(text.split(" ")).filter(each -> !each.isEmpty());
    }
}
