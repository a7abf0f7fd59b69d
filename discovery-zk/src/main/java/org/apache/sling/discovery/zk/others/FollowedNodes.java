// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.zk.others;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.apache.sling.discovery.zk.client.Failure;
import org.apache.sling.discovery.zk.client.MultiRead;
import org.apache.sling.discovery.zk.client.NodeData;
import org.apache.sling.discovery.zk.client.Session;
import org.apache.sling.discovery.zk.client.StoreThread;
import org.apache.sling.discovery.zk.tree.Paths;
import org.apache.zookeeper.AddWatchMode;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.Watcher.Event.EventType;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the children of a folder and single nodes beside it, then those that change. What changes while it is being read is read again
 * afterwards. What access is denied to stays as it was read last, until it is deleted. A step that fails, for whatever reason, is reported
 * and repeated, and delays no other node. Replies arrive after the events that came before them. Confined to the store's thread.
 */
final class FollowedNodes {
    private static final Logger LOG = LoggerFactory.getLogger(FollowedNodes.class);

    /** A change of access rights causes no event, and neither does an end of a lack of memory. */
    private static final long DENIED_AGAIN_MILLIS = 60_000;

    private static final long FAILED_AGAIN_MILLIS = 5_000;
    private static final long NEVER = -1;

    private final String folder;
    private final List<String> singles;
    private final int packet;
    private final StoreThread thread;
    private final Target target;
    private final List<LastingWatch> watches = new ArrayList<>();

    /** The nodes that exist, with the transaction that wrote what was taken of them. */
    private final Map<String, Long> taken = new TreeMap<>();

    private final Map<String, String> problems = new TreeMap<>();
    private Session session;
    private State state = new State();

    /**
     * Creates one without nodes.
     *
     * @param singles the paths of the nodes beside the folder
     * @param packet how many nodes are read in one packet
     */
    FollowedNodes(String folder, List<String> singles, int packet, StoreThread thread, Target target) {
        this.folder = folder;
        this.singles = singles;
        this.packet = packet;
        this.thread = thread;
        this.target = target;
        watches.add(new LastingWatch(folder, AddWatchMode.PERSISTENT_RECURSIVE, this::handle));
        singles.forEach(path -> watches.add(new LastingWatch(path, AddWatchMode.PERSISTENT, this::handle)));
    }

    /** Takes what was read. */
    interface Target {
        /** Takes the data of a node that has changed. */
        void put(String path, NodeData found);

        /** Takes note of a node that exists and must not be read. */
        void deny(String path);

        void remove(String path);

        /** Called when all changes that were reported until now have been taken. */
        void settled();
    }

    /** What is in progress since the last start. */
    private static final class State {
        private final Set<String> stale = new LinkedHashSet<>();
        private final Set<String> later = new HashSet<>();
        private final Map<String, String> failures = new HashMap<>();
        private List<String> reading = List.of();
        private boolean listed;
        private boolean known;
    }

    /** Returns whether all nodes have been read since the last {@link #start}, or cannot be read. */
    boolean isKnown() {
        return state.known;
    }

    /** Returns whether all changes of the nodes whose paths have this beginning have been taken. */
    boolean isSettled(String beginning) {
        return state.known
                && state.reading.stream().noneMatch(path -> path.startsWith(beginning))
                && state.stale.stream().noneMatch(path -> path.startsWith(beginning));
    }

    Session session() {
        return session;
    }

    /** Returns sentences about nodes that do not belong there or cannot be read. */
    List<String> problems() {
        return List.copyOf(problems.values());
    }

    /** Reports what is wrong with a node, until it has changed. */
    void report(String path, String sentence) {
        if (!sentence.equals(problems.put(path, sentence))) {
            LOG.warn(sentence);
        }
    }

    /** Reads everything again: after a connect, or when anything looks odd. */
    void start(Session started) {
        stop();
        session = started;
        watches.forEach(watch -> watch.set(started));
        State begun = state;
        started.list(folder).whenComplete((names, thrown) -> {
            if (begun == state) {
                attempt(folder, () -> endListing(names, thrown), () -> start(session));
            }
        });
    }

    /** Discards what is in progress: the connection is lost. What was read is kept until it has been read again. */
    void stop() {
        state = new State();
    }

    /** Ends the watches and removes all nodes: the cluster has been deleted. */
    void close() {
        stop();
        List.copyOf(taken.keySet()).forEach(this::remove);
        watches.forEach(LastingWatch::end);
    }

