// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.journal;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.apache.sling.discovery.base.protocol.HeldView;
import org.apache.sling.discovery.commons.model.Member;
import org.apache.sling.discovery.commons.model.Reason;
import org.apache.sling.discovery.commons.model.ReasonCode;
import org.apache.sling.discovery.commons.report.Recent.PropertyChange;
import org.apache.sling.discovery.commons.report.Secrets;

/** The differences between the properties of members that two views have in common. */
final class PropertyDifferences {

    /** The journal keeps many changes, and a value may be as large as a whole record. */
    private static final int SHOWN_CHARACTERS = 2_000;

    private PropertyDifferences() {}

    /** Returns the changes in the order of the members, by name, with secrets masked and long values cut. */
    static List<PropertyChange> between(HeldView old, HeldView next, long millis) {
        Map<String, Member> before = new HashMap<>();
        for (Member member : old.members()) {
            before.put(member.node(), member);
        }
        List<PropertyChange> changes = new ArrayList<>();
        for (Member member : next.members()) {
            Member known = before.get(member.node());
            // Most members are the same objects.
            if (known != null && known != member) {
                addChanges(changes, known, member, millis);
            }
        }
        return changes;
    }

    private static void addChanges(List<PropertyChange> changes, Member before, Member after, long millis) {
        Map<String, String> was = before.record().properties();
        Map<String, String> is = after.record().properties();
        Set<String> names = new TreeSet<>(was.keySet());
        names.addAll(is.keySet());
        for (String name : names) {
            if (!Objects.equals(was.get(name), is.get(name))) {
                changes.add(new PropertyChange(
                        millis, after.instanceId(), name, shown(name, was.get(name)), shown(name, is.get(name))));
            }
        }
    }

    private static Optional<String> shown(String name, String value) {
        return Optional.ofNullable(value)
                .map(given -> Secrets.masked(name, given))
                .map(masked ->
                        masked.length() > SHOWN_CHARACTERS ? masked.substring(0, SHOWN_CHARACTERS) + "\u2026" : masked);
    }

    /** Returns a change without the values. */
    static Reason reason(PropertyChange change) {
        ReasonCode code = change.before().isEmpty()
                ? ReasonCode.PROPERTY_ADDED
                : change.after().isEmpty() ? ReasonCode.PROPERTY_REMOVED : ReasonCode.PROPERTY_CHANGED;
        return Reason.of(code, change.instanceId(), change.name());
    }
}
