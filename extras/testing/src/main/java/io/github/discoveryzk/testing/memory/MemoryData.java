// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.testing.memory;

import io.github.discoveryzk.model.DataAddress;
import io.github.discoveryzk.model.DataRecord;
import io.github.discoveryzk.model.EstablishedView;
import io.github.discoveryzk.spi.DataStore;
import io.github.discoveryzk.spi.Outcome;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The shared data of a {@link MemoryEnsemble}, as nodes with data versions: a version begins with 0 again when a node is created again, and
 * a folder has a version of its own. What a transaction checks is what the instance knows of them.
 */
final class MemoryData {

    static final Folder EMPTY = new Folder(0, Map.of());

    private final MemoryEnsemble ensemble;
    private Map<DataAddress, Folder> folders = new HashMap<>();

    MemoryData(MemoryEnsemble ensemble) {
        this.ensemble = ensemble;
    }

    /**
     * A node.
     *
     * @param written the transaction that wrote it
     * @param version how often it was written since it was created
     * @param record empty if a value was removed
     * @param session the session that it ends with; 0 for none
     */
    record Node(long written, int version, Optional<DataRecord> record, long session) {
        Optional<DataStore.Stored> stored() {
            return record.map(each -> new DataStore.Stored(written, 0, () -> each));
        }
    }

    /** The nodes of an address by key, and how many were created. */
    record Folder(int version, Map<String, Node> nodes) {
        Folder with(String key, Node node, boolean written) {
            Map<String, Node> next = new TreeMap<>(nodes);
            next.put(key, node);
            return new Folder(version + (written ? 1 : 0), next);
        }

        Folder without(String key) {
            Map<String, Node> next = new TreeMap<>(nodes);
            next.remove(key);
            return new Folder(version, next);
        }

        /** Returns what a client that follows the address is told. */
        DataStore.Content content(boolean known) {
            Map<String, DataStore.Stored> entries = new TreeMap<>();
            nodes.forEach((key, node) -> node.stored().ifPresent(stored -> entries.put(key, stored)));
            return new DataStore.Content(known, entries, List.of());
        }
    }

    /** The result of a transaction, and the folder afterwards. */
    record Executed(Outcome outcome, Folder folder) {}

    Folder folder(DataAddress address) {
        return folders.getOrDefault(address, EMPTY);
    }

    /**
     * Executes a write.
     *
     * @param known what the instance knows of the address
     */
    Executed execute(DataStore.Write write, Folder known, long session) {
        Folder folder = folder(write.address());
        Optional<String> refusal = refusal(write);
        if (refusal.isPresent()) {
            return new Executed(Outcome.rejected(refusal.get()), folder);
        }
        Node node = folder.nodes().get(write.key());
        Node expected = known.nodes().get(write.key());
        boolean isFree = node == null || node.record().isEmpty() || isLeft(node);
        boolean possible = write.seen().isEmpty()
                ? isFree
                : node != null
                        && expected != null
                        && expected.written() == write.seen().getAsLong()
                        && node.version() == expected.version()
                        && (!write.address().map() || folder.version() == known.version());
        if (!possible) {
            return new Executed(Outcome.overtaken("version"), folder);
        }
        long version = ensemble.nextTransaction();
        put(write.address(), next(write, folder, node, session, version));
        boolean replaces =
                node != null && node.record().isPresent() && !(write.seen().isEmpty() && isFree);
        ensemble.dataWritten(write, replaces ? node.written() : 0, version);
        return new Executed(Outcome.DONE, folder(write.address()));
    }

    private Folder next(DataStore.Write write, Folder folder, Node node, long session, long version) {
        boolean owned = write.next().filter(each -> each.owner().isPresent()).isPresent();
        long owner = owned ? session : 0;
        if (write.next().isEmpty() && write.address().map()) {
            return folder.without(write.key());
        }
        boolean created = node == null || isLeft(node) || node.session() != owner;
        Node next = new Node(version, created ? 0 : node.version() + 1, write.next(), owner);
        // Counting removals would miss owned nodes, which end with their session.
        return folder.with(write.key(), next, created);
    }

    /** Says whether a node is that of a member that is gone, although its session lives. */
    private boolean isLeft(Node node) {
        return node.record()
                .flatMap(DataRecord::owner)
                .filter(owner -> !ensemble.content().isLive(owner))
                .isPresent();
    }

    private Optional<String> refusal(DataStore.Write write) {
        long view = ensemble.view().map(EstablishedView::number).orElse(0L);
        if (!ensemble.content().isLive(write.node())) {
            return Optional.of("This instance is not a member of the cluster any more.");
        }
        if (write.proof().filter(proof -> !isThere(proof)).isPresent()) {
            return Optional.of("The value that proves the fence has been written in the meantime.");
        }
        return write.ledView().isPresent() && write.ledView().getAsLong() != view
                ? Optional.of("This instance does not lead the cluster any more: there is a later view.")
                : Optional.empty();
    }

    private boolean isThere(DataStore.Proof proof) {
        Node value = folder(proof.value()).nodes().get(DataStore.VALUE);
        return value != null && value.record().isPresent() && value.written() == proof.version();
    }

    private void put(DataAddress address, Folder next) {
        folders.put(address, next);
        ensemble.dataChanged(address);
    }

    /** Removes what ends with a session. */
    void end(long session) {
        new ArrayList<>(folders.keySet()).forEach(address -> {
            Folder folder = folder(address);
            Map<String, Node> left = new TreeMap<>(folder.nodes());
            if (left.values().removeIf(node -> node.session() == session)) {
                put(address, new Folder(folder.version(), left));
            }
        });
    }

    Map<DataAddress, Folder> all() {
        return Map.copyOf(folders);
    }

    /** Replaces everything: the tree was deleted, or restored. */
    void replace(Map<DataAddress, Folder> all) {
        List<DataAddress> before = new ArrayList<>(folders.keySet());
        folders = new HashMap<>(all);
        before.forEach(ensemble::dataChanged);
    }
}
