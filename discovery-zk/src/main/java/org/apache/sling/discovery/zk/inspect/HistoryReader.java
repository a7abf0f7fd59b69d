// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.zk.inspect;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
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
 * packet, because that could be larger than the client accepts, which would end the connection. An instance of this class is used once.
 */
public final class HistoryReader {
    private final Session session;
    private final Paths paths;
    private final Codecs codecs;
    private final List<HistoryEntry> entries = new ArrayList<>();
    private final List<String> problems = new ArrayList<>();

    public HistoryReader(Session session, Paths paths, Codecs codecs) {
        this.session = session;
        this.paths = paths;
        this.codecs = codecs;
    }

    /** Reads the entries whose numbers are not known. Entries that cannot be read are among the problems of the result. */
    public CompletableFuture<HistoryReading> read(Set<Long> known) {
        return session.list(paths.history()).thenCompose(names -> {
            Set<Long> numbers = new HashSet<>();
            List<String> wanted = new ArrayList<>();
            for (String name : names) {
                if (!HistoryEntryName.isValid(name)) {
                    problems.add(NodeKind.foreignSentence(paths.historyEntry(name)));
                } else if (numbers.add(HistoryEntryName.number(name))
                        && !known.contains(HistoryEntryName.number(name))) {
                    wanted.add(name);
                }
            }
            wanted.sort(Comparator.reverseOrder());
            return Batches.readAll(wanted, name -> session.read(paths.historyEntry(name))
                            .handle((found, thrown) -> take(name, found, thrown)))
                    .thenApply(all -> new HistoryReading(numbers, entries, problems));
        });
    }

    private Void take(String name, NodeData found, Throwable thrown) {
        if (thrown != null) {
            handleFailure(name, Failure.of(thrown));
            return null;
        }
        try {
            HistoryEntry entry = codecs.views().readEntry(found.data());
            if (!name.equals(HistoryEntryName.of(entry.number()))) {
                throw new Unreadable("it has view " + entry.number());
            }
            entries.add(entry);
        } catch (Unreadable e) {
            reportUnreadable(name, e.getMessage() + ". Delete it if it is not needed");
        }
        return null;
    }

    private void handleFailure(String name, Failure failure) {
        if (failure.isUnknown()) {
            throw new CompletionException(failure);
        }
        // The oldest entries may be deleted while others are read.
        if (!failure.is(Code.NONODE)) {
            reportUnreadable(name, "the server says " + failure.code() + ". Check the access rights");
        }
    }

    private void reportUnreadable(String name, String why) {
        problems.add("The history entry " + paths.historyEntry(name) + " cannot be read: " + why + ".");
    }
}
