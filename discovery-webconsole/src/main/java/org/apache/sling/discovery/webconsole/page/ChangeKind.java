// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.webconsole.page;

import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
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

    /**
     * Returns which views a matching instance joined, left, was left out of, or began to lead.
     *
     * @param all the known views, in which the members of previous views are found
     */
    static Predicate<Entry> involving(List<Entry> all, Predicate<String> instanceId) {
        Map<Long, Entry> byNumber =
                all.stream().collect(Collectors.toMap(Entry::number, Function.identity(), (one, same) -> one));
        return entry -> Stream.of(
                                entry.joined().stream(),
                                entry.left().stream().map(Departed::who),
                                // The entry has those that were left out as text only.
                                Stream.ofNullable(byNumber.get(entry.previous()))
                                        .filter(previous -> !entry.members().isEmpty())
                                        .flatMap(previous -> previous.members().stream())
                                        .filter(member -> !entry.members().contains(member)))
                        .flatMap(each -> each)
                        .map(Participant::id)
                        .anyMatch(instanceId)
                || LEADER.matches(entry) && instanceId.test(entry.leader());
    }
}
