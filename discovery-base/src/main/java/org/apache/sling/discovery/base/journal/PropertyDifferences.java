// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.journal;

import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.sling.discovery.base.protocol.HeldView;
import org.apache.sling.discovery.commons.model.Member;
import org.apache.sling.discovery.commons.report.Secrets;
import org.apache.sling.discovery.commons.report.TopologyReport.PropertyChange;

/** The differences between the properties of members that two views have in common. */
final class PropertyDifferences {

    /** The journal keeps many changes, and a value may be as large as a whole record. */
    private static final int SHOWN_CHARACTERS = 2_000;

    private PropertyDifferences() {}

    /** Returns the changes in the order of the members, by name, with secrets masked and long values cut. */
    static Stream<PropertyChange> between(HeldView old, HeldView next, long millis) {
        Map<String, Member> before = old.members().stream().collect(Collectors.toMap(Member::node, member -> member));
        return next.members().stream()
                .filter(member -> before.containsKey(member.node()))
                .flatMap(member -> between(before.get(member.node()), member, millis));
    }

    private static Stream<PropertyChange> between(Member before, Member after, long millis) {
        Map<String, String> was = before.record().properties();
        Map<String, String> is = after.record().properties();
        if (was.equals(is)) {
            return Stream.empty();
        }
        Map<String, String> all = new TreeMap<>(was);
        all.putAll(is);
        return all.keySet().stream()
                .filter(name -> !Objects.equals(was.get(name), is.get(name)))
                .map(name -> new PropertyChange(
                        millis, after.instanceId(), name, shown(name, was.get(name)), shown(name, is.get(name))));
    }

    private static Optional<String> shown(String name, String value) {
        return Optional.ofNullable(value)
                .map(given -> Secrets.masked(name, given))
                .map(masked ->
                        masked.length() > SHOWN_CHARACTERS ? masked.substring(0, SHOWN_CHARACTERS) + "\u2026" : masked);
    }

    /** Returns a change in words, without the values. */
    static String words(PropertyChange change) {
        String how = change.before().isEmpty() ? "added" : change.after().isEmpty() ? "removed" : "changed";
        return change.instanceId() + ": " + change.name() + " " + how;
    }
}
