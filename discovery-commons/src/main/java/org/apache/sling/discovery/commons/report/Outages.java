// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.commons.report;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.sling.discovery.commons.report.History.Departed;
import org.apache.sling.discovery.commons.report.History.Entry;

/**
 * Recognises in a history where the sessions of all or most members of a view ended together. Instances rarely fail together,
 * so the likely cause is the store.
 *
 * <p>The store records no time of a departure. A session counts as ended when the first view without its member was published,
 * so "together" means: within one change, or within changes that were published within two seconds of one another. A change
 * that waits for a listener may gather departures of a longer time. Members that left with a departure note do not count.
 * The sentence therefore ends with a question mark.
 */
public final class Outages {

    /** How far apart the publications may be, in milliseconds. */
    public static final long TOGETHER_MILLIS = 2_000;

    private static final int FEWEST = 2;
    private static final int FEWEST_OF_MOST = 3;

    private Outages() {}

    /** Returns the entries, newest first as they are given, with the sentence in each entry that belongs to an outage. */
    public static List<Entry> mark(List<Entry> newestFirst) {
        List<Entry> marked = new ArrayList<>(newestFirst);
        int oldest = marked.size() - 1;
        while (oldest >= 0) {
            oldest = mark(marked, oldest) - 1;
        }
        return List.copyOf(marked);
    }

    /** Marks the outage that begins with that entry; returns the index of its newest entry. */
    private static int mark(List<Entry> entries, int first) {
        Entry begin = entries.get(first);
        if (endedSessions(begin).isEmpty()) {
            return first;
        }
        int size = begin.size()
                - begin.joined().size()
                + begin.left().size()
                + begin.leftOut().size();
        Set<String> newcomers = new HashSet<>();
        Set<String> ended = new HashSet<>();
        int newest = first;
        for (int i = first;
                i >= 0 && entries.get(i).publishedMillis() - begin.publishedMillis() <= TOGETHER_MILLIS;
                i--) {
            if (ended.addAll(endedSessions(entries.get(i)).stream()
                    .filter(node -> !newcomers.contains(node))
                    .toList())) {
                newest = i;
            }
            entries.get(i).joined().forEach(member -> newcomers.add(member.node()));
        }
        Optional<String> sentence = sentence(ended.size(), size, begin.previous());
        if (sentence.isEmpty()) {
            return first;
        }
        for (int i = newest; i <= first; i++) {
            Entry entry = entries.get(i);
            entries.set(i, entry.with(entry.cause(), entry.left(), entry.leftOut(), sentence));
        }
        return newest;
    }

    private static Optional<String> sentence(int ended, int size, long view) {
        String within = " ended within " + TOGETHER_MILLIS / 1_000 + " s: ZooKeeper?";
        if (ended == size && ended >= FEWEST) {
            return Optional.of("all " + size + " sessions of view " + view + within);
        }
        return ended * 2 > size && ended >= FEWEST_OF_MOST
                ? Optional.of(ended + " of " + size + " sessions of view " + view + within)
                : Optional.empty();
    }

    private static List<String> endedSessions(Entry entry) {
        return entry.left().stream()
                .filter(left -> left.kind().isEmpty())
                .map(Departed::who)
                .map(History.Participant::node)
                .toList();
    }
}
