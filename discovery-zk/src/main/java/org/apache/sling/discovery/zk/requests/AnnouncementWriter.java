// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.zk.requests;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.sling.discovery.commons.model.Bytes;
import org.apache.sling.discovery.commons.model.SharedAnnouncement;
import org.apache.sling.discovery.zk.cache.AnnouncementCache;
import org.apache.sling.discovery.zk.cache.ObserverNotifier;
import org.apache.sling.discovery.zk.client.Failure;
import org.apache.sling.discovery.zk.client.Outcomes;
import org.apache.sling.discovery.zk.client.Session;
import org.apache.sling.discovery.zk.client.StoreThread;
import org.apache.sling.discovery.zk.tree.AnnouncementCodec;
import org.apache.sling.discovery.zk.tree.AnnouncementName;
import org.apache.sling.discovery.zk.tree.Paths;
import org.apache.sling.discovery.zk.tree.TooLarge;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.Code;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes the announcements that this instance shares. It compares what the cache has read of the own session with what is wanted, and
 * writes the differences, one after the other and at a bounded rate, so that lost replies and deletions by other clients need no cases
 * of their own. What fails is written again later. Confined to the store's thread.
 */
public final class AnnouncementWriter {
    private static final Logger LOG = LoggerFactory.getLogger(AnnouncementWriter.class);
    private static final long SHORTEST_DELAY_MILLIS = 1_000;
    private static final long LONGEST_DELAY_MILLIS = 60_000;
    private static final int MOST_NAMED = 3;

    /** The replies to a lease share the connection, and the servers have to keep up. */
    private static final int MAX_BYTES_PER_MILLI = 1_000;

    private final Paths paths;
    private final AnnouncementCodec codec;
    private final AnnouncementCache cache;
    private final StoreThread thread;
    private final ObserverNotifier notifier;

    private Map<String, Bytes> contents = Map.of();
    private Map<String, Encoded> encoded = Map.of();
    private final Map<String, String> failures = new TreeMap<>();
    private Optional<String> holder = Optional.empty();
    private Session session;
    private boolean started;
    private boolean written;
    private boolean due;
    private boolean waiting;
    private boolean parentCreated;
    private long delay = SHORTEST_DELAY_MILLIS;
    private int rounds;
    private boolean writing;

    public AnnouncementWriter(
            Paths paths,
            AnnouncementCodec codec,
            AnnouncementCache cache,
            StoreThread thread,
            ObserverNotifier notifier) {
        this.paths = paths;
        this.codec = codec;
        this.cache = cache;
        this.thread = thread;
        this.notifier = notifier;
    }

    /** Sets what is shared, by owner. */
    public void share(Map<String, Bytes> wanted) {
        if (!wanted.equals(contents)) {
            contents = wanted;
            attempt(this::encode);
        }
    }

    /** Sets the id of this instance, without which nothing is written. */
    public void identify(String instanceId) {
        if (!holder.equals(Optional.of(instanceId))) {
            holder = Optional.of(instanceId);
            attempt(this::encode);
        }
    }

    private void encode() {
        if (holder.isEmpty()) {
            return;
        }
        Map<String, Encoded> next = new TreeMap<>();
        contents.forEach((ownerId, content) -> {
            SharedAnnouncement announcement = new SharedAnnouncement(holder.get(), true, ownerId, content);
            Encoded known = encoded.get(ownerId);
            next.put(ownerId, known != null && known.announcement.equals(announcement) ? known : encode(announcement));
        });
        encoded = next;
        failures.keySet().retainAll(next.keySet());
        due = true;
        writeDifferences();
    }

    private Encoded encode(SharedAnnouncement announcement) {
        try {
            return new Encoded(announcement, codec.write(announcement), "");
        } catch (TooLarge e) {
            return new Encoded(announcement, null, e.getMessage());
        } catch (RuntimeException e) {
            LOG.debug("Could not encode an announcement", e);
            return new Encoded(
                    announcement,
                    null,
                    "The announcement of " + AnnouncementName.label(announcement.ownerId())
                            + " cannot be encoded. The other members are not told of it.");
        }
    }

    /** Starts over on a new connection. */
    public void start(Session connected) {
        stop();
        session = connected;
        started = true;
        parentCreated = false;
        due = true;
        attempt(this::encode);
    }

    /** Discards what is in progress: the connection is lost. */
    public void stop() {
        started = false;
        waiting = false;
        writing = false;
        rounds++;
    }

    /** Writes what differs if it is known what there is. To be called whenever the cache has changed. */
    public void advance() {
        attempt(this::writeDifferences);
    }

    private void writeDifferences() {
        boolean nothing = encoded.isEmpty() && !written;
        if (!started || nothing || writing || !cache.isSettled(session.id())) {
            return;
        }
        Deque<Write> writes = differences();
        if (writes.isEmpty()) {
            due = false;
            parentCreated = false;
            delay = SHORTEST_DELAY_MILLIS;
            failures.clear();
            report();
        } else if (due) {
            due = false;
            waiting = false;
            written = true;
            writing = true;
            rounds++;
            writeNext(writes, new ArrayList<>());
        } else {
            advanceLater();
        }
    }

