// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.zk.inspect;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.apache.sling.discovery.commons.model.HistoryEntry;
import org.apache.sling.discovery.commons.model.HistoryReading;
import org.apache.sling.discovery.zk.client.Failure;
import org.apache.sling.discovery.zk.client.NodeData;
import org.apache.sling.discovery.zk.client.Session;
import org.apache.sling.discovery.zk.tree.Codecs;
import org.apache.sling.discovery.zk.tree.HistoryEntryName;
import org.apache.sling.discovery.zk.tree.NodeKind;
import org.apache.sling.discovery.zk.tree.Paths;
import org.apache.sling.discovery.zk.tree.Unreadable;
import org.apache.zookeeper.KeeperException.Code;

/**
 * Reads the history for display: one listing, and one read for each entry that is not known yet. It does not read several entries in one
 * packet, because that could be larger than the client accepts, which would end the connection.
 */
public final class HistoryReader {
    private final Session session;
    private final Paths paths;
    private final Codecs codecs;

    public HistoryReader(Session session, Paths paths, Codecs codecs) {
        this.session = session;
        this.paths = paths;
        this.codecs = codecs;
    }

    /** Reads the entries whose numbers are not known. Entries that cannot be read are among the problems of the result. */
    public CompletableFuture<HistoryReading> read(Set<Long> known) {
        return session.list(paths.history()).thenCompose(names -> {
            List<String> wanted = names.stream()
                    .filter(name -> !HistoryEntryName.isValid(name) || !known.contains(HistoryEntryName.number(name)))
                    .sorted(Comparator.reverseOrder())
                    .toList();
            Set<Long> numbers = new HashSet<>();
            names.stream()
                    .filter(HistoryEntryName::isValid)
                    .map(HistoryEntryName::number)
                    .forEach(numbers::add);
            return Batches.readAll(wanted, this::readEntry).thenApply(all -> combine(numbers, all));
        });
    }

    private static HistoryReading combine(Set<Long> numbers, List<Read> all) {
        List<HistoryEntry> entries = new ArrayList<>();
        List<String> problems = new ArrayList<>();
        all.forEach(one -> {
            one.entry().ifPresent(entries::add);
            one.problem().ifPresent(problems::add);
        });
        return new HistoryReading(numbers, entries, problems);
    }

    private CompletableFuture<Read> readEntry(String name) {
        String path = paths.historyEntry(name);
        if (!HistoryEntryName.isValid(name)) {
            return CompletableFuture.completedFuture(Read.problem(NodeKind.foreignSentence(path)));
        }
        return session.read(path)
                .handle((found, thrown) -> thrown == null
                        ? CompletableFuture.completedFuture(decode(path, found))
                        : handleFailure(path, Failure.of(thrown)))
                .thenCompose(Function.identity());
    }

    private Read decode(String path, NodeData found) {
        try {
            HistoryEntry entry = codecs.views().readEntry(found.data());
            if (!path.endsWith("/" + HistoryEntryName.of(entry.number()))) {
                throw new Unreadable("it has view " + entry.number());
            }
            return new Read(Optional.of(entry), Optional.empty());
        } catch (Unreadable e) {
            return unreadable(path, e.getMessage() + ". Delete it if it is not needed");
        }
    }

    private static CompletableFuture<Read> handleFailure(String path, Failure failure) {
        if (failure.isUnknown()) {
            return CompletableFuture.failedFuture(failure);
        }
        // The oldest entries may be deleted while others are read.
        return CompletableFuture.completedFuture(
                failure.is(Code.NONODE)
                        ? new Read(Optional.empty(), Optional.empty())
                        : unreadable(path, "the server says " + failure.code() + ". Check the access rights"));
    }

    private static Read unreadable(String path, String why) {
        return Read.problem("The history entry " + path + " cannot be read: " + why + ".");
    }

    /** The result of reading one entry; empty when the entry has gone. */
    private record Read(Optional<HistoryEntry> entry, Optional<String> problem) {
        static Read problem(String sentence) {
            return new Read(Optional.empty(), Optional.of(sentence));
        }
    }
}
