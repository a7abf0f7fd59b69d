// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.zk.requests;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.apache.sling.discovery.commons.model.Acknowledgement;
import org.apache.sling.discovery.commons.spi.Request;
import org.apache.sling.discovery.zk.client.Failure;
import org.apache.sling.discovery.zk.client.Session;
import org.apache.sling.discovery.zk.tree.AcknowledgementName;
import org.apache.sling.discovery.zk.tree.Paths;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.ZooDefs.Ids;

/** Replaces the acknowledgement of this instance by the next one, normally in one transaction and without a read. */
final class AcknowledgementWriter {
    private static final int ATTEMPTS = 5;

    private final Paths paths;
    private Optional<String> last = Optional.empty();

    AcknowledgementWriter(Paths paths) {
        this.paths = paths;
    }

    /** Forgets the last acknowledgement: it has gone with its session. */
    void reset() {
        last = Optional.empty();
    }

    /** Deletes the acknowledgement of a member node that is being deleted. */
    void delete(Session session, String node) {
        if (last.isPresent() && last.get().endsWith(AcknowledgementName.suffix(node))) {
            session.delete(paths.ack(last.get()));
            reset();
        }
    }

    CompletableFuture<Void> acknowledge(Session session, Request.Acknowledge request) {
        String name = AcknowledgementName.of(new Acknowledgement(request.node(), request.number()));
        Optional<String> previous = last;
        last = Optional.of(name);
        if (previous.equals(last)) {
            return repair(session, request.node(), name, ATTEMPTS);
        }
        List<Op> operations = new ArrayList<>();
        previous.ifPresent(old -> operations.add(Op.delete(paths.ack(old), -1)));
        operations.add(create(name));
        return repairOnConflict(session.commit(operations), session, request.node(), name, ATTEMPTS);
    }

    private CompletableFuture<Void> repair(Session session, String node, String name, int attempts) {
        return session.list(paths.acks()).thenCompose(names -> {
            List<Op> operations = new ArrayList<>();
            names.stream()
                    .filter(one -> one.endsWith(AcknowledgementName.suffix(node)) && !one.equals(name))
                    .forEach(old -> operations.add(Op.delete(paths.ack(old), -1)));
            if (!names.contains(name)) {
                operations.add(create(name));
            }
            return operations.isEmpty()
                    ? CompletableFuture.completedFuture(null)
                    : repairOnConflict(session.commit(operations), session, node, name, attempts - 1);
        });
    }

    /** Repairs after a conflict: the nodes are not as expected, because a reply was lost earlier. */
    private CompletableFuture<Void> repairOnConflict(
            CompletableFuture<Void> done, Session session, String node, String name, int attempts) {
        return done.exceptionallyCompose(thrown -> {
            Failure failure = Failure.of(thrown);
            boolean mistaken = failure.is(Code.NONODE) || failure.is(Code.NODEEXISTS);
            return mistaken && attempts > 0
                    ? repair(session, node, name, attempts)
                    : CompletableFuture.failedFuture(failure);
        });
    }

    private Op create(String name) {
        return Op.create(paths.ack(name), new byte[0], Ids.OPEN_ACL_UNSAFE, CreateMode.EPHEMERAL);
    }
}