    private Deque<Write> differences() {
        Map<String, Optional<SharedAnnouncement>> there = new HashMap<>(cache.ofSession(session.id()));
        Deque<Write> writes = new ArrayDeque<>();
        encoded.forEach((ownerId, wanted) -> {
            if (wanted.data == null) {
                return;
            }
            String name = AnnouncementName.of(session.id(), ownerId);
            Optional<SharedAnnouncement> found = there.remove(name);
            if (found == null) {
                writes.add(new Write(ownerId, name, false));
            } else if (!found.equals(Optional.of(wanted.announcement))) {
                writes.add(new Write(ownerId, name, true));
            }
        });
        there.keySet().forEach(name -> writes.add(new Write("", name, true)));
        return writes;
    }

    /** Writes one announcement after the other, so that requests of membership never wait behind many of them. */
    private void writeNext(Deque<Write> writes, List<Failure> failed) {
        Write write = writes.poll();
        if (write == null) {
            writing = false;
            end(failed);
            return;
        }
        int round = rounds;
        Optional<byte[]> data = Optional.ofNullable(encoded.get(write.ownerId)).map(Encoded::data);
        send(write, data).whenComplete((done, thrown) -> {
            if (round == rounds) {
                attempt(() -> {
                    failures.remove(write.ownerId);
                    if (thrown != null) {
                        Failure failure = Failure.of(thrown);
                        failed.add(failure);
                        note(write.ownerId, failure);
                    }
                    writeAfterPause(pauseMillis(data.map(bytes -> bytes.length).orElse(0)), writes, failed);
                });
            }
        });
    }

    private CompletableFuture<?> send(Write write, Optional<byte[]> data) {
        String path = paths.announcement(write.name);
        if (write.ownerId.isEmpty()) {
            return session.delete(path);
        }
        if (data.isEmpty()) {
            // It is not wanted any more; the next comparison finds out.
            return CompletableFuture.completedFuture(null);
        }
        return write.exists
                ? session.write(path, data.get(), -1)
                : session.create(path, data.get(), CreateMode.EPHEMERAL);
    }

    /** Returns how long nothing is written after so many bytes. */
    static long pauseMillis(int bytes) {
        return bytes / MAX_BYTES_PER_MILLI;
    }

    private void writeAfterPause(long millis, Deque<Write> writes, List<Failure> failed) {
        if (millis == 0) {
            writeNext(writes, failed);
            return;
        }
        int round = rounds;
        thread.schedule(millis, () -> {
            if (round == rounds) {
                attempt(() -> writeNext(writes, failed));
            }
        });
    }

    /** Runs a step. If it fails, whatever is thrown, everything is compared and written again later. */
    private void attempt(Runnable step) {
        try {
            step.run();
        } catch (Throwable e) {
            LOG.debug("Could not write announcements", e);
            writing = false;
            waiting = false;
            due = false;
            advanceLater();
            failures.put(
                    "",
                    "The announcements of this instance are not shared as intended: " + e
                            + ". This instance keeps trying.");
            report();
        }
    }

    private void note(String ownerId, Failure failure) {
        boolean overtaken = failure.is(Code.NONODE) || failure.is(Code.NODEEXISTS);
        if (!overtaken && !failure.isUnknown()) {
            failures.put(
                    ownerId,
                    "The announcement"
                            + (ownerId.isEmpty()
                                    ? "s of this instance are"
                                    : " of " + AnnouncementName.label(ownerId) + " is")
                            + " not shared with the other members as intended: "
                            + Outcomes.of(failure).detail() + " This instance keeps trying.");
        }
    }

    private void end(List<Failure> failed) {
        report();
        if (failed.stream().anyMatch(failure -> failure.is(Code.NONODE)) && !parentCreated) {
            createParent();
        } else if (failed.stream().anyMatch(failure -> failure.is(Code.NODEEXISTS))) {
            // The watch has not told of a node of this session, so it may be missing.
            cache.start(session);
        } else {
            advance();
        }
    }

    /** Creates the parent, which only instances that share announcements need. */
    private void createParent() {
        parentCreated = true;
        int round = rounds;
        writing = true;
        session.create(paths.announcements(), new byte[0], CreateMode.PERSISTENT)
                .whenComplete((made, thrown) -> {
                    if (round == rounds) {
                        writing = false;
                        due = thrown == null || Failure.of(thrown).is(Code.NODEEXISTS);
                        if (!due) {
                            note("", Failure.of(thrown));
                            report();
                        }
                        advance();
                    }
                });
    }

    /** Writes again later, so that a client that deletes the tree, or denies the write, is not kept busy. */
    private void advanceLater() {
        if (waiting) {
            return;
        }
        waiting = true;
        int round = ++rounds;
        thread.schedule(delay, () -> {
            if (round == rounds && started) {
                waiting = false;
                parentCreated = false;
                due = true;
                attempt(this::encode);
            }
        });
        delay = Math.min(LONGEST_DELAY_MILLIS, delay * 2);
    }

    private void report() {
        List<String> sentences = Stream.concat(
                        encoded.values().stream().map(Encoded::problem), failures.values().stream())
                .filter(sentence -> !sentence.isEmpty())
                .toList();
        String others = sentences.size() > MOST_NAMED ? " (and " + (sentences.size() - MOST_NAMED) + " more)" : "";
        notifier.notifySharingTrouble(sentences.stream().limit(MOST_NAMED).collect(Collectors.joining(" ")) + others);
    }

    /** An announcement with its data, or why it has none. */
    @SuppressWarnings("ArrayRecordComponent")
    private record Encoded(SharedAnnouncement announcement, byte[] data, String problem) {}

    /** A write for an owner; the id is empty for the deletion of a node that is not wanted. */
    private record Write(String ownerId, String name, boolean exists) {}
}
