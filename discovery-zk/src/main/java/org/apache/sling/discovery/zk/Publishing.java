// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.zk;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.sling.discovery.commons.spi.Request;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.ZooDefs.Ids;

/**
 * Publishes a view in one transaction with its history entry and the removal of the oldest ones. Where the oldest are not
 * known, or were guessed wrong, none is removed this time: that waits for nothing and keeps requests in their order.
 */
final class Publishing {
    private static final int REMOVALS = 3;

    private final Paths paths;
    private final History history;

    Publishing(Paths paths, History history) {
        this.paths = paths;
        this.history = history;
    }

    CompletableFuture<Void> publish(Handle handle, Request.Publish request) throws TooLarge {
        byte[] view = ViewCodec.write(request.next());
        byte[] entry = ViewCodec.write(request.entry());
        if (view.length + entry.length > Payload.LIMIT) {
            throw new TooLarge("View " + request.next().number() + " of "
                    + request.next().members().size() + " members and its history entry take "
                    + (view.length + entry.length) + " bytes, but the store takes only " + Payload.LIMIT + ".");
        }
        List<Op> operations = new ArrayList<>();
        operations.add(Op.check(paths.member(request.node()), -1));
        operations.add(Op.setData(paths.view(), view, request.expectedVersion()));
        operations.add(Op.create(
                paths.historyEntry(Paths.historyName(request.next().number())),
                entry,
                Ids.OPEN_ACL_UNSAFE,
                CreateMode.PERSISTENT));
        List<Op> withRemovals = new ArrayList<>(operations);
        history.surplus().forEach(name -> withRemovals.add(Op.delete(paths.historyEntry(name), -1)));
        return handle.transaction(withRemovals).exceptionallyCompose(thrown -> {
            Failure failure = Failure.of(thrown);
            if (failure.is(Code.NONODE) && failure.index() >= REMOVALS) {
                history.forget();
                return handle.transaction(operations);
            }
            return CompletableFuture.failedFuture(failure);
        });
    }
}
