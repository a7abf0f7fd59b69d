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
 * @param filter selects instances; empty for all
 * @param since selects entries of the history after the view of this number; empty for all
 * @param last the max number of entries, of which the newest are selected
 */
public record Selection(Optional<InstanceFilter> filter, OptionalLong since, int last) {

    public static final Selection ALL = new Selection(Optional.empty(), OptionalLong.empty(), Integer.MAX_VALUE);

    /** Parses parameters; the empty text selects all. */
    public static Selection parse(String filter, String since, String last) throws InvalidParameter {
        return new Selection(
                filter.isEmpty() ? Optional.empty() : Optional.of(InstanceFilter.parse(filter)),
                since.isEmpty()
                        ? OptionalLong.empty()
                        : OptionalLong.of(InvalidParameter.number("since", since, 0, Long.MAX_VALUE)),
                last.isEmpty() ? ALL.last : (int) InvalidParameter.number("last", last, 0, Integer.MAX_VALUE));
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
}
