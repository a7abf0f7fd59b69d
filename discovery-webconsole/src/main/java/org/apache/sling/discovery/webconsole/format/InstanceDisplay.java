// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.webconsole.format;

import org.apache.sling.discovery.commons.report.InstanceState;

/**
 * The look of the state of an instance: a word, a sign and a colour, each of which identifies the state on its own.
 *
 * @param word the word
 * @param tone the name of the colour in the style sheet
 * @param sign the outline, as an SVG path in a square of 16 by 16
 * @param body the shape of the instance in the picture
 */
public record InstanceDisplay(String word, String tone, String sign, Body body) {
    static final String DISC = "M8 0a8 8 0 1 0 0 16a8 8 0 1 0 0-16z";
    static final String OCTAGON = "M4.7 0h6.6l4.7 4.7v6.6l-4.7 4.7h-6.6l-4.7-4.7v-6.6z";
    static final String TICK = " M3.6 8.3l1.5-1.5l2.1 2.1l3.9-4.2l1.5 1.5l-5.4 5.7z";
    static final String CROSS =
            " M5.4 4l-1.4 1.4l2.6 2.6l-2.6 2.6l1.4 1.4l2.6-2.6l2.6 2.6l1.4-1.4l-2.6-2.6l2.6-2.6l-1.4-1.4l-2.6 2.6z";
    static final String HANDS = " M7 3h2v4.4l3 2.4l-1.3 1.6l-3.7-3z";
    private static final String PLUS = " M7 3.5h2v3.5h3.5v2h-3.5v3.5h-2v-3.5h-3.5v-2h3.5z";
    static final String MARK = " M7 3.2h2v6h-2z M7 10.8h2v2h-2z";
    static final String DOTS = " M3 7h2v2h-2z M7 7h2v2h-2z M11 7h2v2h-2z";

    /** The shapes in the picture. */
    public enum Body {
        /** It acts on a view, or has done all that the change asks of it. */
        CIRCLE,
        /** A change waits for it. */
        DIAMOND,
        /** It is not there, or not known to be there. */
        DASHED_CIRCLE,
        /** It is there and not yet a member. */
        DASHED_SQUARE,
        /** Something is wrong with it. */
        OCTAGON
    }

    public static InstanceDisplay of(InstanceState state) {
        return switch (state) {
            case SETTLED -> new InstanceDisplay("settled", "good", DISC + TICK, Body.CIRCLE);
            case MOVED_ON -> new InstanceDisplay("in the view", "good", DISC + TICK, Body.CIRCLE);
            case ACKNOWLEDGED -> new InstanceDisplay("acknowledged", "ready", DISC + TICK, Body.CIRCLE);
            case AWAITED -> new InstanceDisplay("awaited", "busy", DISC + HANDS, Body.DIAMOND);
            case JOINING -> new InstanceDisplay("joining", "ready", DISC + PLUS, Body.DASHED_SQUARE);
            case GONE -> new InstanceDisplay("gone", "off", DISC + CROSS, Body.DASHED_CIRCLE);
            case UNKNOWN -> new InstanceDisplay("unknown", "off", DISC + DOTS, Body.DASHED_CIRCLE);
            case REFUSED -> new InstanceDisplay("refused", "bad", OCTAGON + MARK, Body.OCTAGON);
            case LEFT_OUT -> new InstanceDisplay("left out", "bad", OCTAGON + MARK, Body.OCTAGON);
            case CUT_OFF -> new InstanceDisplay("cut off", "bad", OCTAGON + CROSS, Body.OCTAGON);
        };
    }
}
