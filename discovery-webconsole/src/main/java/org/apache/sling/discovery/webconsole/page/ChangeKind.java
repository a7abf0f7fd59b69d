// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.webconsole.page;

import java.util.function.Predicate;
import java.util.stream.Stream;
import org.apache.sling.discovery.commons.report.History.Departed;
import org.apache.sling.discovery.commons.report.History.Entry;
import org.apache.sling.discovery.commons.report.History.Participant;

/** The kinds of change that select entries of the history. */
enum ChangeKind {
    ANY("anything changed"),
    JOINED("an instance joined"),
    LEFT("an instance left"),
    LEADER("the leader changed"),
    LEFT_OUT("a member was left out"),
    DECIDED("an instance was made to leave");

    private final String label;

    ChangeKind(String label) {
        this.label = label;
    }

    /** Returns the words that complete "Views in which". */
    String label() {
        return label;
    }

    /** Returns whether a view brought a change of this kind. */
    boolean matches(Entry entry) {
        return switch (this) {
            case ANY -> true;
            case JOINED -> !entry.joined().isEmpty();
            case LEFT -> !entry.left().isEmpty();
                // The token of a leadership is the number of its first view.
            case LEADER -> entry.token() == entry.number();
            case LEFT_OUT -> !entry.leftOut().isEmpty();
            case DECIDED -> entry.left().stream()
                    .anyMatch(departed -> departed.by().isPresent());
        };
    }

    /** Returns whether an instance with a matching id joined, left or began to lead with a view. */
    static boolean involves(Entry entry, Predicate<String> instanceId) {
        return Stream.of(
                        entry.joined().stream(),
                        entry.left().stream().map(Departed::who),
                        entry.members().stream().limit(LEADER.matches(entry) ? 1 : 0))
                .flatMap(each -> each)
                .map(Participant::id)
                .anyMatch(instanceId);
    }
}
