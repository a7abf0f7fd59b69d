// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.zk.others;

import io.github.discoveryzk.model.Bytes;
import io.github.discoveryzk.model.SharedAnnouncement;
import io.github.discoveryzk.zk.cache.ObserverNotifier;
import io.github.discoveryzk.zk.client.Failure;
import io.github.discoveryzk.zk.client.Session;
import io.github.discoveryzk.zk.client.StoreThread;
import io.github.discoveryzk.zk.tree.AnnouncementRecords;
import io.github.discoveryzk.zk.tree.Names;
import io.github.discoveryzk.zk.tree.Paths;
import io.github.discoveryzk.zk.tree.TooLarge;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.Code;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes the announcements that this instance shares. It compares what has been read of the local session with what is wanted, and writes
 * one difference after the other, each once and at a bounded rate, so that lost replies and deletions by other clients need no cases of
 * their own. A difference that is still there when all have been written is written again later. Confined to the store's thread.
 */
final class AnnouncementWriter {
    private static final Logger LOG = LoggerFactory.getLogger(AnnouncementWriter.class);
    private static final long MIN_DELAY_MILLIS = 1_000;
    private static final long MAX_DELAY_MILLIS = 60_000;
    private static final int MAX_NAMED = 3;

    /** The replies to a lease share the connection, and the servers have to keep up. */
    private static final int MAX_BYTES_PER_MILLI = 1_000;

    private final Paths paths;
    private final Announcements announcements;
    private final StoreThread thread;
    private final ObserverNotifier notifier;

    /** Why an announcement is not shared as intended, by owner; the owner is empty for the announcements as a whole. */
    private final Map<String, String> failures = new TreeMap<>();

    /** Why an announcement cannot be encoded, by owner; the others are shared. */
    private final Map<String, String> excluded = new TreeMap<>();

    private Map<String, Bytes> contents = Map.of();
    private Optional<String> holder = Optional.empty();
    private long delay = MIN_DELAY_MILLIS;

    /** Null without a connection. */
    private PendingWrites pending;

    AnnouncementWriter(Paths paths, Announcements announcements, StoreThread thread, ObserverNotifier notifier) {
        this.paths = paths;
        this.announcements = announcements;
        this.thread = thread;
        this.notifier = notifier;
    }

    /** What is in progress on one connection. */
    private static final class PendingWrites {
        private final Session session;

        /** What is still to be written of the differences that were found last. */
        private final Deque<Write> queue = new ArrayDeque<>();

        /** Whether all differences are to be written, also those that have been tried before. */
        private boolean due = true;

        private boolean writing;
        private boolean delayed;

        private PendingWrites(Session session) {
            this.session = session;
        }
    }

    /**
     * A write of a node.
     *
     * @param wanted empty for the deletion of a node that is not wanted
     */
    private record Write(String name, Optional<SharedAnnouncement> wanted, boolean exists) {
        String ownerId() {
            return wanted.map(SharedAnnouncement::ownerId).orElse("");
        }
    }

    /** Sets what is shared, by owner. */
    void share(Map<String, Bytes> wanted) {
        if (!wanted.equals(contents)) {
            contents = wanted;
            restart();
        }
    }

    /** Sets the id of this instance, without which nothing is written. */
    void identify(String instanceId) {
        if (!holder.equals(Optional.of(instanceId))) {
            holder = Optional.of(instanceId);
            restart();
        }
    }

    /** Starts over on a new connection. */
    void start(Session connected) {
        pending = new PendingWrites(connected);
        restart();
    }

    /** Discards what is in progress: the connection is lost. */
    void stop() {
        pending = null;
    }

    private void restart() {
        if (pending != null) {
            failures.keySet().retainAll(contents.keySet());
            excluded.clear();
            pending.due = true;
            pending.queue.clear();
            advance();
        }
    }

    /** Writes what differs if it is known what there is. To be called whenever the announcements have changed. */
    void advance() {
        if (pending != null && !pending.writing && holder.isPresent()) {
            attempt(() -> {
                if (pending.queue.isEmpty() && announcements.isSettled(pending.session.id())) {
                    compare(differences());
                }
                if (!pending.queue.isEmpty()) {
                    write(pending.queue.remove());
                }
            });
        }
    }

    private void compare(List<Write> differences) {
        if (differences.isEmpty()) {
            delay = MIN_DELAY_MILLIS;
            failures.clear();
        } else if (pending.due) {
            pending.queue.addAll(differences);
        } else {
            writeLater();
        }
        pending.due = false;
        if (pending.queue.isEmpty()) {
            report();
        }
    }

