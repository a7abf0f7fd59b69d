// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.it.cluster;

import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The report of the sample bundle on one event.
 *
 * @param type the event type without its prefix: INIT, CHANGING, CHANGED or PROPERTIES_CHANGED
 * @param view the number of the view
 * @param leader the id of its leader
 * @param order the ids of its members, in order
 * @param text the whole line
 */
record EventLine(String type, long view, String leader, List<String> order, String text) {

    private static final Pattern FORM =
            Pattern.compile("\\S+ (?:TOPOLOGY_)?(\\w+) view=(\\d+) leader=(\\S+) order=(\\S+) .*");

    static Optional<EventLine> parse(String line) {
        Matcher matcher = FORM.matcher(line);
        return matcher.matches()
                ? Optional.of(new EventLine(
                        matcher.group(1),
                        Long.parseLong(matcher.group(2)),
                        matcher.group(3),
                        List.of(matcher.group(4).split(",")),
                        line))
                : Optional.empty();
    }

    boolean settles() {
        return !type.equals("CHANGING");
    }
}
