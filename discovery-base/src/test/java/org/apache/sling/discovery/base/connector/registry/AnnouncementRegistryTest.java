// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.connector.registry;

import static org.apache.sling.discovery.base.connector.registry.Told.by;
import static org.apache.sling.discovery.base.connector.registry.Told.cluster;
import static org.apache.sling.discovery.base.connector.registry.Told.owners;
import static org.apache.sling.discovery.base.connector.registry.Told.single;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.apache.sling.discovery.base.connector.registry.ConnectorContent.Verdict;
import org.apache.sling.discovery.base.connector.wire.AnnouncedCluster;
import org.apache.sling.discovery.base.connector.wire.AnnouncedInstance;
import org.apache.sling.discovery.base.connector.wire.Announcement;
import org.apache.sling.discovery.base.connector.wire.AnnouncementCodec;
import org.apache.sling.discovery.base.connector.wire.InvalidMessage;
import org.apache.sling.discovery.base.connector.wire.Weight;
import org.apache.sling.discovery.base.connector.wire.WireLimits;
import org.apache.sling.discovery.base.environment.Time;
import org.apache.sling.discovery.commons.model.Bytes;
import org.apache.sling.discovery.commons.model.RemoteCluster;
import org.apache.sling.discovery.commons.model.RemoteCluster.RemoteInstance;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class AnnouncementRegistryTest {

    private static final AnnouncementCodec CODEC = new AnnouncementCodec(WireLimits.DEFAULT);

    /** Returns what is shared of an owner as text. */
    private static String text(AnnouncementRegistry of, String owner) {
        try {
            return CODEC.write(CODEC.unpack(of.held().get(owner).stream(), true, Long.MAX_VALUE));
        } catch (InvalidMessage e) {
            throw new IllegalStateException(e);
        }
    }

    private static final AnnouncedCluster B = cluster("b", "b1", "b2");

    private long now = 1_000_000;
    private boolean current = true;
    private int changes;
    private final AnnouncementRegistry registry = registry(Timing.DEFAULT, false);

    private AnnouncementRegistry registry(Timing timing, boolean signed) {
        return new AnnouncementRegistry(
                "b1", "host:8080", timing, signed, new Time(() -> now, () -> now + 7), () -> changes++);
    }

    private AnnouncementRegistry small(long maxBytes) {
        AnnouncementRegistry small = new AnnouncementRegistry(
                "b1",
                "",
                Timing.DEFAULT,
                false,
                new Time(() -> now, () -> now),
                () -> {},
                new Storage(maxBytes, each -> Bytes.of(CODEC.pack(each), 0)));
        small.showLocal(B, () -> true);
        return small;
    }

    @BeforeEach
    void settle() {
        registry.showLocal(B, () -> current);
    }

    private AnnouncementRegistry signed() {
        AnnouncementRegistry signed = registry(Timing.DEFAULT, true);
        signed.showLocal(B, () -> true);
        return signed;
    }

    private PingOutcome hear(Announcement ping) {
        return registry.receive(ping, "192.0.2.1", 100);
    }

    private Announcement accepted(Announcement ping) {
        PingOutcome heard = hear(ping);
        assertThat(heard.kind()).as(heard.sentence()).isEqualTo(PingOutcome.Kind.ACCEPTED);
        return heard.reply().orElseThrow();
    }

    private void refused(Announcement ping) {
        PingOutcome heard = hear(ping);
        assertThat(heard.kind()).isEqualTo(PingOutcome.Kind.LOOP);
        assertThat(heard.reply().orElseThrow().loop()).isTrue();
        assertThat(heard.reply().orElseThrow().ownerId()).isEqualTo("b1");
        assertThat(heard.reply().orElseThrow().backoffSeconds()).isEqualTo(150);
    }

    private Verdict replied(String connector, Announcement reply) {
        return registry.replied(connector, reply);
    }

    private Announcement ping(String connector) {
        return registry.ping(connector, false).orElseThrow();
    }

    private void pass(Duration time) {
        now += time.toMillis();
    }

    // What goes into a message

    @Test
    void nothingIsSaidWithoutACurrentOwnView() {
        current = false;
        assertThat(registry.ping("c", false)).isEmpty();
        assertThat(hear(single("x")).kind()).isEqualTo(PingOutcome.Kind.UNSETTLED);
        assertThat(registry.held()).isEmpty();

        current = true;
        registry.hideLocal();
        assertThat(registry.ping("c", false)).isEmpty();
        assertThat(hear(single("x")).kind()).isEqualTo(PingOutcome.Kind.UNSETTLED);
    }

    @Test
    void aPingTellsTheOwnClusterAndAllThatIsHeldByItsMembers() {
        accepted(single("x"));
        replied("d", single("y"));
        registry.showSiblings(List.of(sibling("s", "s2", "s1", "s2")));
        registry.showShared(List.of(
                shared("b2", single("z")), new SharedContent("s1", false, single("t")), shared("b9", single("gone"))));

        Announcement ping = registry.ping("c", true).orElseThrow();

        assertThat(ping.ownerId()).isEqualTo("b1");
        assertThat(ping.cluster()).contains(B);
        assertThat(ping.serverInfo()).contains("host:8080");
        assertThat(ping.resetBackoff()).isTrue();
        assertThat(ping.inherited()).isFalse();
        assertThat(ping.created()).isEqualTo(now + 8);
        assertThat(owners(ping)).containsExactly("s2", "x", "y", "z", "t");
        assertThat(ping.nested())
                .filteredOn(Announcement::inherited)
                .extracting(Announcement::ownerId)
                .containsExactly("y");
        assertThat(ping.nested()).extracting(Announcement::created).containsOnly(now + 8);
    }

    private static SharedContent shared(String holder, Announcement announcement) {
        return new SharedContent(holder, true, announcement);
    }

    private static RemoteCluster sibling(String id, String leader, String... instances) {
        return new RemoteCluster(
                id,
                List.of(instances).stream()
                        .map(each -> new RemoteInstance(each, Map.of("legal", "1", "not legal", "2")))
                        .toList(),
                leader);
    }

    @Test
    void aSiblingIsAnnouncedByItsLeaderWithTheUsableProperties() {
        registry.showSiblings(List.of(sibling("s", "s2", "s1", "s2"), sibling("not usable", "s3", "s3")));
        Announcement sibling = ping("c").nested().get(0);
        assertThat(ping("c").nested()).hasSize(1);
        assertThat(sibling.inherited()).isFalse();
        assertThat(sibling.cluster())
                .contains(new AnnouncedCluster(
                        "s",
                        List.of(
                                new AnnouncedInstance("s1", false, Map.of("legal", "1")),
                                new AnnouncedInstance("s2", true, Map.of("legal", "1")))));
    }

    @Test
    void noTwoMessagesHaveTheSameTime() {
        assertThat(ping("c").created()).isLessThan(ping("c").created());
    }

    @Test
    void aReplyLeavesOutWhatTheClusterOfTheSenderTold() {
        registry.showShared(List.of(
                shared("b2", by("a2", cluster("a", "a1", "a2"))),
                shared("b2", single("z")),
                shared("b1", single("own"))));
        Announcement reply = accepted(by("a1", cluster("a", "a1", "a2")));
        assertThat(owners(reply)).containsExactly("z");
        assertThat(reply.serverInfo()).isEmpty();
        assertThat(reply.cluster()).contains(B);
    }

    @Test
    void whatAConnectorBroughtIsNotToldOnIt() {
        replied("c", single("y"));
        assertThat(owners(ping("c"))).isEmpty();
        assertThat(owners(ping("d"))).containsExactly("y");
        accepted(single("x"));
        assertThat(owners(ping("c"))).containsExactly("x");
        assertThat(owners(ping("d"))).containsExactly("x", "y");
    }

    @Test
    void whatIsHeldTwiceIsToldOnce() {
        accepted(single("x"));
        registry.showShared(
                List.of(shared("b2", single("x")), shared("b2", single("x").asInherited(true))));
        assertThat(ping("c").nested()).extracting(Announcement::inherited).containsExactly(false, true);
    }

    // Loops

    @Test
    void aMemberOfTheOwnClusterIsALoop() {
        refused(by("b2", cluster("other", "b2")));
        refused(by("b1", cluster("other", "b1")));
        assertThat(hear(by("b2", cluster("other", "b2"))).sentence()).isEqualTo("b2 is in the own cluster");
    }

    @Test
    void whatListsAMemberOfTheOwnClusterIsALoop() {
        refused(single("x", by("b2", B)));
        refused(single("x", by("b1", B)));
        refused(single("x", by("y", cluster("y", "y", "b2"))));
        refused(by("x", cluster("x", "x", "b2")));
    }

    @Test
    void noConnectorIsAddedToARing() {
        refused(single("x", single("y", by("b2", B))));
        refused(by("a1", cluster("a", "a1"), by("c1", cluster("c", "c1"), by("b2", B))));
    }

    @Test
    void ofARingTheConnectorOfTheGreatestClusterEnds() {
        AnnouncedCluster a = cluster("a", "a1");
        AnnouncedCluster c = cluster("c", "c1");
        AnnouncedCluster d = cluster("d", "d1");
        accepted(by("a1", a));
        accepted(by("a1", a, by("c1", c, by("b2", B))));
        assertThat(text(registry, "a1")).contains("c1").doesNotContain("b2");
        registry.disconnected("a1", "192.0.2.1");

        accepted(by("c1", c));
        accepted(by("c1", c, by("d1", d, by("b2", B))));
        accepted(by("c1", c, by("a1", a, by("d1", d, by("b2", B)))));
        refused(by("c1", c, by("a1", a, by("b2", B))));
        accepted(by("d1", d));
        refused(by("d1", d, by("c1", c, by("a1", a, by("b2", B)))));
    }

    @Test
    void aRegisteredOwnerThatIsKnownInARingStaysUnlessItsClusterIsTheGreatest() {
        AnnouncedCluster a = cluster("a", "a1");
        AnnouncedCluster c = cluster("c", "c1");
        accepted(by("a1", a));
        replied("c", by("c1", c, by("a1", a)));
        accepted(by("a1", a));
        registry.forgetAll();
        accepted(by("c1", c));
        replied("a", by("a1", a, by("c1", c)));
        refused(by("c1", c));
        registry.forgetAll();

        replied("c", by("c1", c));
        accepted(by("a1", a, by("c1", c)));
        assertThat(replied("c", by("c1", c)).kind()).isEqualTo(Verdict.Kind.ACCEPTED);
        registry.forgetAll();
        replied("a", by("a1", a));
        accepted(by("a0", cluster("a0", "a0"), by("a1", a)));
        assertThat(replied("a", by("a1", a)).kind()).isEqualTo(Verdict.Kind.LOOP);
    }

    @Test
    void whatThisInstanceSaidItselfIsNoLoop() {
        accepted(single("x", by("b1", B).asInherited(true)));
        assertThat(text(registry, "x")).doesNotContain("b1");
        refused(single("x", by("b2", B).asInherited(true)));
    }

    @Test
    void anAnnouncementWithoutItsOwnerIsALoop() {
        refused(by("x", cluster("cluster-x", "other")));
        assertThat(registry.held()).isEmpty();
    }

    @Test
    void anOwnerThatIsKnownThroughAnotherOneIsALoop() {
        accepted(single("x", single("y")));
        refused(single("y"));
        assertThat(registry.held()).containsOnlyKeys("x");

        replied("c", single("p", single("q")));
        refused(single("q"));
        refused(single("p"));

        registry.showShared(List.of(shared("b2", single("r"))));
        accepted(single("r"));
    }

    @Test
    void anExpiredAnnouncementMakesNoLoop() {
        accepted(single("x", single("y")));
        pass(Duration.ofSeconds(120));
        accepted(single("y"));
    }

    @Test
    void aSenderThatBecameALoopIsForgotten() {
        accepted(single("x"));
        refused(single("x", by("b2", B)));
        assertThat(registry.held()).isEmpty();
    }

    @Test
    void anotherMemberReplacesTheOneThatItsClusterDoesNotListAnyMore() {
        accepted(by("a1", cluster("a", "a1", "a2")));
        refused(by("a2", cluster("a", "a1", "a2")));
        accepted(by("a2", cluster("a", "a2")));
        assertThat(registry.held()).containsOnlyKeys("a2");
    }

    @Test
    void noSenderAtAnotherAddressReplacesAnOwnerThatPings() {
        accepted(by("a1", cluster("a", "a1", "a2")));
        Announcement other = by("a2", cluster("a", "a2"));
        for (int i = 0; i < 10; i++) {
            assertThat(registry.receive(other, "192.0.2.2", 100).kind()).isEqualTo(PingOutcome.Kind.ACCEPTED);
            pass(Duration.ofSeconds(30));
            accepted(by("a1", cluster("a", "a1", "a2")));
            registry.expire();
        }
        assertThat(registry.held()).containsOnlyKeys("a1", "a2");
        // Four steps of back-off and the interval after it.
        pass(Duration.ofSeconds(59));
        assertThat(registry.receive(other, "192.0.2.2", 100).kind()).isEqualTo(PingOutcome.Kind.ACCEPTED);
        assertThat(registry.held()).containsOnlyKeys("a1", "a2");
        pass(Duration.ofSeconds(35));
        assertThat(registry.expire()).isGreaterThan(now);
        assertThat(registry.held()).containsOnlyKeys("a2");
    }

    @Test
    void whatAnotherMemberHoldsReplacesAnOwnerThatHasMissedAPing() {
        accepted(by("a1", cluster("a", "a1", "a2")));
        accepted(by("c1", cluster("c", "c1", "c2")));
        registry.showShared(List.of(
                shared("b2", by("a2", cluster("a", "a2"))),
                shared("b2", by("c2", cluster("c", "c2", "c1"))),
                shared("b2", by("d2", cluster("c", "d2")))));
        pass(Duration.ofMillis(59_999));
        registry.expire();
        assertThat(registry.held()).containsOnlyKeys("a1", "c1");
        pass(Duration.ofMillis(1));
        registry.expire();
        assertThat(registry.held()).containsOnlyKeys("c1");
    }

    @Test
    void aSignatureReplacesAtOnce() {
        AnnouncementRegistry signed = signed();
        signed.receive(by("a1", cluster("a", "a1", "a2")), "192.0.2.1", 100);
        signed.receive(by("a2", cluster("a", "a2")), "192.0.2.2", 100);
        assertThat(signed.held()).containsOnlyKeys("a2");
        signed.showShared(List.of(shared("b2", by("a3", cluster("a", "a3", "a4")))));
        assertThat(signed.held()).containsOnlyKeys("a2");
        signed.receive(by("a2", cluster("a", "a2", "a3")), "192.0.2.2", 100);
        signed.showShared(List.of(shared("b2", by("a3", cluster("a", "a3", "a4")))));
        assertThat(signed.held()).isEmpty();
    }

    @Test
    void whatAnotherPeerTellsEndsNoRegisteredConnectorUnlessItIsShownInstead() {
        accepted(by("w", cluster("zw", "w")));
        accepted(by("h", cluster("0", "h"), by("w", cluster("0", "w"))));
        accepted(by("w", cluster("zw", "w")));
        accepted(by("h", cluster("0", "h", "w")));
        accepted(by("w", cluster("zw", "w")));
        registry.receive(by("w2", cluster("zw", "w2", "w")), "192.0.2.2", 100);
        accepted(by("w", cluster("zw", "w")));
        assertThat(registry.held()).containsOnlyKeys("h", "w", "w2");
        accepted(by("h", cluster("0", "h"), by("w", cluster("zw", "w"))));
        refused(by("w", cluster("zw", "w")));
    }

    @Test
    void whatAPeerTellsEndsNoRegisteredConnectorToAnother() {
        assertThat(replied("c", by("w", cluster("0w", "w"))).kind()).isEqualTo(Verdict.Kind.ACCEPTED);
        accepted(by("h", cluster("0", "h"), by("w", cluster("0", "w"))));
        assertThat(replied("c", by("w", cluster("0w", "w"))).kind()).isEqualTo(Verdict.Kind.ACCEPTED);
        accepted(by("h", cluster("0", "h", "w")));
        assertThat(replied("c", by("w", cluster("0w", "w"))).kind()).isEqualTo(Verdict.Kind.ACCEPTED);
    }

    @Test
    void anotherClusterReplacesNothing() {
        accepted(by("a1", cluster("a", "a1", "a2")));
        refused(by("a2", cluster("other", "a2")));
        assertThat(registry.held()).containsOnlyKeys("a1");
    }

    @Test
    void aReplyOfAPeerThatIsKnownInAnotherWayIsALoop() {
        accepted(by("a1", cluster("a", "a1", "a2")));
        assertThat(replied("c", by("a1", cluster("z", "a1"))).kind()).isEqualTo(Verdict.Kind.LOOP);
        replied("c", single("p", single("q")));
        assertThat(replied("d", single("q")).kind()).isEqualTo(Verdict.Kind.LOOP);
        assertThat(replied("c", single("p")).kind()).isEqualTo(Verdict.Kind.ACCEPTED);
        assertThat(replied("d", by("b2", cluster("z", "b2"))).kind()).isEqualTo(Verdict.Kind.LOOP);
        assertThat(replied("d", by("z", cluster("z", "other"))).kind()).isEqualTo(Verdict.Kind.LOOP);
        Verdict standby = replied("d", Announcement.loop("p", 1, 77));
        assertThat(standby.kind()).isEqualTo(Verdict.Kind.LOOP);
        assertThat(standby.backoffSeconds()).isEqualTo(77);
    }

    @Test
    void aReplyOfThisInstanceIsTold() {
        assertThat(replied("c", Announcement.loop("b1", 1, 150)).kind()).isEqualTo(Verdict.Kind.OWN);
    }

    @Test
    void aReplyReplacesTheOneBefore() {
        replied("c", single("y"));
        assertThat(replied("c", single("z")).kind()).isEqualTo(Verdict.Kind.ACCEPTED);
        assertThat(registry.held()).containsOnlyKeys("z");
        replied("c", Announcement.loop("z", 1, 150));
        assertThat(registry.held()).isEmpty();
    }

    @Test
    void aReplyDoesNotBringBackWhatTheOwnClusterSaid() {
        replied("c", single("y", by("b2", B, single("w")), single("z", by("b1", B))));
        assertThat(text(registry, "y"))
                .contains("cluster-z")
                .doesNotContain("b1")
                .doesNotContain("cluster-w");
    }

    @Test
    void ofTwoClustersThatPingEachOtherTheLesserOneGoesOn() {
        accepted(by("c1", cluster("c", "c1")));
        assertThat(replied("c", by("c1", cluster("c", "c1"))).kind()).isEqualTo(Verdict.Kind.ACCEPTED);
        assertThat(text(registry, "c1")).contains("\"inherited\":true");

        accepted(by("a1", cluster("a", "a1")));
        assertThat(replied("a", by("a1", cluster("a", "a1"))).kind()).isEqualTo(Verdict.Kind.LOOP);
        assertThat(text(registry, "a1")).contains("\"inherited\":false");
    }

    @Test
    void theLesserClusterLeavesOutWhatTheOtherOneBroughtToItsMembers() {
        SharedContent incoming = shared("b2", by("c1", cluster("c", "c1", "c2")));
        registry.showShared(List.of(incoming));
        assertThat(owners(ping("c"))).containsExactly("c1");
        replied("c", by("c2", cluster("c", "c1", "c2")));
        assertThat(owners(ping("c"))).isEmpty();
        assertThat(owners(ping("d"))).containsExactly("c2", "c1");

        registry.showShared(List.of(shared("b2", by("a1", cluster("a", "a1", "a2")))));
        replied("c", by("a2", cluster("a", "a1", "a2")));
        assertThat(owners(ping("c"))).containsExactly("a1");
    }

    @Test
    void ofTwoClientsOfOnePeerTheOneWithTheLesserIdGoesOn() {
        Announcement other = by("c1", cluster("c", "c1", "c2")).asInherited(true);
        replied("c", by("c2", cluster("c", "c1", "c2")));
        registry.showShared(List.of(shared("b2", other)));
        assertThat(owners(ping("c"))).isEmpty();
        registry.showLocal(cluster("b", "b0", "b1"), () -> true);
        registry.showShared(List.of(shared("b0", other)));
        assertThat(owners(ping("c"))).containsExactly("c1");
    }

    // Time

    @Test
    void theStableBackoffGrowsWithTheTimeWithoutChanges() {
        assertThat(accepted(single("x")).backoffSeconds()).isZero();
        pass(Duration.ofSeconds(119));
        assertThat(accepted(single("x")).backoffSeconds()).isZero();
        pass(Duration.ofSeconds(1));
        assertThat(accepted(single("x")).backoffSeconds()).isEqualTo(30);
        pass(Duration.ofSeconds(119));
        assertThat(accepted(single("x")).backoffSeconds()).isEqualTo(30);
        pass(Duration.ofSeconds(1));
        assertThat(accepted(single("x")).backoffSeconds()).isEqualTo(60);
        for (int i = 0; i < 10; i++) {
            pass(Duration.ofSeconds(119));
            accepted(single("x"));
        }
        assertThat(accepted(single("x")).backoffSeconds()).isEqualTo(150);
        assertThat(accepted(single("x", single("y"))).backoffSeconds()).isZero();
    }

    @Test
    void aResetBeginsTheBackoffAgainAndIsNoChange() {
        accepted(single("x"));
        int before = changes;
        pass(Duration.ofSeconds(119));
        assertThat(accepted(single("x").withResetBackoff(true)).backoffSeconds())
                .isZero();
        pass(Duration.ofSeconds(1));
        assertThat(accepted(single("x")).backoffSeconds()).isZero();
        pass(Duration.ofSeconds(119));
        assertThat(accepted(single("x")).backoffSeconds()).isEqualTo(30);
        assertThat(changes).isEqualTo(before);
    }

    @Test
    void whatIsTheSameIsNotWrittenAgain() {
        accepted(single("x", single("y").withBackoff(30)));
        replied("c", single("p"));
        assertThat(changes).isEqualTo(2);
        Map<String, Bytes> held = registry.held();
        pass(Duration.ofSeconds(30));
        accepted(single("x", single("y").stamped(9)).stamped(9));
        replied("c", single("p").withBackoff(60).stamped(9));
        assertThat(changes).isEqualTo(2);
        assertThat(registry.held()).isEqualTo(held);
        accepted(single("x"));
        assertThat(changes).isEqualTo(3);
    }

    @Test
    void anIncomingAnnouncementExpiresAfterTheTimeout() {
        accepted(single("x"));
        long first = now;
        assertThat(registry.expire()).isEqualTo(first + 120_000);
        pass(Duration.ofMillis(119_999));
        assertThat(registry.expire()).isEqualTo(first + 120_000);
        assertThat(changes).isEqualTo(1);
        pass(Duration.ofMillis(1));
        assertThat(registry.expire()).isEqualTo(Long.MAX_VALUE);
        assertThat(registry.held()).isEmpty();
        assertThat(registry.incoming()).isEmpty();
        assertThat(changes).isEqualTo(2);
    }

    @Test
    void anIncomingAnnouncementIsKeptLongerInBackoff() {
        accepted(single("x"));
        for (int i = 0; i < 6; i++) {
            pass(Duration.ofSeconds(119));
            accepted(single("x"));
        }
        assertThat(registry.expire()).isEqualTo(now + 240_000);
    }

    @Test
    void anExpiryThatComesSoonerIsTold() {
        accepted(single("x"));
        for (int i = 0; i < 6; i++) {
            pass(Duration.ofSeconds(119));
            accepted(single("x"));
        }
        assertThat(registry.expire()).isEqualTo(now + 240_000);
        int before = changes;
        pass(Duration.ofSeconds(30));
        accepted(single("x").withResetBackoff(true));
        assertThat(changes).isEqualTo(before + 1);
        assertThat(registry.expire()).isEqualTo(now + 120_000);
        pass(Duration.ofSeconds(30));
        accepted(single("x"));
        assertThat(changes).isEqualTo(before + 1);
    }

    @Test
    void aReplyExpiresByTheBackoffOfTheServer() {
        Verdict first = replied("c", single("y"));
        assertThat(first.kind()).isEqualTo(Verdict.Kind.ACCEPTED);
        assertThat(first.expiresAt()).isEqualTo(now + 120_000);
        assertThat(first.backoffSeconds()).isZero();
        Verdict slow = replied("c", single("y").withBackoff(150));
        assertThat(slow.expiresAt()).isEqualTo(now + 240_000);
        assertThat(slow.backoffSeconds()).isEqualTo(150);
        pass(Duration.ofSeconds(240));
        assertThat(ping("c").nested()).isEmpty();
        assertThat(registry.expire()).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void whatIsSharedTellsHowLongAPeerMayBeSilent() {
        accepted(single("x"));
        assertThat(text(registry, "x")).contains("\"backoffInterval\":180");
        registry.showShared(List.of(shared("b2", single("y").withBackoff(180))));
        assertThat(ping("c").nested()).hasSize(2).allSatisfy(each -> assertThat(each.backoffSeconds())
                .isZero());
    }

    @Test
    void aPeerThatIsNotKnownInAnotherWayIsAskedAtTheInterval() {
        assertThat(replied("c", Announcement.loop("p", 1, 77)).backoffSeconds()).isZero();
        registry.showShared(List.of(shared("b2", single("q", single("p")))));
        assertThat(replied("c", Announcement.loop("p", 1, 77)).backoffSeconds()).isEqualTo(77);
        assertThat(replied("c", Announcement.loop("b2", 1, 77)).backoffSeconds())
                .isEqualTo(77);
        assertThat(replied("c", Announcement.loop("s2", 1, 77)).backoffSeconds())
                .isZero();
        registry.showSiblings(List.of(sibling("s", "s1", "s1", "s2")));
        assertThat(replied("c", Announcement.loop("s2", 1, 77)).backoffSeconds())
                .isEqualTo(77);
    }

    @Test
    void factorsOfOneOrLessGiveNoBackoffForStandby() {
        AnnouncementRegistry plain = registry(new Timing(Duration.ofSeconds(30), Duration.ofSeconds(120), 1, 0), false);
        plain.showLocal(B, () -> true);
        Announcement loop = plain.receive(by("b2", B), "", 0).reply().orElseThrow();
        assertThat(loop.backoffSeconds()).isZero();
        plain.receive(single("x"), "", 0);
        pass(Duration.ofSeconds(119));
        plain.receive(single("x"), "", 0);
        pass(Duration.ofSeconds(119));
        assertThat(plain.receive(single("x"), "", 0).reply().orElseThrow().backoffSeconds())
                .isZero();
    }

    @Test
    void whatEndsIsForgotten() {
        accepted(single("x"));
        accepted(single("x2"));
        replied("c", single("y"));
        registry.disconnected("x", "192.0.2.1");
        registry.disconnected("unknown", "192.0.2.1");
        assertThat(registry.held()).containsOnlyKeys("x2", "y");
        registry.forget("c");
        assertThat(registry.held()).containsOnlyKeys("x2");
        registry.forgetAll();
        assertThat(registry.held()).isEmpty();
        assertThat(changes).isEqualTo(6);
    }

    @Test
    void aClusterWithoutLeaderIsKeptWithItsFirstInstanceAsLeader() {
        AnnouncedCluster leaderless = new AnnouncedCluster(
                "x",
                List.of(new AnnouncedInstance("x", false, Map.of()), new AnnouncedInstance("x2", false, Map.of())));
        accepted(by("x", leaderless));
        assertThat(ping("c")
                        .nested()
                        .get(0)
                        .cluster()
                        .orElseThrow()
                        .leader()
                        .orElseThrow()
                        .id())
                .isEqualTo("x");
    }

    @Test
    void theNumberOfIncomingConnectorsIsLimited() {
        IntStream.range(0, AnnouncementRegistry.MAX_INCOMING).forEach(i -> accepted(single("x" + i)));
        assertThat(hear(single("more")).kind()).isEqualTo(PingOutcome.Kind.FULL);
        accepted(single("x0"));
    }

    @Test
    void anAnnouncementThatTakesTooMuchMemoryIsKeptWithoutProperties() {
        AnnouncementRegistry small = small(Weight.of(single("x")) - 1);
        for (int i = 0; i < 2; i++) {
            assertThat(small.receive(single("x"), "", 0).kind()).isEqualTo(PingOutcome.Kind.ACCEPTED);
            assertThat(small.announcements().values())
                    .containsExactly(single("x").content().withoutProperties());
            assertThat(small.problems())
                    .singleElement()
                    .asString()
                    .contains("announcement of x", "without the properties");
        }
    }

    @Test
    void theLengthOfIncomingAnnouncementsIsLimited() {
        AnnouncementRegistry small = small(4 * Weight.of(single("x")));
        for (String id : List.of("x", "y", "z")) {
            assertThat(small.receive(single(id), "", 0).kind()).isEqualTo(PingOutcome.Kind.ACCEPTED);
        }
        Map<String, Bytes> held = small.held();
        assertThat(small.receive(single("more", single("nested")), "", 0).kind())
                .isEqualTo(PingOutcome.Kind.FULL);
        assertThat(small.receive(single("x", single("x1"), single("x2"), single("x3")), "", 0)
                        .kind())
                .isEqualTo(PingOutcome.Kind.FULL);
        assertThat(small.held()).isEqualTo(held);
        assertThat(small.receive(single("x"), "", 0).kind()).isEqualTo(PingOutcome.Kind.ACCEPTED);
        small.disconnected("x", "");
        assertThat(small.receive(single("x4"), "", 0).kind()).isEqualTo(PingOutcome.Kind.ACCEPTED);
    }

    @Test
    void withoutSignaturesAnOwnerBelongsToItsAddressUntilItMissesAPing() {
        accepted(single("x"));
        Map<String, Bytes> held = registry.held();
        // Also what would be answered with a loop announcement, which forgets what is held.
        for (Announcement forged : List.of(single("x", single("y")), by("x", B), single("x"))) {
            PingOutcome heard = registry.receive(forged, "192.0.2.2", 100);
            assertThat(heard.kind()).isEqualTo(PingOutcome.Kind.ELSEWHERE);
            assertThat(heard.reply()).isEmpty();
        }
        assertThat(registry.disconnected("x", "192.0.2.2")).isFalse();
        assertThat(registry.held()).isEqualTo(held);
        pass(Duration.ofMillis(59_999));
        assertThat(registry.receive(single("x"), "192.0.2.2", 100).kind()).isEqualTo(PingOutcome.Kind.ELSEWHERE);
        pass(Duration.ofMillis(1));
        assertThat(registry.receive(single("x"), "192.0.2.2", 100).kind())
                .as("a ping is overdue")
                .isEqualTo(PingOutcome.Kind.ACCEPTED);
        assertThat(registry.disconnected("x", "192.0.2.2")).isTrue();
        accepted(single("x"));
    }

    @Test
    void aSignatureProvesTheOwnerFromAnyAddress() {
        AnnouncementRegistry signed = signed();
        assertThat(signed.receive(single("x"), "192.0.2.1", 0).kind()).isEqualTo(PingOutcome.Kind.ACCEPTED);
        assertThat(signed.receive(single("x"), "192.0.2.2", 0).kind()).isEqualTo(PingOutcome.Kind.ACCEPTED);
        assertThat(signed.disconnected("x", "192.0.2.3")).isTrue();
        assertThat(signed.held()).isEmpty();
    }

    @Test
    void theReportShowsWhoPings() {
        accepted(single("x").withServerInfo("x:80"));
        long first = now;
        pass(Duration.ofSeconds(10));
        accepted(single("x", single("y")).withServerInfo("x:80"));
        registry.sent("x", 50);
        assertThat(registry.incoming()).singleElement().satisfies(each -> {
            assertThat(each.ownerId()).isEqualTo("x");
            assertThat(each.serverInfo()).isEqualTo("x:80");
            assertThat(each.address()).isEqualTo("192.0.2.1");
            assertThat(each.clusterId()).isEqualTo("cluster-x");
            assertThat(each.sinceMillis()).isEqualTo(first + 7);
            assertThat(each.pingedMillis()).isEqualTo(now + 7);
            assertThat(each.expiresMillis()).isEqualTo(now + 7 + 120_000);
            assertThat(each.traffic().requests()).isEqualTo(2);
            assertThat(each.traffic().bytesReceived()).isEqualTo(200);
            assertThat(each.traffic().bytesSent()).isEqualTo(50);
        });
    }

    // The lock

    @Test
    void theStoreAndTheEventsOfTheOwnTopologyDoNotWait() throws Exception {
        synchronized (registry) {
            CompletableFuture.runAsync(() -> {
                        registry.showSiblings(List.of(sibling("s", "s1", "s1")));
                        registry.hideLocal();
                    })
                    .get(20, TimeUnit.SECONDS);
        }
        assertThat(registry.ping("c", false)).isEmpty();
        settle();
        assertThat(owners(ping("c"))).containsExactly("s1");
    }

    @Test
    void messagesAreWrittenOnceAndWithoutTheLock() {
        List<Announcement> written = new ArrayList<>();
        AtomicReference<AnnouncementRegistry> watched = new AtomicReference<>();
        watched.set(new AnnouncementRegistry(
                "b1",
                "",
                Timing.DEFAULT,
                false,
                new Time(() -> now, () -> now),
                () -> {},
                new Storage(1_000_000, each -> {
                    assertThat(Thread.holdsLock(watched.get())).isFalse();
                    written.add(each);
                    return Bytes.of(CODEC.pack(each), 0);
                })));
        watched.get().showLocal(B, () -> true);
        for (int i = 0; i < 2; i++) {
            watched.get().receive(single("x"), "", 0);
            watched.get().replied("c", single("y"));
            assertThat(watched.get().held()).containsOnlyKeys("x", "y");
            assertThat(watched.get().announcements()).hasSize(2);
        }
        assertThat(written).extracting(Announcement::ownerId).containsExactly("x", "y");
    }
}
