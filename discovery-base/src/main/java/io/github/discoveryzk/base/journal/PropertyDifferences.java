// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.base.journal;

import io.github.discoveryzk.base.protocol.HeldView;
import io.github.discoveryzk.model.Member;
import io.github.discoveryzk.model.Reason;
import io.github.discoveryzk.model.ReasonCode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;

/** The differences between the properties of members that two views have in common. */
final class PropertyDifferences {

    private PropertyDifferences() {}

    /** Returns which properties were added, removed and changed: in the order of the members, by name, without values. */
    static List<Reason> between(HeldView old, HeldView next) {
        Map<String, Member> before = new HashMap<>();
        for (Member member : old.members()) {
            before.put(member.node(), member);
        }
        List<Reason> changes = new ArrayList<>();
        for (Member member : next.members()) {
            Member known = before.get(member.node());
            // Most members are the same objects.
            if (known != null && known != member) {
                addChanges(changes, known, member);
            }
        }
        return changes;
    }

    private static void addChanges(List<Reason> changes, Member before, Member after) {
        Map<String, String> was = before.record().properties();
        Map<String, String> is = after.record().properties();
        TreeSet<String> names = new TreeSet<>(was.keySet());
        names.addAll(is.keySet());
        for (String name : names) {
            if (!Objects.equals(was.get(name), is.get(name))) {
                ReasonCode code = !was.containsKey(name)
                        ? ReasonCode.PROPERTY_ADDED
                        : is.containsKey(name) ? ReasonCode.PROPERTY_CHANGED : ReasonCode.PROPERTY_REMOVED;
                changes.add(Reason.of(code, after.instanceId(), name));
            }
        }
    }
}
