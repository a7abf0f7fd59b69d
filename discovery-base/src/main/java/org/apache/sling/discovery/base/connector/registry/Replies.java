// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.connector.registry;

import java.util.List;
import java.util.Optional;
import org.apache.sling.discovery.base.connector.registry.ConnectorContent.Verdict;
import org.apache.sling.discovery.base.connector.registry.ConnectorContent.Verdict.Kind;
import org.apache.sling.discovery.base.connector.wire.AnnouncedCluster;
import org.apache.sling.discovery.base.connector.wire.Announcement;

/** Decides about the replies to pings of this instance, and registers them. Guarded by the lock of the registry. */
final class Replies {
    private final String ownId;
    private final KnownClusters known;
    private final LoopRules rules;
    private final HeldAnnouncements held;
    private final Succession succession;

    Replies(String ownId, KnownClusters known, LoopRules rules, HeldAnnouncements held, Succession succession) {
        this.ownId = ownId;
        this.known = known;
        this.rules = rules;
        this.held = held;
        this.succession = succession;
    }

    /** Takes a reply in place of what the connector brought before. */
    Verdict take(String connector, Announcement reply) {
        Optional<HeldAnnouncement> before = held.ofConnector(connector);
        held.removeConnector(connector);
        boolean registered = before.filter(
                        each -> held.lasts(each) && each.ownerId().equals(reply.ownerId()))
                .isPresent();
        return refusal(reply, registered).orElseGet(() -> inherit(connector, reply, before));
    }

    private Optional<Verdict> refusal(Announcement reply, boolean registered) {
        String owner = reply.ownerId();
        if (owner.equals(ownId)) {
            return refused(Kind.OWN, reply, "the connector leads back to this instance");
        }
        if (reply.loop()) {
            long backoff = rules.isKnown(owner, held.all()) ? reply.backoffSeconds() : 0;
            return refused(
                    Kind.LOOP, reply.withBackoff(backoff), "the peer " + owner + " knows this cluster in another way");
        }
        if (known.isLocal(reply)) {
            return refused(Kind.LOOP, reply, "the peer " + owner + " is in the own cluster");
        }
        return reply.registrationProblem()
                .map(problem -> "the reply cannot be used: " + problem)
                .or(() -> alternativeRoute(reply, registered))
                .flatMap(sentence -> refused(Kind.LOOP, reply, sentence));
    }

    private static Optional<Verdict> refused(Kind kind, Announcement reply, String sentence) {
        return Optional.of(new Verdict(kind, sentence, reply.backoffSeconds(), 0));
    }

    private Optional<String> alternativeRoute(Announcement reply, boolean registered) {
        List<HeldAnnouncement> ending = endingIncoming(reply);
        return rules.findAlternativeRoute(
                reply.ownerId(),
                reply.cluster().orElseThrow(),
                held.all().filter(each -> !ending.contains(each)).toList(),
                registered,
                true);
    }

    /** Returns the connectors of a peer's cluster to this one that end because that of this side goes on. */
    private List<HeldAnnouncement> endingIncoming(Announcement reply) {
        AnnouncedCluster cluster = reply.cluster().orElseThrow();
        return rules.isPingingSide(cluster)
                ? held.incoming().stream()
                        .filter(each -> each.cluster().id().equals(cluster.id()) && each.lists(reply.ownerId()))
                        .toList()
                : List.of();
    }

    private Verdict inherit(String connector, Announcement reply, Optional<HeldAnnouncement> before) {
        held.remove(endingIncoming(reply));
        succession.replaceOthers(reply, "");
        HeldAnnouncement next = held.next(before, known.withoutLocal(reply).asInherited(true));
        held.inherit(connector, next, reply.backoffSeconds());
        return new Verdict(
                Kind.ACCEPTED, "the peer " + reply.ownerId() + " replied", reply.backoffSeconds(), next.expiresAt);
    }
}
