// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.zk.requests;

import io.github.discoveryzk.report.Concern;
import io.github.discoveryzk.spi.Outcome;
import io.github.discoveryzk.spi.Request;
import io.github.discoveryzk.zk.cache.ClusterCache;
import io.github.discoveryzk.zk.cache.ObserverNotifier;
import io.github.discoveryzk.zk.client.Failure;
import io.github.discoveryzk.zk.client.Session;
import io.github.discoveryzk.zk.tree.Codecs;
import io.github.discoveryzk.zk.tree.Paths;
import io.github.discoveryzk.zk.tree.TooLarge;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.apache.zookeeper.KeeperException.Code;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Sends the requests of the instance, and completes each exactly once, after the changes that came before its outcome. */
public final class Requests {
    private static final Logger LOG = LoggerFactory.getLogger(Requests.class);

    private final ClusterCache cache;
    private final ObserverNotifier notifier;
    private final MemberWriter members;
    private final ViewPublisher views;
    private final StoreProber prober;

    /** The requests without an outcome; the same request may be sent again when its reply is lost. */
    private final Map<Object, Request> pending = new LinkedHashMap<>();

    public Requests(Paths paths, Codecs codecs, ClusterCache cache, ObserverNotifier notifier) {
        this.cache = cache;
        this.notifier = notifier;
        this.members = new MemberWriter(paths, codecs, cache);
        this.views = new ViewPublisher(paths, cache);
        this.prober = new StoreProber(paths, cache);
    }

    /** Completes all pending requests with an unknown outcome: the connection is lost. */
    public void failPending() {
        List<Request> lost = List.copyOf(pending.values());
        pending.clear();
        lost.forEach(request -> notifier.notifyOutcome(
                request, Outcome.unknown("The connection to ZooKeeper was lost before it replied.")));
    }

    /** Forgets the nodes of the ended session. */
    public void forgetSession() {
        members.forgetSession();
    }

    /** Sends a request, on the store's thread. Without a usable connection its outcome is UNKNOWN immediately. */
    public void send(Request request) {
        if (!cache.isUsable()) {
            notifier.notifyOutcome(request, Outcome.unknown("There is no usable connection to ZooKeeper."));
            return;
        }
        Object ticket = new Object();
        pending.put(ticket, request);
        try {
            start(request).whenComplete((done, thrown) -> {
                if (thrown == null) {
                    complete(ticket, Outcome.DONE);
                } else {
                    handleFailure(ticket, Failure.of(thrown));
                }
            });
        } catch (TooLarge e) {
            complete(ticket, Outcome.rejected(Concern.PAYLOAD, e.getMessage()));
        } catch (RuntimeException e) {
            LOG.error("Unexpected failure while sending a request to ZooKeeper", e);
            complete(ticket, Outcome.rejected("The request could not be sent: " + e));
        }
    }

    private CompletableFuture<?> start(Request request) throws TooLarge {
        Session session = cache.session();
        if (request instanceof Request.Announce announce) {
            return members.announce(announce.record());
        } else if (request instanceof Request.Update update) {
            return members.update(session, update);
        } else if (request instanceof Request.Delete delete) {
            return members.delete(session, delete.leaveRecord());
        } else if (request instanceof Request.Acknowledge acknowledge) {
            return members.acknowledge(session, acknowledge);
        } else if (request instanceof Request.Publish publish) {
            return views.publish(session, publish).thenRun(() -> {
                if (cache.isUsable()) {
                    prober.removeUnknown(session, publish.next());
                }
            });
        } else if (request instanceof Request.Renew renew) {
            return views.renew(session, renew);
        } else if (request instanceof Request.ProbeLease) {
            return prober.probeLease(session);
        } else if (request instanceof Request.Probe) {
            return prober.probe(session);
        } else if (request instanceof Request.Suspect suspect) {
            return members.suspect(session, suspect.suspicion());
        } else if (request instanceof Request.Refute refute) {
            return members.remove(session, refute.suspicion());
        } else if (request instanceof Request.Withdraw withdraw) {
            return members.remove(session, withdraw.suspicion());
        } else if (request instanceof Request.Convict convict) {
            return members.convict(session, convict);
        }
        throw new IllegalArgumentException("unknown request " + request);
    }

    private void handleFailure(Object ticket, Failure failure) {
        Request request = pending.get(ticket);
        if (failure.is(Code.NONODE) && !(request instanceof Request.Suspect || request instanceof Request.Convict)) {
            cache.schedule().readLater();
        }
        complete(ticket, failure.outcome());
    }

    private void complete(Object ticket, Outcome outcome) {
        cache.updates().afterUpdates(() -> {
            Request request = pending.remove(ticket);
            if (request != null) {
                notifier.notifyOutcome(request, outcome);
            }
        });
    }
}
