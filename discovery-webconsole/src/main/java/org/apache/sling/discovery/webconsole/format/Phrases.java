// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.webconsole.format;

import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.apache.sling.discovery.commons.report.Health;
import org.apache.sling.discovery.commons.report.InstanceState;
import org.apache.sling.discovery.commons.report.InstanceStatus;
import org.apache.sling.discovery.commons.report.TopologyReport;
import org.apache.sling.discovery.commons.report.TopologyReport.Instance;
import org.apache.sling.discovery.commons.report.TopologyReport.Listener;

/** Phrases that pages and plain text share. */
public final class Phrases {
    /** The answer of an instance whose discovery service is not active. */
    public static final String INACTIVE = "The discovery service is not active.";

    private static final Pattern PACKAGE = Pattern.compile("\\b(?:[a-z_][a-z0-9_]{0,60}\\.){1,20}(?=[A-Z])");

    private Phrases() {}

    public static String listener(Listener listener) {
        if (listener.pending() == 0) {
            return "idle";
        }
        String pending = count(listener.pending(), "event") + " pending";
        return listener.busyMillis() <= 0
                ? pending
                : "busy for " + Times.duration(listener.busyMillis()) + ", " + pending;
    }

    /** Returns the name of a state of an instance, in words. */
    public static String word(InstanceState state) {
        return state.name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }

    /** Returns the state of an instance with its reason and the listeners that it waits for. */
    public static String status(InstanceStatus status) {
        return word(status.state())
                + (status.reason().isEmpty() ? "" : ": " + status.reason())
                + status.listener().map(name -> "; waits for listener " + name).orElse("");
    }

    /** Returns the problems that an operator has to solve, in the words of the health check. */
    public static List<String> problems(TopologyReport report) {
        return Health.attention(report).stream().map(Health.Finding::sentence).toList();
    }

    public static String session(Instance instance) {
        return instance.session().isEmpty()
                ? "none"
                : instance.session() + ", timeout " + Times.duration(instance.sessionTimeoutMillis());
    }

    /** Omits the packages of the Java classes in a text. */
    public static String simpleNames(String text) {
        return PACKAGE.matcher(text).replaceAll("");
    }

    /** Omits the middle of a name that is longer than a number of characters. */
    public static String shorten(String name, int longest) {
        int[] points = name.codePoints().limit(longest + 1L).toArray();
        if (points.length <= longest) {
            return name;
        }
        int tail = longest / 3;
        int head = longest - tail - 1;
        int end = name.offsetByCodePoints(name.length(), -tail);
        return new String(points, 0, head) + "…" + name.substring(end);
    }

    /** Omits the end of a value that is longer than a number of characters, and tells its length instead. */
    public static String truncate(String value, int longest) {
        return value.length() <= longest
                ? value
                : value.substring(0, longest) + " … (" + value.length() + " characters)";
    }

    public static String pid(long pid) {
        return pid <= 0 ? "unknown" : String.valueOf(pid);
    }

    public static String properties(int number) {
        return number == 1 ? "1 property" : number + " properties";
    }

    public static String count(int number, String noun) {
        return number + " " + noun + (number == 1 ? "" : "s");
    }
}
