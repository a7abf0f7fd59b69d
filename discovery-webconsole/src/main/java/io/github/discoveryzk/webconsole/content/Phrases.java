// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.webconsole.content;

import io.github.discoveryzk.report.ConnectorReport.Traffic;
import io.github.discoveryzk.report.TopologyReport.Listener;
import java.util.Locale;
import java.util.regex.Pattern;

/** Phrases that pages and plain text share. */
public final class Phrases {
    /** The answer of an instance whose discovery service is not active. */
    public static final String INACTIVE = "The discovery service is not active.";

    private static final Pattern PACKAGE = Pattern.compile("\\b(?:[a-z_][a-z0-9_]{0,60}\\.){1,20}(?=[A-Z])");

    private Phrases() {}

    /** Returns what a listener is doing. */
    public static String listener(Listener listener) {
        if (listener.pending() == 0) {
            return "idle";
        }
        String pending = count(listener.pending(), "event") + " pending";
        return listener.busyMillis() <= 0
                ? pending
                : "busy for " + Times.duration(listener.busyMillis()) + ", " + pending;
    }

    /** Returns what a connector has exchanged. */
    public static String traffic(Traffic traffic) {
        return count(traffic.requests(), "request") + ", " + traffic.failures() + " failed, "
                + bytes(traffic.bytesSent()) + " sent, " + bytes(traffic.bytesReceived()) + " received";
    }

    /** Returns a number of bytes with the precision of a glance. */
    static String bytes(long bytes) {
        String[] units = {"B", "kB", "MB", "GB", "TB"};
        double value = bytes;
        int unit = 0;
        while (value >= 1_000 && unit < units.length - 1) {
            value /= 1_000;
            unit++;
        }
        return unit == 0 || value >= 100
                ? Math.round(value) + " " + units[unit]
                : String.format(Locale.ROOT, "%.1f %s", value, units[unit]);
    }

    /** Omits the packages of the Java classes in a text. */
    public static String simpleNames(String text) {
        return PACKAGE.matcher(text).replaceAll("");
    }

    /** Omits the middle of a name that is longer than a number of characters. */
    public static String shorten(String name, int max) {
        int[] points = name.codePoints().limit(max + 1L).toArray();
        if (points.length <= max) {
            return name;
        }
        int tail = max / 3;
        int head = max - tail - 1;
        int end = name.offsetByCodePoints(name.length(), -tail);
        return new String(points, 0, head) + "…" + name.substring(end);
    }

    /** Omits the end of a value that is longer than a number of characters, and gives its length instead. */
    public static String truncate(String value, int max) {
        return value.length() <= max ? value : value.substring(0, max) + " … (" + value.length() + " characters)";
    }

    public static String pid(long pid) {
        return pid <= 0 ? "unknown" : String.valueOf(pid);
    }

    public static String count(long number, String noun) {
        return number + " " + noun + (number == 1 ? "" : "s");
    }
}
