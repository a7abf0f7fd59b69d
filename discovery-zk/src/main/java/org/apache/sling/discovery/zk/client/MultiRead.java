// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.zk.client;

import java.util.ArrayList;
import java.util.List;
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

    MultiRead(Session session) {
        this.session = session;
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

    /**
     * Sends the reads that were added; nothing when there are none.
     *
     * @param delivery runs what completes all futures
     */
    public void send(Consumer<Runnable> delivery) {
        if (!operations.isEmpty()) {
            session.readAll(operations).whenComplete((all, thrown) -> delivery.accept(() -> complete(all, thrown)));
        }
    }

    private void complete(List<OpResult> all, Throwable thrown) {
        for (int i = 0; i < operations.size(); i++) {
            if (thrown != null) {
                replies.get(i).completeExceptionally(thrown);
            } else if (all.get(i) instanceof OpResult.ErrorResult error) {
                replies.get(i)
                        .completeExceptionally(new Failure(
                                Code.get(error.getErr()), operations.get(i).getPath()));
            } else {
                replies.get(i).complete(all.get(i));
            }
        }
    }
}
