// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.zk.follow;

import io.github.discoveryzk.zk.client.Failure;
import io.github.discoveryzk.zk.client.MultiRead;
import io.github.discoveryzk.zk.client.NodeData;
import io.github.discoveryzk.zk.client.Session;
import io.github.discoveryzk.zk.client.StoreThread;
import io.github.discoveryzk.zk.tree.Paths;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
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
public abstract class FollowedNodes {
    private static final Logger LOG = LoggerFactory.getLogger(FollowedNodes.class);

    /** A change of access rights causes no event, and neither does an end of a lack of memory. */
    private static final long DENIED_AGAIN_MILLIS = 60_000;

    private static final long FAILED_AGAIN_MILLIS = 5_000;
    private static final long NEVER = -1;

    private final String folder;
    private final List<String> singles;
    private final int packet;
    private final StoreThread thread;
    private final Runnable changed;

    /** The nodes that exist, with the transaction that wrote what was taken of them. */
    private final Map<String, Long> taken = new TreeMap<>();

    /** What is wrong with nodes that do not belong there or cannot be read. */
    public final NodeProblems problems = new NodeProblems();

    private Session session;
    private Turns turns;
    private Round round = new Round();

    /**
     * Creates one without nodes.
     *
     * @param singles the paths of the nodes beside the folder, and of the folder if its own data is read
     * @param packet how many nodes are read at a time at most
     * @param changed called when all changes that were reported have been taken
     */
    protected FollowedNodes(String folder, List<String> singles, int packet, StoreThread thread, Runnable changed) {
        this.folder = folder;
        this.singles = singles;
        this.packet = packet;
        this.thread = thread;
        this.changed = changed;
    }

    /** Returns whether the name of a node shows that it is foreign. It is not read, because it may be large. */
    protected abstract boolean skips(String path);

    /** Returns which of the nodes are read next, by default as many as make up a packet. */
    protected List<String> next(Collection<String> stale) {
        return stale.stream().limit(packet).toList();
    }

    /** Sends the reads of nodes, by default in one packet. */
    protected Map<String, CompletableFuture<NodeData>> read(Session asked, List<String> paths) {
        return MultiRead.readAll(asked, paths, Runnable::run);
    }

    /** Takes the data of a node that has changed. Returns false if it cannot be taken now and is to be read again later. */
    protected abstract boolean put(String path, NodeData found);

    /** Takes note of a node that exists and must not be read. */
    protected abstract void deny(String path);

    protected abstract void remove(String path);

    /** Called when all changes that were reported until now have been taken. */
    protected void settled() {
        changed.run();
    }

    /** What is in progress since the last start. */
    private static final class Round {
        private final Set<String> stale = new LinkedHashSet<>();
        private final Set<String> skipped = new HashSet<>();
        private final Set<String> later = new HashSet<>();
        private List<String> reading = List.of();
        private boolean listed;
        private boolean known;
    }

    /** Returns whether all nodes have been read since the last {@link #start}, or cannot be read. */
    public final boolean isKnown() {
        return round.known;
    }

    /** Returns whether all changes of the nodes whose paths have this beginning have been taken. */
    protected final boolean isSettled(String beginning) {
        return round.known
                && round.reading.stream().noneMatch(path -> path.startsWith(beginning))
                && round.stale.stream().noneMatch(path -> path.startsWith(beginning));
    }

    /** Returns whether all changes of a node that were reported have been taken. */
    protected final boolean isCurrent(String path) {
        return round.known && !round.reading.contains(path) && !round.stale.contains(path);
    }

    protected final Session session() {
        return session;
    }

    /** Reads everything again: after a connect, or when anything looks odd. */
    public final void start(Session started) {
        start(started, new Turns());
    }

    /** Reads everything again, in turn with others. */
    public final void start(Session started, Turns shared) {
        stop();
        session = started;
        turns = shared;
        watch(folder, AddWatchMode.PERSISTENT_RECURSIVE);
        singles.stream().filter(path -> !path.equals(folder)).forEach(path -> watch(path, AddWatchMode.PERSISTENT));
        Round begun = round;
        turns.take(() -> begun == round ? started.list(folder) : CompletableFuture.completedFuture(List.of()))
                .whenComplete((names, thrown) -> {
                    if (begun == round) {
                        attempt(folder, () -> endListing(names, thrown));
                    }
                });
    }

    private void watch(String path, AddWatchMode mode) {
        Session asked = session;
        asked.watchOnce(path, mode, event -> {
            if (asked == session) {
                attempt(folder, () -> process(event));
            }
        });
    }

    /** Discards what is in progress: the connection is lost. What was read is kept until it has been read again. */
    public final void stop() {
        round = new Round();
    }