    /** Returns the writes of nodes that are missing, have another content, or are not wanted. */
    private List<Write> differences() {
        Map<String, Optional<SharedAnnouncement>> there = announcements.ofSession(pending.session.id());
        List<Write> differences = new ArrayList<>();
        contents.forEach((ownerId, content) -> {
            String name = Names.announcement(pending.session.id(), ownerId);
            Optional<SharedAnnouncement> wanted =
                    Optional.of(new SharedAnnouncement(holder.orElseThrow(), true, ownerId, content));
            Optional<SharedAnnouncement> found = there.remove(name);
            if (!excluded.containsKey(ownerId) && !wanted.equals(found)) {
                differences.add(new Write(name, wanted, found != null));
            }
        });
        there.keySet().forEach(name -> differences.add(new Write(name, Optional.empty(), true)));
        return differences;
    }

    private void write(Write write) {
        byte[] data = new byte[0];
        try {
            data = write.wanted.isPresent() ? AnnouncementRecords.write(write.wanted.get()) : data;
        } catch (TooLarge e) {
            failures.remove(write.ownerId());
            excluded.put(write.ownerId(), e.getMessage());
            advance();
            return;
        }
        PendingWrites begun = pending;
        begun.writing = true;
        long pause = data.length / MAX_BYTES_PER_MILLI;
        send(begun.session, write, data).whenComplete((done, thrown) -> {
            if (begun == pending) {
                attempt(() -> {
                    failures.remove(write.ownerId());
                    if (thrown != null) {
                        handleFailure(write.ownerId(), Failure.of(thrown));
                    }
                    continueAfter(pause);
                });
            }
        });
    }

    private CompletableFuture<?> send(Session session, Write write, byte[] data) {
        String path = paths.announcement(write.name);
        if (write.wanted.isEmpty()) {
            return session.delete(path);
        }
        return write.exists ? session.write(path, data, -1) : create(session, path, data);
    }

    /** Creates a node, and its folder if that is missing: only instances that share announcements need it. */
    private CompletableFuture<String> create(Session session, String path, byte[] data) {
        return session.create(path, data, CreateMode.EPHEMERAL)
                .exceptionallyCompose(Failure.on(
                        Code.NONODE, () -> session.create(paths.announcements(), new byte[0], CreateMode.PERSISTENT)
                                .exceptionallyCompose(
                                        Failure.on(Code.NODEEXISTS, () -> CompletableFuture.completedFuture(path)))
                                .thenCompose(made -> session.create(path, data, CreateMode.EPHEMERAL))));
    }

    private void handleFailure(String ownerId, Failure failure) {
        if (failure.is(Code.NODEEXISTS)) {
            // No event has reported a node of this session, so the watch may be missing.
            announcements.start(pending.session);
        } else if (!failure.is(Code.NONODE) && !failure.isUnknown()) {
            String what = ownerId.isEmpty()
                    ? "The announcements of this instance are"
                    : "The announcement of " + Names.label(ownerId) + " is";
            failures.put(
                    ownerId,
                    what + " not shared with the other members as intended: "
                            + failure.outcome().detail() + " This instance keeps trying.");
        }
    }

    private void continueAfter(long millis) {
        PendingWrites begun = pending;
        if (millis == 0) {
            begun.writing = false;
            advance();
            return;
        }
        thread.schedule(millis, () -> {
            if (begun == pending) {
                continueAfter(0);
            }
        });
    }

    /** Runs a step. If it fails, whatever is thrown, everything is compared and written again later. */
    private void attempt(Runnable step) {
        try {
            step.run();
        } catch (Throwable e) {
            LOG.debug("Could not write announcements", e);
            pending.writing = false;
            pending.due = false;
            pending.queue.clear();
            writeLater();
            failures.put(
                    "",
                    "The announcements of this instance are not shared as intended: " + e
                            + ". This instance keeps trying.");
            report();
        }
    }

    /** Writes again later, so that a client that deletes the tree, or denies the write, is not kept busy. */
    private void writeLater() {
        PendingWrites begun = pending;
        if (!begun.delayed) {
            begun.delayed = true;
            thread.schedule(delay, () -> {
                begun.delayed = false;
                if (begun == pending) {
                    restart();
                }
            });
            delay = Math.min(MAX_DELAY_MILLIS, delay * 2);
        }
    }

    private void report() {
        List<String> all = Stream.concat(excluded.values().stream(), failures.values().stream())
                .toList();
        String others = all.size() > MAX_NAMED ? " (and " + (all.size() - MAX_NAMED) + " more)" : "";
        notifier.notifySharingTrouble(all.stream().limit(MAX_NAMED).collect(Collectors.joining(" ")) + others);
    }
}
