// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.connectors.registry;

import static io.github.discoveryzk.connectors.wire.Messages.assertInvalid;
import static io.github.discoveryzk.connectors.wire.Messages.by;
import static io.github.discoveryzk.connectors.wire.Messages.cluster;
import static io.github.discoveryzk.connectors.wire.Messages.message;
import static io.github.discoveryzk.connectors.wire.Messages.nested;
import static io.github.discoveryzk.connectors.wire.Messages.owners;
import static io.github.discoveryzk.connectors.wire.Messages.single;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.discoveryzk.base.environment.Time;
import io.github.discoveryzk.connectors.registry.AnnouncementRegistry.Verdict;
import io.github.discoveryzk.connectors.registry.SharedClusters.SharedContent;
import io.github.discoveryzk.connectors.settings.ConnectorSettings;
import io.github.discoveryzk.connectors.settings.Timing;
import io.github.discoveryzk.connectors.trust.SharedKey;
import io.github.discoveryzk.connectors.trust.Trust;
import io.github.discoveryzk.connectors.wire.Announcement;
import io.github.discoveryzk.connectors.wire.Announcement.Weight;
import io.github.discoveryzk.connectors.wire.AnnouncementCodec;
import io.github.discoveryzk.connectors.wire.InvalidMessage;
import io.github.discoveryzk.connectors.wire.InvalidMessage.Reason;
import io.github.discoveryzk.connectors.wire.Message;
import io.github.discoveryzk.connectors.wire.Messages;
import io.github.discoveryzk.connectors.wire.WireLimits;
import io.github.discoveryzk.model.Bytes;
import io.github.discoveryzk.model.RemoteCluster;
import io.github.discoveryzk.model.RemoteCluster.RemoteInstance;
import io.github.discoveryzk.report.ConnectorReport.ConnectorState;
import io.github.discoveryzk.report.ConnectorReport.Incoming;
import io.github.discoveryzk.report.ConnectorReport.Times;
import io.github.discoveryzk.report.ConnectorReport.Traffic;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AnnouncementRegistryTest {

    private static final AnnouncementCodec CODEC = new AnnouncementCodec(WireLimits.DEFAULT);
    private static final RemoteCluster B = cluster("b", "b1", "b2");
    private static final String FIRST = "192.0.2.1";
    private static final String SECOND = "192.0.2.2";

    private long now = 1_000_000;
    private boolean current = true;
    private int changes;
    private AnnouncementRegistry registry = registry(Timing.DEFAULT, false, 1 << 20);

    private AnnouncementRegistry registry(Timing timing, boolean signed, long maxBytes) {
        AnnouncementRegistry made = new AnnouncementRegistry(
                "b1",
                "host:8080",
                settings(timing, signed),
                new Time(() -> now, () -> now + 7),
                () -> changes++,
                maxBytes);
        made.showLocal(B, () -> current);
        return made;
    }

    private static ConnectorSettings settings(Timing timing, boolean signed) {
        return new ConnectorSettings(
                List.of(),
                ConnectorSettings.DEFAULT.allowed(),
                signed ? Optional.of(new Trust(new SharedKey("s3cret", Duration.ofHours(4)), false)) : Optional.empty(),
                timing,
                ConnectorSettings.Transfer.DEFAULT,
                true);
    }

    /** Returns what is shared of an owner as text. */
    private String text(String owner) {
        try {
            return CODEC.write(CODEC.unpack(registry.held().get(owner).stream(), true, Long.MAX_VALUE));
        } catch (InvalidMessage e) {
            throw new IllegalStateException(e);
        }
    }

    private Message receive(Message ping, String address) {
        try {
            return registry.receive(ping, address, 100);
        } catch (InvalidMessage e) {
            throw new IllegalStateException(e);
        }
    }

    private void rejected(Reason reason, Announcement ping, String address) {
        Map<String, Bytes> held = registry.held();
        assertInvalid(reason, () -> registry.receive(message(ping), address, 100));
        assertThat(registry.held()).isEqualTo(held);
    }

    private Message accepted(Announcement ping) {
        return accepted(message(ping), FIRST);
    }

    private Message accepted(Announcement ping, String address) {
        return accepted(message(ping), address);
    }

    private Message accepted(Message ping, String address) {
        Message reply = receive(ping, address);
        assertThat(reply.loop()).as(reply.toString()).isFalse();
        return reply;
    }

    private void refused(Announcement ping) {
        Message reply = receive(message(ping), FIRST);
        assertThat(reply.loop()).isTrue();
        assertThat(reply.ownerId()).isEqualTo("b1");
        assertThat(reply.backoffSeconds()).isEqualTo(150);
    }

    private Verdict replied(String connector, Announcement reply) {
        return registry.replied(connector, message(reply));
    }

    private void inherited(String connector, Announcement reply) {
        assertThat(replied(connector, reply).state()).isEqualTo(ConnectorState.CONNECTED);
    }

    private void looped(String connector, Announcement reply) {
        assertThat(replied(connector, reply).state()).isEqualTo(ConnectorState.STANDBY);
    }

    private Message ping(String connector) {
        return registry.ping(connector, false).orElseThrow();
    }

    private void pass(Duration time) {
        now += time.toMillis();
    }

    private void pass(int seconds) {
        pass(Duration.ofSeconds(seconds));
    }

    // What goes into a message

    @Test
    void nothingIsSaidWithoutACurrentOwnView() {
        current = false;
        assertThat(registry.ping("c", false)).isEmpty();
        rejected(Reason.UNAVAILABLE, single("x"), FIRST);

        current = true;
        registry.hideLocal();
        assertThat(registry.ping("c", false)).isEmpty();
        rejected(Reason.UNAVAILABLE, single("x"), FIRST);
    }

    @Test
    void aPingTellsTheOwnClusterAndAllThatIsHeldByItsMembers() {
        accepted(single("x"));
        replied("d", single("y"));
        registry.showSiblings(List.of(sibling("s", "s2", "s1", "s2"), sibling("not usable", "s3", "s3")));
        registry.showShared(List.of(
                shared("b2", single("z")),
                new SharedContent("s1", false, single("t"), 0),
                shared("b9", single("gone"))));

        Message ping = registry.ping("c", true).orElseThrow();

        assertThat(ping.ownerId()).isEqualTo("b1");
        Announcement own = ping.announcement().orElseThrow();
        assertThat(own.cluster()).isEqualTo(B);
        assertThat(own.serverInfo()).contains("host:8080");
        assertThat(own.inherited()).isFalse();
        assertThat(ping.resetBackoff()).isTrue();
        assertThat(ping.created()).isEqualTo(now + 8);
        assertThat(owners(ping)).containsExactly("s2", "x", "y", "z", "t");
        assertThat(own.nested())
                .filteredOn(Announcement::inherited)
                .extracting(Announcement::ownerId)
                .containsExactly("y");
    }

    private static SharedContent shared(String holder, Announcement announcement) {
        return new SharedContent(holder, true, announcement, 0);
    }

    private static RemoteCluster sibling(String id, String leader, String... instances) {
        return new RemoteCluster(
                id,
                Stream.of(instances)
                        .map(each -> new RemoteInstance(each, Map.of("legal", "1", "not legal", "2")))
                        .toList(),
                leader);
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
        Message reply = accepted(by("a1", cluster("a", "a1", "a2")));
        assertThat(owners(reply)).containsExactly("z");
        assertThat(reply.announcement().orElseThrow().withNested(List.of())).isEqualTo(by("b1", B));
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
        assertThat(nested(ping("c"))).extracting(Announcement::inherited).containsExactly(false, true);
    }

    // Loops

    /** Takes a step: a word and announcements in the notation of {@link Messages#read}. */
    private void play(String step) {
        String[] words = step.split(" ");
        switch (words[0]) {
            case "signed" -> registry = registry(Timing.DEFAULT, true, 1 << 20);
            case "accept" -> accepted(Messages.read(words[1]));
            case "accept2" -> accepted(Messages.read(words[1]), SECOND);
            case "refuse" -> refused(Messages.read(words[1]));
            case "reply" -> replied(words[1], Messages.read(words[2]));
            case "inherit" -> inherited(words[1], Messages.read(words[2]));
            case "loop" -> looped(words[1], Messages.read(words[2]));
            case "standby" -> registry.replied(words[1], Message.loop(words[2], 1, 150));
            case "share" -> registry.showShared(Stream.of(words)
                    .skip(1)
                    .map(each -> shared("b2", Messages.read(each)))
                    .toList());
            case "forget" -> registry.forgetAll();
            case "expire" -> registry.expire();
            case "held" -> assertThat(String.join(" ", registry.held().keySet()))
                    .isEqualTo(step.substring("held".length()).strip());
            default -> pass(Duration.ofMillis(Long.parseLong(words[0])));
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                // Members of the local cluster, and what lists them
                "refuse b2@other; refuse b1@other",
                "refuse x(b2@b=b1,b2); refuse x(b1@b=b1,b2); refuse x(y@y=y,b2); refuse x@x=x,b2",
                // No connector is added to a ring.
                "refuse x(y(b2@b=b1,b2)); refuse a1@a(c1@c(b2@b=b1,b2))",
                // Of a ring the connector of the greatest cluster ends.
                "accept a1@a; accept a1@a(c1@c(b2@b))",
                "accept c1@c; accept c1@c(d1@d(b2@b)); accept c1@c(a1@a(d1@d(b2@b))); refuse c1@c(a1@a(b2@b))",
                "accept d1@d; refuse d1@d(c1@c(a1@a(b2@b)))",
                // A registered owner that is known in a ring stays unless its cluster is the greatest.
                "accept a1@a; reply c c1@c(a1@a); accept a1@a",
                "accept c1@c; reply a a1@a(c1@c); refuse c1@c",
                "reply c c1@c; accept a1@a(c1@c); inherit c c1@c",
                "reply a a1@a; accept a0@a0(a1@a); loop a a1@a",
                // An owner that is known through another one, until that one expires
                "accept x(y); refuse y; held x; reply c p(q); refuse q; refuse p; share r; accept r",
                "accept x(y); 120000; accept y",
                // A sender that became a loop is forgotten.
                "accept x; refuse x(b2@b); held",
                // Another member replaces the one that its cluster no longer lists; another cluster does not.
                "accept a1@a=a1,a2; refuse a2@a=a1,a2; accept a2@a; held a2",
                "accept a1@a=a1,a2; refuse a2@other; held a1",
                // What another member holds replaces an owner that has missed a ping.
                "accept a1@a=a1,a2; accept c1@c=c1,c2; share a2@a c2@c=c2,c1 d2@c; 59999; expire; held a1 c1; 1; expire; held c1",
                // A signature replaces immediately, and proves the owner from any address.
                "signed; accept a1@a=a1,a2; accept2 a2@a; held a2; share a3@a=a3,a4; held a2",
                "signed; accept2 a2@a=a2,a3; share a3@a=a3,a4; held",
                "signed; accept x; accept2 x; held x",
                // What another peer tells of its cluster ends no registered connector, unless it is shown instead.
                "accept w@zw; accept h@0(w@0); accept w@zw; accept h@0=h,w; accept w@zw; accept2 w2@zw=w2,w; accept w@zw; held h w w2",
                "accept w@zw; accept h@0(w@zw); refuse w@zw",
                "inherit c w@0w; accept h@0(w@0); inherit c w@0w; accept h@0=h,w; inherit c w@0w",
                // A reply replaces the one before.
                "reply c y; inherit c z; held z; standby c z; held"
            })
    void theRulesOfLoopsAndReplacementsHold(String steps) {
        Stream.of(steps.split("; ")).forEach(this::play);
    }

    @Test
    void whatThisInstanceSaidItselfIsNoLoop() {
        accepted(single("x", by("b1", B).asInherited(true)));
        assertThat(text("x")).doesNotContain("b1");
        refused(single("x", by("b2", B).asInherited(true)));
    }

    @Test
    void noSenderAtAnotherAddressReplacesAnOwnerThatPings() {
        accepted(by("a1", cluster("a", "a1", "a2")));
        Announcement other = by("a2", cluster("a", "a2"));
        for (int i = 0; i < 10; i++) {
            accepted(other, SECOND);
            pass(30);
            accepted(by("a1", cluster("a", "a1", "a2")));
            registry.expire();
        }
        assertThat(registry.held()).containsOnlyKeys("a1", "a2");
        // Four steps of back-off and the interval after it.
        pass(59);
        accepted(other, SECOND);
        assertThat(registry.held()).containsOnlyKeys("a1", "a2");
        pass(35);
        registry.expire();
        assertThat(registry.held()).containsOnlyKeys("a2");
    }

    @Test
    void aReplyOfAPeerThatIsKnownInAnotherWayIsALoop() {
        accepted(by("a1", cluster("a", "a1", "a2")));
        looped("c", by("a1", cluster("z", "a1")));
        replied("c", single("p", single("q")));
        looped("d", single("q"));
        inherited("c", single("p"));
        looped("d", by("b2", cluster("z", "b2")));
        looped("d", by("z", cluster("z", "other")));
        assertThat(registry.replied("d", Message.loop("b1", 1, 150)).state()).isEqualTo(ConnectorState.STOPPED);
        Verdict standby = registry.replied("d", Message.loop("p", 1, 77));
        assertThat(standby.state()).isEqualTo(ConnectorState.STANDBY);
        assertThat(standby.backoffSeconds()).isEqualTo(77);
    }

    @Test
    void aReplyDoesNotBringBackWhatTheOwnClusterSaid() {
        replied("c", single("y", by("b2", B, single("w")), single("z", by("b1", B))));
        assertThat(text("y")).contains("cluster-z").doesNotContain("b1").doesNotContain("cluster-w");
    }

    @Test
    void ofTwoClustersThatPingEachOtherTheLesserOneGoesOn() {
        accepted(by("c1", cluster("c", "c1")));
        inherited("c", by("c1", cluster("c", "c1")));
        assertThat(text("c1")).contains("\"inherited\":true");

        accepted(by("a1", cluster("a", "a1")));
        looped("a", by("a1", cluster("a", "a1")));
        assertThat(text("a1")).contains("\"inherited\":false");
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
        pass(119);
        assertThat(accepted(single("x")).backoffSeconds()).isZero();
        pass(1);
        assertThat(accepted(single("x")).backoffSeconds()).isEqualTo(30);
        pass(119);
        assertThat(accepted(single("x")).backoffSeconds()).isEqualTo(30);
        pass(1);
        assertThat(accepted(single("x")).backoffSeconds()).isEqualTo(60);
        for (int i = 0; i < 10; i++) {
            pass(119);
            accepted(single("x"));
        }
        assertThat(accepted(single("x")).backoffSeconds()).isEqualTo(150);
        assertThat(accepted(single("x", single("y"))).backoffSeconds()).isZero();
    }

    @Test
    void aResetBeginsTheBackoffAgainAndIsNoChange() {
        accepted(single("x"));
        int before = changes;
        pass(119);
        assertThat(accepted(message(single("x")).withResetBackoff(true), FIRST).backoffSeconds())
                .isZero();
        pass(1);
        assertThat(accepted(single("x")).backoffSeconds()).isZero();
        pass(119);
        assertThat(accepted(single("x")).backoffSeconds()).isEqualTo(30);
        assertThat(changes).isEqualTo(before);
    }

    @Test
    void whatIsTheSameIsNotWrittenAgain() {
        accepted(single("x", single("y")));
        replied("c", single("p"));
        assertThat(changes).isEqualTo(2);
        Map<String, Bytes> held = registry.held();
        pass(30);
        accepted(message(single("x", single("y"))).createdAt(9), FIRST);
        registry.replied("c", message(single("p")).withBackoff(60).createdAt(9));
        assertThat(changes).isEqualTo(2);
        registry.held().forEach((owner, bytes) -> assertThat(bytes).isSameAs(held.get(owner)));
        accepted(single("x"));
        assertThat(changes).isEqualTo(3);
    }

    @Test
    void anIncomingAnnouncementExpiresAfterTheTimeout() {
        accepted(single("x"));
        pass(Duration.ofMillis(119_999));
        registry.expire();
        assertThat(registry.held()).containsOnlyKeys("x");
        assertThat(changes).isEqualTo(1);
        pass(Duration.ofMillis(1));
        assertThat(registry.held()).isEmpty();
        registry.expire();
        assertThat(registry.incoming()).isEmpty();
        assertThat(changes).isEqualTo(2);
    }

    @Test
    void aReplyExpiresByTheBackoffOfTheServer() {
        assertThat(replied("c", single("y")))
                .isEqualTo(new Verdict(ConnectorState.CONNECTED, "the peer y replied", 0, now + 120_000));
        assertThat(registry.replied("c", message(single("y")).withBackoff(150)))
                .isEqualTo(new Verdict(ConnectorState.CONNECTED, "the peer y replied", 150, now + 240_000));
        pass(240);
        assertThat(nested(ping("c"))).isEmpty();
        assertThat(registry.held()).isEmpty();
    }

    @Test
    void whatIsSharedTellsHowLongAPeerMayBeSilent() {
        accepted(single("x"));
        replied("c", single("y"));
        assertThat(text("x")).contains("\"backoffInterval\":180");
        assertThat(text("y")).doesNotContain("backoffInterval");
    }

    @Test
    void aPeerThatIsNotKnownInAnotherWayIsAskedAtTheInterval() {
        assertThat(registry.replied("c", Message.loop("p", 1, 77)).backoffSeconds())
                .isZero();
        registry.showShared(List.of(shared("b2", single("q", single("p")))));
        assertThat(registry.replied("c", Message.loop("p", 1, 77)).backoffSeconds())
                .isEqualTo(77);
        assertThat(registry.replied("c", Message.loop("b2", 1, 77)).backoffSeconds())
                .isEqualTo(77);
        assertThat(registry.replied("c", Message.loop("s2", 1, 77)).backoffSeconds())
                .isZero();
        registry.showSiblings(List.of(sibling("s", "s1", "s1", "s2")));
        assertThat(registry.replied("c", Message.loop("s2", 1, 77)).backoffSeconds())
                .isEqualTo(77);
    }

    @Test
    void aFactorOfOneLeavesThePingInterval() {
        registry = registry(new Timing(Duration.ofSeconds(30), Duration.ofSeconds(120), 1), false, 1 << 20);
        assertThat(receive(message(by("b2", B)), FIRST).backoffSeconds()).isZero();
        for (int i = 0; i < 6; i++) {
            assertThat(accepted(single("x")).backoffSeconds()).isLessThanOrEqualTo(30);
            pass(119);
        }
    }

    @Test
    void whatEndsIsForgotten() throws Exception {
        accepted(single("x"));
        accepted(single("x2"));
        replied("c", single("y"));
        registry.disconnect("x", FIRST);
        registry.disconnect("unknown", FIRST);
        assertThat(registry.held()).containsOnlyKeys("x2", "y");
        registry.forget("c");
        assertThat(registry.held()).containsOnlyKeys("x2");
        registry.forgetAll();
        assertThat(registry.held()).isEmpty();
        assertThat(changes).isEqualTo(6);
    }

    @Test
    void theNumberOfIncomingConnectorsIsLimited() {
        IntStream.range(0, HeldAnnouncements.MAX_INCOMING).forEach(i -> accepted(single("x" + i)));
        rejected(Reason.UNAVAILABLE, single("more"), FIRST);
        accepted(single("x0"));
    }

    @Test
    void anAnnouncementThatTakesTooMuchMemoryIsKeptWithoutProperties() throws Exception {
        Announcement large = by("x", cluster("c", "x", Map.of("p", "v")));
        registry = registry(Timing.DEFAULT, false, Weight.of(large) - 1);
        for (int i = 0; i < 2; i++) {
            accepted(large);
            assertThat(CODEC.unpack(registry.held().get("x").stream(), true, Long.MAX_VALUE)
                            .announcement())
                    .contains(large.withoutProperties());
        }
    }

    @Test
    void theLengthOfIncomingAnnouncementsIsLimited() throws Exception {
        registry = registry(Timing.DEFAULT, false, 4 * Weight.of(single("x")));
        List.of("x", "y", "z").forEach(id -> accepted(single(id)));
        rejected(Reason.UNAVAILABLE, single("more", single("nested")), FIRST);
        rejected(Reason.UNAVAILABLE, single("x", single("x1"), single("x2"), single("x3")), FIRST);
        accepted(single("x"));
        registry.disconnect("x", FIRST);
        accepted(single("x4"));
    }

    @Test
    void withoutSignaturesAnOwnerBelongsToItsAddressUntilItMissesAPing() throws Exception {
        accepted(single("x"));
        // Also what would be answered with a loop message, which forgets what is held.
        for (Announcement forged : List.of(single("x", single("y")), by("x", B), single("x"))) {
            rejected(Reason.FORBIDDEN, forged, SECOND);
        }
        assertInvalid(Reason.FORBIDDEN, () -> registry.disconnect("x", SECOND));
        pass(Duration.ofMillis(59_999));
        rejected(Reason.FORBIDDEN, single("x"), SECOND);
        pass(Duration.ofMillis(1));
        accepted(single("x"), SECOND);
        registry.disconnect("x", SECOND);
        accepted(single("x"));
    }

    @Test
    void theReportShowsWhoPings() {
        accepted(single("x").withServerInfo("x:80"));
        long since = now + 7;
        pass(10);
        accepted(single("x", single("y")).withServerInfo("x:80"));
        registry.sent("x", 50);
        assertThat(registry.incoming())
                .containsExactly(new Incoming(
                        "x",
                        "x:80",
                        FIRST,
                        "cluster-x",
                        new Times(
                                since,
                                OptionalLong.of(now + 7),
                                OptionalLong.empty(),
                                OptionalLong.of(now + 7 + 120_000)),
                        0,
                        new Traffic(2, 0, 50, 200)));
    }

    // The lock

    @Test
    void theEventsOfTheOwnTopologyDoNotWait() throws Exception {
        synchronized (registry) {
            CompletableFuture.runAsync(() -> {
                        registry.showSiblings(List.of(sibling("s", "s1", "s1")));
                        registry.hideLocal();
                    })
                    .get(20, TimeUnit.SECONDS);
        }
        assertThat(registry.ping("c", false)).isEmpty();
        registry.showLocal(B, () -> true);
        assertThat(owners(ping("c"))).containsExactly("s1");
    }
}
