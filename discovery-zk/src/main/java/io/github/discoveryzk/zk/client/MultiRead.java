// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.zk.client;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.OpResult;

/**
 * Reads that are sent in one packet and answered in one, as of one instant. Each read has its own future: the failure of one is not the
 * failure of the others, unless the connection is lost. A future that fails has a {@link Failure}.
 */
public final class MultiRead {
    /** The most reads of one packet, so that a reply stays small enough for server and client. */
    public static final int LIMIT = 100;

    private final Session session;
    private final List<Op> operations = new ArrayList<>();
    private final List<CompletableFuture<OpResult>> replies = new ArrayList<>();

    public MultiRead(Session session) {
        this.session = session;
    }

    /**
     * Reads data and stat of many nodes, {@link #LIMIT} in one packet, and of a single one by the simplest request.
     *
     * @param delivery runs what completes the futures of one packet
     */
    public static Map<String, CompletableFuture<NodeData>> readAll(
            Session session, Collection<String> paths, Consumer<Runnable> delivery) {
        Map<String, CompletableFuture<NodeData>> all = new LinkedHashMap<>();
        MultiRead reads = new MultiRead(session);
        for (String path : paths) {
            all.put(path, paths.size() == 1 ? session.read(path) : reads.read(path));
            if (reads.operations.size() == LIMIT) {
                reads.send(delivery);
                reads = new MultiRead(session);
            }
        }
        reads.send(delivery);
        return all;
    }

    /** Adds the read of data and stat of a node. It fails with {@code NONODE} when there is none. */
    public CompletableFuture<NodeData> read(String path) {
        return add(Op.getData(path)).thenApply(result -> {
            OpResult.GetDataResult found = (OpResult.GetDataResult) result;
            return new NodeData(found.getData(), found.getStat());
        });
    }

    /** Adds the listing of the names of the children, in no particular order. It fails with {@code NONODE} when the node is missing. */
    public CompletableFuture<List<String>> list(String path) {
        return add(Op.getChildren(path)).thenApply(result -> ((OpResult.GetChildrenResult) result).getChildren());
    }

    private CompletableFuture<OpResult> add(Op operation) {
        CompletableFuture<OpResult> reply = new CompletableFuture<>();
        operations.add(operation);
        replies.add(reply);
        return reply;
    }

    /** Sends the reads that were added; nothing when there are none. */
    public void send() {
        send(Runnable::run);
    }

    private void send(Consumer<Runnable> delivery) {
        if (!operations.isEmpty()) {
            session.readAll(operations).whenComplete((all, thrown) -> delivery.accept(() -> complete(all, thrown)));
        }
    }

    private void complete(List<OpResult> all, Throwable thrown) {
        for (int i = 0; i < operations.size(); i++) {
            CompletableFuture<OpResult> reply = replies.get(i);
            if (thrown != null) {
                reply.completeExceptionally(thrown);
            } else if (all.get(i) instanceof OpResult.ErrorResult error) {
                reply.completeExceptionally(
                        new Failure(Code.get(error.getErr()), operations.get(i).getPath()));
            } else {
                reply.complete(all.get(i));
            }
        }
    }
}
