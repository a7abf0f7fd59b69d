// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.webconsole.format;

import org.apache.sling.discovery.commons.report.TopologyReport;

/**
 * The look of a state: a word, a shape and a colour, each of which identifies the state on its own.
 *
 * @param word the word
 * @param tone the name of the colour in the style sheet
 * @param shape the outline, as an SVG path in a square of 16 by 16
 */
public record StateDisplay(String word, String tone, String shape) {
    private static final String TICKED_CIRCLE =
            "M8 0a8 8 0 1 0 0 16a8 8 0 1 0 0-16z M3.6 8.3l1.5-1.5l2.1 2.1l3.9-4.2l1.5 1.5l-5.4 5.7z";
    private static final String DIAMOND = "M8 0l8 8l-8 8l-8-8z M7 4h2v5h-2z M7 10.4h2v2h-2z";
    private static final String TRIANGLE = "M8 .6l8 14.6h-16z M7 5.4h2v5h-2z M7 11.6h2v2h-2z";
    private static final String CROSSED_OCTAGON = "M4.7 0h6.6l4.7 4.7v6.6l-4.7 4.7h-6.6l-4.7-4.7v-6.6z "
            + "M5.4 4l-1.4 1.4l2.6 2.6l-2.6 2.6l1.4 1.4l2.6-2.6l2.6 2.6l1.4-1.4l-2.6-2.6l2.6-2.6l-1.4-1.4l-2.6 2.6z";
    private static final String SQUARE = "M1 1h14v14h-14z M4.5 4.5v7h7v-7z";

    /** The look of an instance without a discovery service. */
    public static final StateDisplay INACTIVE = new StateDisplay("Not active", "off", SQUARE);

    public static StateDisplay of(TopologyReport.State state) {
        return switch (state) {
            case SETTLED -> new StateDisplay("Settled", "good", TICKED_CIRCLE);
            case CONNECTING -> new StateDisplay("Connecting", "busy", DIAMOND);
            case JOINING -> new StateDisplay("Joining", "busy", DIAMOND);
            case CHANGING -> new StateDisplay("Changing", "busy", DIAMOND);
            case SUSPENDED -> new StateDisplay("Suspended", "warn", TRIANGLE);
            case QUARANTINED -> new StateDisplay("Quarantined", "bad", CROSSED_OCTAGON);
            case REFUSED -> new StateDisplay("Refused", "bad", CROSSED_OCTAGON);
            case LEFT_OUT -> new StateDisplay("Left out", "bad", CROSSED_OCTAGON);
            case CUT_OFF -> new StateDisplay("Cut off", "bad", CROSSED_OCTAGON);
            case STOPPED -> new StateDisplay("Stopped", "off", SQUARE);
        };
    }
}
