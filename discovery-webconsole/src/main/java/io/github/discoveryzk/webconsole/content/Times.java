// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.webconsole.content;

import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/**
 * Formats times and durations.
 *
 * @param nowMillis the moment to which relative times refer
 * @param zone the time zone of absolute times
 */
public record Times(long nowMillis, ZoneId zone) {
    private static final DateTimeFormatter ABSOLUTE =
            DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss xxx", Locale.ROOT);
    private static final String UNKNOWN = "unknown";

    public String absolute(long millis) {
        return format(ABSOLUTE, millis);
    }

    private String format(DateTimeFormatter format, long millis) {
        return millis <= 0
                ? UNKNOWN
                : format.format(Instant.ofEpochMilli(millis).atZone(zone));
    }

    /** Returns the duration from a time to now. */
    public String since(long millis) {
        return inWords(Math.max(0, nowMillis - millis));
    }

    /** Returns a time in ISO 8601 form, in UTC. */
    public String iso(long millis) {
        return Instant.ofEpochMilli(millis).toString();
    }

    public String relative(long millis) {
        if (millis <= 0) {
            return UNKNOWN;
        }
        long age = nowMillis - millis;
        if (Math.abs(age) < 1_000) {
            return "just now";
        }
        return age > 0 ? inWords(age) + " ago" : "in " + inWords(-age);
    }

    public String absoluteAndRelative(long millis) {
        return millis <= 0 ? UNKNOWN : absolute(millis) + " (" + relative(millis) + ")";
    }

    /** Returns a duration with the precision of a timeout. */
    public static String duration(long millis) {
        if (millis < 1_000) {
            return millis + " ms";
        }
        if (millis < 60_000) {
            String seconds = millis % 1_000 == 0
                    ? String.valueOf(millis / 1_000)
                    : String.format(Locale.ROOT, "%.1f", millis / 1_000.0);
            return seconds + " s";
        }
        return inWords(millis);
    }

    private static String inWords(long millis) {
        long seconds = millis / 1_000;
        if (seconds < 60) {
            return seconds + " s";
        }
        long minutes = seconds / 60;
        if (minutes < 60) {
            return inTwoUnits(minutes, "min", minutes < 10 ? seconds % 60 : 0, "s");
        }
        long hours = minutes / 60;
        return hours < 48 ? inTwoUnits(hours, "h", minutes % 60, "min") : inTwoUnits(hours / 24, "d", hours % 24, "h");
    }

    private static String inTwoUnits(long big, String bigUnit, long small, String smallUnit) {
        return big + " " + bigUnit + (small == 0 ? "" : " " + small + " " + smallUnit);
    }
}
