// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.zk.requests;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.apache.sling.discovery.commons.spi.Outcome;
import org.apache.sling.discovery.commons.spi.Request;
import org.apache.sling.discovery.zk.cache.ClusterCache;
import org.apache.sling.discovery.zk.cache.ObserverNotifier;
import org.apache.sling.discovery.zk.client.Failure;
import org.apache.sling.discovery.zk.client.Outcomes;
import org.apache.sling.discovery.zk.client.Session;
import org.apache.sling.discovery.zk.tree.Codecs;
import org.apache.sling.discovery.zk.tree.Paths;
import org.apache.sling.discovery.zk.tree.TooLarge;
import org.apache.zookeeper.KeeperException.Code;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Sends the requests of the instance and sees to it that each is replied exactly once, behind the changes before it. */
public final class Requests {
    private static final Logger LOG = LoggerFactory.getLogger(Requests.class);

    private final Paths paths;
    private final Codecs codecs;
    private final ClusterCache replica;
    private final ObserverNotifier teller;
    private final MemberCreator announcing;
    private final AcknowledgementWriter acknowledging;
    private final ViewPublisher publishing;
    private final MemberDeleter departing;
    private final StoreProber probing;
    private final Set<Ticket> pending = new LinkedHashSet<>();

    public Requests(Paths paths, Codecs codecs, ClusterCache replica, ObserverNotifier teller) {
        this.paths = paths;
        this.codecs = codecs;
        this.replica = replica;
        this.teller = teller;
        this.announcing = new MemberCreator(paths, codecs, replica);
        this.acknowledging = new AcknowledgementWriter(paths);
        this.publishing = new ViewPublisher(paths, codecs, replica);
        this.departing = new MemberDeleter(paths);
        this.probing = new StoreProber(paths, replica);
    }

    /** Replies all that is under way with unknown outcome: the connection is lost. */
    public void interrupted() {
        List<Ticket> lost = new ArrayList<>(pending);
        pending.clear();
        lost.forEach(ticket -> teller.replied(
                ticket.request, Outcome.unknown("The connection to ZooKeeper was lost before it replied.")));
    }

    /** Forgets what the ended session owned. */
    public void sessionEnded() {
        acknowledging.forget();
        replica.ownNodes().clear();
    }

    public void send(Request request) {
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
        } catch (TooLarge e) {
            reply(ticket, Outcome.refused(e.getMessage()));
        } catch (RuntimeException e) {
            LOG.error("Unexpected failure while sending a request to ZooKeeper", e);
            reply(ticket, Outcome.refused("The request could not be sent: " + e));
        }
    }

    private CompletableFuture<?> start(Request request) throws TooLarge {
        Session handle = replica.handle();
        if (request instanceof Request.Create create) {
            return announcing.create(create.record());
        } else if (request instanceof Request.Update update) {
            return handle.write(paths.member(update.node()), codecs.members().write(update.record()), -1);
        } else if (request instanceof Request.Delete delete) {
            CompletableFuture<Void> deleted =
                    departing.delete(handle, delete.note(), replica.tree().view());
            replica.ownNodes().remove(delete.node());
            acknowledging.withdraw(handle, delete.node());
            return deleted;
        } else if (request instanceof Request.Acknowledge acknowledge) {
            return acknowledging.acknowledge(handle, acknowledge);
        } else if (request instanceof Request.Publish publish) {
            return publishing.publish(handle, publish).thenRun(() -> removeUnknown(handle, publish));
        } else if (request instanceof Request.Renew renew) {
            return LeaseRenewer.renew(handle, paths, renew);
        } else if (request instanceof Request.ProbeLease) {
            return probing.probeLease(handle);
        } else if (request instanceof Request.Probe) {
            return probing.confirm(handle);
        }
        throw new IllegalArgumentException("unknown request " + request);
    }

    private void removeUnknown(Session handle, Request.Publish published) {
        if (replica.isUsable()) {
            departing.removeUnknown(
                    handle,
                    probing.unknownNotes(),
                    published.next(),
                    replica.tree().snapshot(0));
        }
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