    private void endListing(List<String> names, Throwable thrown) {
        problems.remove(folder);
        if (thrown == null) {
            names.forEach(name -> state.stale.add(folder + "/" + name));
        } else if (Failure.of(thrown).isUnknown()) {
            return;
        } else if (!Failure.of(thrown).is(Code.NONODE)) {
            report(folder, denied(folder, Failure.of(thrown)));
            runLater(DENIED_AGAIN_MILLIS, () -> start(session));
            // Each shows by itself whether it has been deleted.
            state.stale.addAll(taken.keySet());
        }
        state.stale.addAll(singles);
        state.listed = true;
        List.copyOf(taken.keySet()).stream()
                .filter(path -> !state.stale.contains(path))
                .forEach(this::remove);
        readStale();
    }

    private void handle(WatchedEvent event) {
        attempt(folder, () -> process(event), () -> start(session));
    }

    private void process(WatchedEvent event) {
        String path = event.getPath();
        if (!singles.contains(path) && !Paths.parentOf(path).equals(folder)) {
            return;
        }
        if (event.getType() == EventType.NodeDeleted) {
            state.stale.remove(path);
            remove(path);
        } else {
            state.stale.add(path);
        }
        readStale();
    }

    private void remove(String path) {
        taken.remove(path);
        problems.remove(path);
        target.remove(path);
    }

    private void readStale() {
        if (!state.listed || !state.reading.isEmpty()) {
            return;
        }
        if (state.stale.isEmpty()) {
            state.known = true;
            attempt(folder, target::settled, this::readStale);
            return;
        }
        List<String> next = state.stale.stream().limit(packet).toList();
        next.forEach(state.stale::remove);
        state.reading = next;
        State begun = state;
        Map<String, CompletableFuture<NodeData>> replies = read(next);
        CompletableFuture.allOf(replies.values().toArray(CompletableFuture[]::new))
                .whenComplete((all, thrown) -> {
                    // A lost connection is followed by a start.
                    if (begun == state && (thrown == null || !Failure.of(thrown).isUnknown())) {
                        replies.forEach(this::take);
                        state.reading = List.of();
                        readStale();
                    }
                });
    }

    private Map<String, CompletableFuture<NodeData>> read(List<String> paths) {
        Map<String, CompletableFuture<NodeData>> replies = new LinkedHashMap<>();
        if (paths.size() == 1) {
            replies.put(paths.get(0), session.read(paths.get(0)));
        } else {
            MultiRead reads = session.multiRead();
            paths.forEach(path -> replies.put(path, reads.read(path)));
            reads.send();
        }
        return replies;
    }

    private void take(String path, CompletableFuture<NodeData> reply) {
        reply.whenComplete((found, thrown) -> attempt(path, () -> take(path, found, thrown), () -> readAgain(path)));
    }

    private void take(String path, NodeData found, Throwable thrown) {
        if (thrown == null) {
            if (!Long.valueOf(found.stat().getMzxid()).equals(taken.get(path))) {
                problems.remove(path);
                target.put(path, found);
                taken.put(
                        path, state.later.contains(path) ? NEVER : found.stat().getMzxid());
            }
        } else if (Failure.of(thrown).is(Code.NONODE)) {
            remove(path);
        } else {
            // Its data is taken again when it can be read again: the problem that is reported has to end.
            taken.put(path, NEVER);
            target.deny(path);
            report(path, denied(path, Failure.of(thrown)));
            readLater(path);
        }
    }

    private static String denied(String path, Failure failure) {
        return "What is in " + path + " cannot be read: ZooKeeper replies " + failure.code()
                + ". What was read before stays. Check the access rights.";
    }

    private void readAgain(String path) {
        state.stale.add(path);
        readStale();
    }

    /** Reads a node again after a while, although it may not have changed. */
    void readLater(String path) {
        State begun = state;
        if (begun.later.add(path)) {
            runLater(DENIED_AGAIN_MILLIS, () -> {
                begun.later.remove(path);
                readAgain(path);
            });
        }
    }

    /** Runs a step, and another one later if it fails: also after an Error, because memory may be there again a moment later. */
    private void attempt(String path, Runnable step, Runnable later) {
        String before = state.failures.remove(path);
        if (before != null) {
            problems.remove(path, before);
        }
        try {
            step.run();
        } catch (Throwable e) {
            runLater(FAILED_AGAIN_MILLIS, later);
            String sentence = "What was read of " + path + " cannot be processed: " + e + ". It is tried again.";
            problems.put(path, sentence);
            state.failures.put(path, sentence);
            if (!sentence.equals(before)) {
                LOG.warn(sentence, e);
            }
        }
    }

    private void runLater(long millis, Runnable step) {
        State begun = state;
        thread.schedule(millis, () -> {
            if (begun == state) {
                step.run();
            }
        });
    }
}
