// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.webconsole.format;

import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.apache.sling.discovery.commons.report.ConnectorReport;
import org.apache.sling.discovery.commons.report.ConnectorReport.Traffic;
import org.apache.sling.discovery.commons.report.InstanceNames;
import org.apache.sling.discovery.commons.report.TopologyReport.Cluster;

/**
 * The look of the state of a connector: a word, a sign and a colour, each of which identifies the state on its own.
 *
 * @param word the word
 * @param tone the name of the colour in the style sheet
 * @param sign the outline, as an SVG path in a square of 16 by 16
 */
public record ConnectorDisplay(String word, String tone, String sign) {
    /** What a page says where connectors are not configured. */
    public static final String UNCONFIGURED =
            "No connectors are configured; the configuration org.apache.sling.discovery.base.connectors opens and accepts"
                    + " them.";

    public static ConnectorDisplay of(ConnectorReport.State state) {
        return switch (state) {
            case CONNECTING -> new ConnectorDisplay("connecting", "busy", InstanceDisplay.DISC + InstanceDisplay.HANDS);
            case CONNECTED -> new ConnectorDisplay("connected", "good", InstanceDisplay.DISC + InstanceDisplay.TICK);
            case STANDBY -> new ConnectorDisplay("stand-by", "ready", InstanceDisplay.DISC + InstanceDisplay.DOTS);
            case FAILING -> new ConnectorDisplay("failing", "bad", InstanceDisplay.OCTAGON + InstanceDisplay.MARK);
            case STOPPED -> new ConnectorDisplay("stopped", "off", InstanceDisplay.DISC + InstanceDisplay.CROSS);
        };
    }

    /** Returns what a connector has exchanged, in words. */
    public static String traffic(Traffic traffic) {
        return traffic.requests() + (traffic.requests() == 1 ? " request, " : " requests, ") + traffic.failures()
                + " failed, " + bytes(traffic.bytesSent()) + " sent, " + bytes(traffic.bytesReceived()) + " received";
    }

    /** Returns a number of bytes with the precision of a glance. */
    public static String bytes(long bytes) {
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

    /** Returns how this instance knows of another cluster, in words. */
    public static String source(Cluster cluster, InstanceNames names) {
        List<String> way = cluster.way();
        return way.isEmpty()
                ? "in the same store"
                : "announced through " + way.stream().map(names::label).collect(Collectors.joining(", "));
    }
}
