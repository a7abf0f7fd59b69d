// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.webconsole.query;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.apache.sling.discovery.commons.report.History;
import org.apache.sling.discovery.commons.report.TopologyReport;
import org.apache.sling.discovery.commons.report.TopologyReport.Cluster;

/**
 * The instances and the part of the history that a request selects.
 *
 * @param filterText the filter in its original form
 * @param filter selects instances; empty for all
 * @param since selects entries of the history after the view of this number; empty for all
 * @param last the max number of entries, of which the newest are selected
 */
public record Selection(Optional<String> filterText, Optional<InstanceFilter> filter, OptionalLong since, int last) {

    public static final Selection ALL =
            new Selection(Optional.empty(), Optional.empty(), OptionalLong.empty(), Integer.MAX_VALUE);

    /** Parses parameters; null and the empty text select all. */
    public static Selection parse(String filter, String since) throws InvalidParameter {
        return ALL.withFilter(filter).withSince(since);
    }

    public Selection withFilter(String text) throws InvalidParameter {
        return isAbsent(text)
                ? this
                : new Selection(Optional.of(text), Optional.of(InstanceFilter.parse(text)), since, last);
    }

    public Selection withSince(String number) throws InvalidParameter {
        return isAbsent(number)
                ? this
                : new Selection(filterText, filter, OptionalLong.of(number("since", number, Long.MAX_VALUE)), last);
    }

    public Selection withLast(String count) throws InvalidParameter {
        return isAbsent(count)
                ? this
                : new Selection(filterText, filter, since, (int) number("last", count, Integer.MAX_VALUE));
    }

    /** Returns a report with the selected parts only. */
    public TopologyReport apply(TopologyReport report) {
        List<Cluster> clusters = report.clusters().stream()
                .map(cluster -> filter.map(each -> each.select(cluster)).orElse(cluster))
                .toList();
        Stream<History.Entry> entries = report.history().entries().stream()
                .filter(entry -> since.isEmpty() || entry.number() > since.getAsLong())
                .limit(last);
        return report.with(
                clusters, new History(entries.toList(), report.history().problems()));
    }

    private static boolean isAbsent(String text) {
        return text == null || text.isEmpty();
    }

    private static long number(String parameter, String text, long max) throws InvalidParameter {
        try {
            long number = Long.parseLong(text);
            if (number >= 0 && number <= max) {
                return number;
            }
        } catch (NumberFormatException e) {
            // Reported below.
        }
        throw new InvalidParameter(parameter, text, "it is not a number from 0 to " + max, "42");
    }
}
