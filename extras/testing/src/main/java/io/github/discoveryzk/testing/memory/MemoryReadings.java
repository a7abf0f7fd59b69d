// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.testing.memory;

import io.github.discoveryzk.model.Acknowledgement;
import io.github.discoveryzk.model.HistoryEntry;
import io.github.discoveryzk.model.HistoryReading;
import io.github.discoveryzk.model.Member;
import io.github.discoveryzk.report.Secrets;
import io.github.discoveryzk.report.StoreTree;
import io.github.discoveryzk.spi.StoreInspector;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** What a {@link MemoryEnsemble} answers to those who read it for display, and how often they have. */
public final class MemoryReadings {
    private final MemoryEnsemble ensemble;
    private final Set<Long> spoiltEntries = new HashSet<>();
    private long count;
    private long acknowledgementCount;

    MemoryReadings(MemoryEnsemble ensemble) {
        this.ensemble = ensemble;
    }

    /** Returns how often the history or the tree was read. */
    public long count() {
        return count;
    }

    /** Returns how often the acknowledgements were read for display. */
    public long acknowledgementCount() {
        return acknowledgementCount;
    }

    /** Overwrites an entry of the history with unreadable data. */
    public void spoilHistory(long number) {
        spoiltEntries.add(number);
    }

    /** Repairs all overwritten entries. */
    public void mendHistory() {
        spoiltEntries.clear();
    }

    HistoryReading history(Set<Long> known) {
        count++;
        Set<Long> numbers = new HashSet<>();
        List<HistoryEntry> entries = new ArrayList<>();
        List<String> problems = new ArrayList<>();
        for (HistoryEntry entry : ensemble.history()) {
            numbers.add(entry.number());
            if (spoiltEntries.contains(entry.number())) {
                problems.add("The history entry " + entry.number() + " cannot be read.");
            } else if (!known.contains(entry.number())) {
                entries.add(entry);
            }
        }
        return new HistoryReading(numbers, entries, problems);
    }

    Set<Acknowledgement> acknowledgements() {
        acknowledgementCount++;
        return Set.copyOf(ensemble.content().acknowledgements().values());
    }

    StoreTree tree() {
        count++;
        List<StoreTree.Node> nodes = new ArrayList<>();
        ensemble.view()
                .ifPresent(view -> nodes.add(node(
                        "/view",
                        "view",
                        Optional.empty(),
                        List.of(new StoreTree.Field("number", "" + view.number())))));
        ensemble.members()
                .forEach(member -> nodes.add(node(
                        "/members/" + member.node(),
                        "member",
                        Optional.of("0x" + Long.toHexString(member.session())),
                        fields(member))));
        ensemble.history()
                .forEach(entry ->
                        nodes.add(node("/history/" + entry.number(), "history entry", Optional.empty(), List.of())));
        return new StoreTree(
                ensemble.time.now(), nodes.subList(0, Math.min(nodes.size(), StoreInspector.TREE_LIMIT)), true);
    }

    private static List<StoreTree.Field> fields(Member member) {
        List<StoreTree.Field> fields = new ArrayList<>();
        fields.add(new StoreTree.Field("instanceId", member.instanceId()));
        member.record()
                .properties()
                .forEach((name, value) ->
                        fields.add(new StoreTree.Field("properties." + name, Secrets.masked(name, value))));
        return fields;
    }

    private static StoreTree.Node node(
            String path, String kind, Optional<String> session, List<StoreTree.Field> record) {
        StoreTree.Stat stat = new StoreTree.Stat(0, "0x0", 0, 0, 0);
        return new StoreTree.Node(path, kind, session, stat, record, Optional.empty());
    }
}
