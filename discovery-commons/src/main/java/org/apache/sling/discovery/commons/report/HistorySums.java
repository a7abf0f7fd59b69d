// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.commons.report;

import java.util.List;
import java.util.OptionalLong;
import java.util.stream.LongStream;
import org.apache.sling.discovery.commons.report.History.Entry;

/**
 * Sums over the views of a history, for charts. Times are wall-clock milliseconds since 1970, by the clocks of the publishers.
 *
 * @param hours one bucket for each hour, oldest first and without gaps, up to the present one; at most {@value #MOST_HOURS}
 * @param changes the number of views
 * @param leaderMoves how often another incarnation led than before
 * @param medianMillis the median of the times that the publishers were CHANGING; empty without a view
 * @param longestMillis the longest of these times; empty without a view
 * @param longestView the number of the view with the longest time, the newest if there are several; empty without a view
 */
public record HistorySums(
        List<Hour> hours,
        int changes,
        int leaderMoves,
        OptionalLong medianMillis,
        OptionalLong longestMillis,
        OptionalLong longestView) {

    /** How many buckets there are at most. */
    public static final int MOST_HOURS = 48;

    private static final long HOUR = 3_600_000;

    public HistorySums {
        hours = List.copyOf(hours);
    }

    /**
     * The changes of one hour.
     *
     * @param startMillis when the hour began, a full hour of UTC
     * @param changes the number of views published in it
     * @param leaderMoves how often the leader changed in it
     */
    public record Hour(long startMillis, int changes, int leaderMoves) {}

    /**
     * Returns the sums of the entries that are known. All but the buckets cover all entries.
     *
     * @param nowMillis the present time
     */
    public static HistorySums of(History history, long nowMillis) {
        List<Entry> entries = history.entries();
        long[] times =
                entries.stream().mapToLong(Entry::changingMillis).sorted().toArray();
        OptionalLong longest = times.length == 0 ? OptionalLong.empty() : OptionalLong.of(times[times.length - 1]);
        return new HistorySums(
                hours(entries, nowMillis),
                entries.size(),
                (int) entries.stream().filter(Entry::isLeaderMove).count(),
                median(times),
                longest,
                entries.stream()
                        .filter(entry -> entry.changingMillis() == longest.orElse(-1))
                        .mapToLong(Entry::number)
                        .findFirst());
    }

    private static OptionalLong median(long[] sorted) {
        int middle = sorted.length / 2;
        if (sorted.length == 0) {
            return OptionalLong.empty();
        }
        return OptionalLong.of(sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2);
    }

    private static List<Hour> hours(List<Entry> entries, long nowMillis) {
        if (entries.isEmpty()) {
            return List.of();
        }
        long newest = Math.floorDiv(nowMillis, HOUR);
        long oldest = Math.max(
                entries.stream().mapToLong(entry -> hour(entry, newest)).min().orElseThrow(), newest - MOST_HOURS + 1);
        return LongStream.rangeClosed(oldest, newest)
                .mapToObj(hour -> bucket(
                        hour,
                        entries.stream()
                                .filter(entry -> hour(entry, newest) == hour)
                                .toList()))
                .toList();
    }

    private static Hour bucket(long hour, List<Entry> within) {
        return new Hour(hour * HOUR, within.size(), (int)
                within.stream().filter(Entry::isLeaderMove).count());
    }

    /** The clock of a publisher may be ahead of the clock of this instance. */
    private static long hour(Entry entry, long newest) {
        return Math.min(Math.floorDiv(entry.publishedMillis(), HOUR), newest);
    }
}
