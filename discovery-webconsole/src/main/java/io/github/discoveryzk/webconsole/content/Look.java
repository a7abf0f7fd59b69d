// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.webconsole.content;

import io.github.discoveryzk.report.ConnectorReport;
import io.github.discoveryzk.report.InstanceState;
import io.github.discoveryzk.report.State;

/**
 * The look of a state: a word, a sign and a colour, each of which identifies the state on its own.
 *
 * @param word the word
 * @param tone the name of the colour in the style sheet
 * @param sign the outline, as an SVG path in a square of 16 by 16
 */
public record Look(String word, String tone, String sign) {
    private static final String DISC = "M8 0a8 8 0 1 0 0 16a8 8 0 1 0 0-16z";
    private static final String OCTAGON = "M4.7 0h6.6l4.7 4.7v6.6l-4.7 4.7h-6.6l-4.7-4.7v-6.6z";
    private static final String TICK = " M3.6 8.3l1.5-1.5l2.1 2.1l3.9-4.2l1.5 1.5l-5.4 5.7z";
    private static final String CROSS =
            " M5.4 4l-1.4 1.4l2.6 2.6l-2.6 2.6l1.4 1.4l2.6-2.6l2.6 2.6l1.4-1.4l-2.6-2.6l2.6-2.6l-1.4-1.4l-2.6 2.6z";
    private static final String HANDS = " M7 3h2v4.4l3 2.4l-1.3 1.6l-3.7-3z";
    private static final String PLUS = " M7 3.5h2v3.5h3.5v2h-3.5v3.5h-2v-3.5h-3.5v-2h3.5z";
    private static final String MARK = " M7 3.2h2v6h-2z M7 10.8h2v2h-2z";
    private static final String DOTS = " M3 7h2v2h-2z M7 7h2v2h-2z M11 7h2v2h-2z";
    private static final String DIAMOND = "M8 0l8 8l-8 8l-8-8z M7 4h2v5h-2z M7 10.4h2v2h-2z";
    private static final String TRIANGLE = "M8 .6l8 14.6h-16z M7 5.4h2v5h-2z M7 11.6h2v2h-2z";
    private static final String SQUARE = "M1 1h14v14h-14z M4.5 4.5v7h7v-7z";

    /** The look of an instance without a discovery service. */
    public static final Look INACTIVE = new Look("Not active", "off", SQUARE);

    /** Returns the look of the instance that makes the report. */
    public static Look of(State state) {
        return switch (state) {
            case SETTLED -> new Look("Settled", "good", DISC + TICK);
            case CONNECTING -> new Look("Connecting", "busy", DIAMOND);
            case JOINING -> new Look("Joining", "busy", DIAMOND);
            case CHANGING -> new Look("Changing", "busy", DIAMOND);
            case SUSPENDED -> new Look("Suspended", "warn", TRIANGLE);
            case QUARANTINED -> new Look("Quarantined", "bad", OCTAGON + CROSS);
            case REFUSED -> new Look("Refused", "bad", OCTAGON + CROSS);
            case EXCLUDED -> new Look("Excluded", "bad", OCTAGON + CROSS);
            case CUT_OFF -> new Look("Cut off", "bad", OCTAGON + CROSS);
            case STOPPED -> new Look("Stopped", "off", SQUARE);
        };
    }

    /** Returns the look of an instance of a cluster. */
    public static Look of(InstanceState state) {
        return switch (state) {
            case SETTLED -> new Look("settled", "good", DISC + TICK);
            case MOVED_ON -> new Look("in the view", "good", DISC + TICK);
            case ACKNOWLEDGED -> new Look("acknowledged", "ready", DISC + TICK);
            case AWAITED -> new Look("awaited", "busy", DISC + HANDS);
            case JOINING -> new Look("joining", "ready", DISC + PLUS);
            case GONE -> new Look("gone", "off", DISC + CROSS);
            case UNKNOWN -> new Look("unknown", "off", DISC + DOTS);
            case REFUSED -> new Look("refused", "bad", OCTAGON + MARK);
            case EXCLUDED -> new Look("excluded", "bad", OCTAGON + MARK);
            case CUT_OFF -> new Look("cut off", "bad", OCTAGON + CROSS);
        };
    }

    /** Returns the look of a connector. */
    public static Look of(ConnectorReport.ConnectorState state) {
        return switch (state) {
            case CONNECTING -> new Look("connecting", "busy", DISC + HANDS);
            case CONNECTED -> new Look("connected", "good", DISC + TICK);
            case STANDBY -> new Look("stand-by", "ready", DISC + DOTS);
            case FAILING -> new Look("failing", "bad", OCTAGON + MARK);
            case STOPPED -> new Look("stopped", "off", DISC + CROSS);
        };
    }
}
