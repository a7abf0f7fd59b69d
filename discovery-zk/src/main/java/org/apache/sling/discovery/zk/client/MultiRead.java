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
    private final List<Consumer<OpResult>> results = new ArrayList<>();
    private final List<CompletableFuture<?>> futures = new ArrayList<>();

    MultiRead(Session session) {
        this.session = session;
    }

    /** Adds the read of data and stat of a node. It fails with {@code NONODE} when there is none. */
    public CompletableFuture<NodeData> read(String path) {
        CompletableFuture<NodeData> future = new CompletableFuture<>();
        add(Op.getData(path), future, result -> {
            OpResult.GetDataResult found = (OpResult.GetDataResult) result;
            future.complete(new NodeData(found.getData(), found.getStat()));
        });
        return future;
    }

    /** Adds the listing of the names of the children, in no particular order. It fails with {@code NONODE} when the node is missing. */
    public CompletableFuture<List<String>> list(String path) {
        CompletableFuture<List<String>> future = new CompletableFuture<>();
        add(
                Op.getChildren(path),
                future,
                result -> future.complete(((OpResult.GetChildrenResult) result).getChildren()));
        return future;
    }

    private void add(Op operation, CompletableFuture<?> future, Consumer<OpResult> success) {
        operations.add(operation);
        futures.add(future);
        results.add(result -> {
            if (result instanceof OpResult.ErrorResult error) {
                future.completeExceptionally(new Failure(Code.get(error.getErr()), operation.getPath()));
            } else {
                success.accept(result);
            }
        });
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
        if (operations.isEmpty()) {
            return;
        }
        session.readAll(operations).whenComplete((all, thrown) -> delivery.accept(() -> complete(all, thrown)));
    }

    private void complete(List<OpResult> all, Throwable thrown) {
        for (int i = 0; i < operations.size(); i++) {
            if (thrown == null) {
                results.get(i).accept(all.get(i));
            } else {
                futures.get(i).completeExceptionally(thrown);
            }
        }
    }
}