    /** Ends the watches and removes all nodes: the cluster has been deleted. */
    public final void close() {
        stop();
        List.copyOf(taken.keySet()).forEach(this::forget);
        if (session != null) {
            session.unwatch(folder);
            singles.forEach(session::unwatch);
            session = null;
        }
    }

    private void endListing(List<String> names, Throwable thrown) {
        if (thrown == null) {
            problems.end(folder);
            names.forEach(name -> follow(folder + "/" + name));
        } else if (Failure.of(thrown).isUnknown()) {
            return;
        } else if (Failure.of(thrown).is(Code.NONODE)) {
            problems.end(folder);
        } else {
            reportDenied(folder, Failure.of(thrown));
            // Each shows by itself whether it has been deleted.
            round.stale.addAll(taken.keySet());
        }
        round.stale.addAll(singles);
        round.listed = true;
        List.copyOf(taken.keySet()).stream()
                .filter(path -> !round.stale.contains(path) && !round.skipped.contains(path))
                .forEach(this::forget);
        readStale();
    }

    private void process(WatchedEvent event) {
        String path = event.getPath();
        if (!singles.contains(path) && !Paths.parentOf(path).equals(folder)) {
            return;
        }
        if (event.getType() == EventType.NodeDeleted) {
            round.stale.remove(path);
            round.skipped.remove(path);
            forget(path);
        } else {
            follow(path);
        }
        readStale();
    }

    private void follow(String path) {
        if (singles.contains(path) || !skips(path)) {
            round.stale.add(path);
        } else {
            round.skipped.add(path);
            taken.put(path, NEVER);
        }
    }

    private void forget(String path) {
        taken.remove(path);
        problems.end(path);
        remove(path);
    }

    private void readStale() {
        if (!round.listed || !round.reading.isEmpty()) {
            return;
        }
        if (round.stale.isEmpty()) {
            round.known = true;
            attempt(folder, this::settled);
            return;
        }
        Round begun = round;
        begun.reading = next(begun.stale);
        begun.reading.forEach(begun.stale::remove);
        Map<String, CompletableFuture<NodeData>> replies = new LinkedHashMap<>();
        turns.take(() -> {
                    if (begun == round) {
                        replies.putAll(read(session, begun.reading));
                    }
                    return CompletableFuture.allOf(replies.values().toArray(CompletableFuture[]::new));
                })
                .whenComplete((all, thrown) -> {
                    // A lost connection is followed by a start.
                    if (begun == round && (thrown == null || !Failure.of(thrown).isUnknown())) {
                        replies.forEach((path, reply) ->
                                reply.whenComplete((found, failed) -> attempt(path, () -> take(path, found, failed))));
                        begun.reading = List.of();
                        readStale();
                    }
                });
    }

    private void take(String path, NodeData found, Throwable thrown) {
        if (thrown == null) {
            long transaction = found.stat().getMzxid();
            if (!Long.valueOf(transaction).equals(taken.get(path))) {
                problems.end(path);
                taken.put(path, NEVER);
                if (put(path, found)) {
                    taken.put(path, transaction);
                } else {
                    repeatLater(path, DENIED_AGAIN_MILLIS);
                }
            }
        } else if (Failure.of(thrown).is(Code.NONODE)) {
            forget(path);
        } else {
            // Its data is taken again when it can be read again: the problem that is reported has to end.
            taken.put(path, NEVER);
            deny(path);
            reportDenied(path, Failure.of(thrown));
        }
    }

    private void reportDenied(String path, Failure failure) {
        problems.report(
                path,
                "What is in " + path + " cannot be read: ZooKeeper replies " + failure.code()
                        + ". What was read before stays. Check the access rights.");
        repeatLater(path, DENIED_AGAIN_MILLIS);
    }

    /** Takes a step, and repeats it later if it fails: also after an Error, because memory may be there again a moment later. */
    private void attempt(String path, Runnable step) {
        try {
            step.run();
        } catch (Throwable e) {
            repeatLater(path, FAILED_AGAIN_MILLIS);
            // What is read then ends the problem, although it may not have changed.
            taken.computeIfPresent(path, (same, transaction) -> NEVER);
            LOG.debug("Could not process {}", path, e);
            problems.report(path, "What was read of " + path + " cannot be processed: " + e + ". It is tried again.");
        }
    }

    /** Reads a node again after a while, although it may not have changed; everything, if it is the folder. */
    private void repeatLater(String path, long millis) {
        Round begun = round;
        if (!begun.later.add(path)) {
            return;
        }
        thread.schedule(millis, () -> {
            if (begun == round) {
                begun.later.remove(path);
                if (path.equals(folder)) {
                    start(session, turns);
                } else {
                    begun.stale.add(path);
                    readStale();
                }
            }
        });
    }
}
