// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.zk;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import org.apache.sling.discovery.commons.spi.Outcome;
import org.apache.sling.discovery.commons.spi.Request;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.data.Stat;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Sends the requests of the instance and sees to it that each is replied exactly once, behind the changes before it. */
final class Requests {
    private static final Logger LOG = LoggerFactory.getLogger(Requests.class);
    private static final byte[] NOTHING = new byte[0];

    private final Paths paths;
    private final Replica replica;
    private final Teller teller;
    private final Acknowledging acknowledging;
    private final Publishing publishing;
    private final Set<Ticket> pending = new LinkedHashSet<>();

    Requests(Paths paths, Replica replica, Teller teller) {
        this.paths = paths;
        this.replica = replica;
        this.teller = teller;
        this.acknowledging = new Acknowledging(paths);
        this.publishing = new Publishing(paths, replica.history());
    }

    /** Replies all that is under way with unknown outcome: the connection is lost. */
    void interrupted() {
        List<Ticket> lost = new ArrayList<>(pending);
        pending.clear();
        lost.forEach(ticket -> teller.replied(
                ticket.request, Outcome.unknown("The connection to ZooKeeper was lost before it replied.")));
    }

    /** Forgets what the ended session owned. */
    void sessionEnded() {
        acknowledging.forget();
    }

    void send(Request request) {
        if (!replica.isUsable()) {
            teller.replied(request, Outcome.unknown("There is no usable connection to ZooKeeper."));
            return;
        }
        Ticket ticket = new Ticket(request);
        pending.add(ticket);
        try {
            start(request).whenComplete((done, thrown) -> {
                if (thrown == null) {
                    reply(ticket, Outcome.DONE);
                } else {
                    failed(ticket, Failure.of(thrown));
                }
            });
        } catch (TooLarge | IllegalArgumentException e) {
            reply(ticket, Outcome.refused(e.getMessage()));
        }
    }

    private CompletableFuture<?> start(Request request) throws TooLarge {
        Handle handle = replica.handle();
        if (request instanceof Request.Create create) {
            return handle.create(
                    paths.newMember(ThreadLocalRandom.current().nextLong()),
                    MemberCodec.write(create.record()),
                    CreateMode.EPHEMERAL_SEQUENTIAL);
        } else if (request instanceof Request.Update update) {
            return handle.write(paths.member(update.node()), MemberCodec.write(update.record()), -1);
        } else if (request instanceof Request.Delete delete) {
            return delete(handle, delete.node());
        } else if (request instanceof Request.Acknowledge acknowledge) {
            return acknowledging.acknowledge(handle, acknowledge);
        } else if (request instanceof Request.Publish publish) {
            return publishing.publish(handle, publish).thenRun(replica::listHistory);
        } else if (request instanceof Request.Confirm confirm) {
            return confirm.write() ? renew(handle) : compare(handle);
        }
        throw new IllegalArgumentException("unknown request " + request);
    }

    private CompletableFuture<Void> delete(Handle handle, String node) {
        CompletableFuture<Void> deleted = handle.delete(paths.member(node)).exceptionallyCompose(thrown -> {
            Failure failure = Failure.of(thrown);
            return failure.is(Code.NONODE)
                    ? CompletableFuture.completedFuture(null)
                    : CompletableFuture.failedFuture(failure);
        });
        acknowledging.withdraw(handle, node);
        return deleted;
    }

    /** Writes, which only a quorum can acknowledge; and only as long as the own member node is there. */
    private CompletableFuture<Void> renew(Handle handle) {
        List<Op> operations = new ArrayList<>();
        replica.tree().ownedBy(handle.session()).ifPresent(node -> operations.add(Op.check(paths.member(node), -1)));
        operations.add(Op.setData(paths.lease(), NOTHING, -1));
        return handle.transaction(operations);
    }

    /** Reads how many members there are; should that be a surprise, everything is read again before the reply. */
    private CompletableFuture<Void> compare(Handle handle) {
        CompletableFuture<Stat> stat = handle.exists(paths.members());
        return stat.thenCompose(members -> {
            CompletableFuture<Void> compared = new CompletableFuture<>();
            replica.afterChanges(() -> {
                if (members.getNumChildren() != replica.tree().size()) {
                    LOG.info("The members below {} are not those that were told; reading them again.", paths.members());
                    replica.read();
                }
                compared.complete(null);
            });
            return compared;
        });
    }

    private void failed(Ticket ticket, Failure failure) {
        if (failure.is(Code.NONODE)) {
            replica.readLater();
        }
        reply(ticket, Outcomes.of(failure));
    }

    private void reply(Ticket ticket, Outcome outcome) {
        replica.afterChanges(() -> {
            if (pending.remove(ticket)) {
                teller.replied(ticket.request, outcome);
            }
        });
    }

    private static final class Ticket {
        private final Request request;

        private Ticket(Request request) {
            this.request = request;
        }
    }
}
