// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.benchmarks;

import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.apache.sling.discovery.commons.model.EstablishedView;
import org.apache.sling.discovery.commons.model.Incarnation;
import org.apache.sling.discovery.zk.tree.Codecs;
import org.apache.sling.discovery.zk.tree.Unreadable;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.ZooKeeper;

/**
 * The established views, decoded once for all light members of a process: one of them reads the view after a publication. Safe
 * for use by several threads.
 */
final class LightViews {
    private static final int KEPT = 16;

    private final String path;
    private final Deque<Question> questions = new ArrayDeque<>();
    /** The last views by their numbers: members may be some events behind each other. */
    private final NavigableMap<Long, View> known = new TreeMap<>(Map.of(0L, View.NONE));

    private long latestTransaction = -1;
    private boolean reading;

    /** Creates views that are read from the node with that path. */
    LightViews(String path) {
        this.path = path;
    }

    /**
     * Returns the view that a member has read itself.
     *
     * @param transaction the transaction that wrote the node
     */
    synchronized View of(long transaction, byte[] data) throws Unreadable {
        if (transaction == latestTransaction) {
            return known.lastEntry().getValue();
        }
        View read = data.length == 0 ? View.NONE : View.of(data);
        known.put(read.number, read);
        latestTransaction = Math.max(latestTransaction, transaction);
        if (known.size() > KEPT) {
            known.pollFirstEntry();
        }
        return read;
    }

    /**
     * Returns the view with that number; empty if a later one has replaced it before it was read. A member must not be given a
     * later view, because its own events may not have reached it yet.
     *
     * @param client a client whose server is known to have that view; it reads the view if no other has
     */
    CompletableFuture<Optional<View>> at(long number, ZooKeeper client) {
        Question question = new Question(number, client, new CompletableFuture<>());
        synchronized (this) {
            if (known.lastKey() >= number) {
                return CompletableFuture.completedFuture(Optional.ofNullable(known.get(number)));
            }
            questions.add(question);
            if (reading) {
                return question.answer;
            }
            reading = true;
        }
        read(client);
        return question.answer;
    }

    private void read(ZooKeeper client) {
        client.getData(
                path,
                false,
                (code, where, context, data, stat) -> {
                    if (code == Code.OK.intValue()) {
                        take(stat.getMzxid(), data);
                    } else {
                        fail(client, code);
                    }
                    next();
                },
                null);
    }

    private void take(long transaction, byte[] data) {
        View read;
        try {
            read = of(transaction, data);
        } catch (Unreadable e) {
            throw new IllegalStateException("The view is unreadable", e);
        }
        Map<Question, Optional<View>> answers = new LinkedHashMap<>();
        synchronized (this) {
            for (Iterator<Question> all = questions.iterator(); all.hasNext(); ) {
                Question question = all.next();
                if (question.number <= read.number) {
                    all.remove();
                    answers.put(question, Optional.ofNullable(known.get(question.number)));
                }
            }
        }
        answers.forEach((question, view) -> question.answer.complete(view));
    }

    /** The member whose client has failed reads everything again after its reconnect. */
    private void fail(ZooKeeper client, int code) {
        List<Question> failed;
        synchronized (this) {
            failed = questions.stream()
                    .filter(question -> question.client == client)
                    .toList();
            questions.removeAll(failed);
        }
        failed.forEach(
                question -> question.answer.completeExceptionally(new IllegalStateException("" + Code.get(code))));
    }

    private void next() {
        ZooKeeper client;
        synchronized (this) {
            if (questions.isEmpty()) {
                reading = false;
                return;
            }
            client = questions.getFirst().client;
        }
        read(client);
    }

    /** Returns a value for a set of nodes that is cheap to keep up to date: the sum of the values of its elements. */
    static long sum(Collection<String> nodes) {
        return nodes.stream().mapToLong(LightViews::value).sum();
    }

    /** Returns the value of a node. */
    static long value(String node) {
        long hash = 1125899906842597L;
        for (int i = 0; i < node.length(); i++) {
            hash = 31 * hash + node.charAt(i);
        }
        return hash;
    }

    /**
     * An established view.
     *
     * @param number its number, 0 before the first view
     * @param nodes the member nodes
     * @param sum the sum of the nodes
     */
    record View(long number, Set<String> nodes, long sum) {
        static final View NONE = new View(0, Set.of(), 0);

        private static View of(byte[] data) throws Unreadable {
            EstablishedView view = Codecs.CURRENT.views().readView(data);
            Set<String> nodes = view.members().stream().map(Incarnation::node).collect(Collectors.toUnmodifiableSet());
            return new View(view.number(), nodes, LightViews.sum(nodes));
        }
    }

    private record Question(long number, ZooKeeper client, CompletableFuture<Optional<View>> answer) {}
}
