// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.zk;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.sling.discovery.commons.model.FormatRange;
import org.apache.sling.discovery.commons.model.Member;
import org.apache.sling.discovery.commons.model.StoreSnapshot;
import org.apache.sling.discovery.commons.spi.Outcome.Status;
import org.apache.sling.discovery.commons.spi.Request;
import org.apache.sling.discovery.zk.testing.Witness;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooDefs.Perms;
import org.apache.zookeeper.data.ACL;
import org.junit.jupiter.api.Test;

/** What a store makes of nodes that are broken, foreign, unreadable, or older than others. */
class StoreNodesTest extends OneServer {

    @Test
    void brokenBytesAreReportedAndHarmNobody() throws Exception {
        try (Witness a = witness("a")) {
            Member own = a.join();
            server.with(client -> {
                client.create(CLUSTER + "/members/note", new byte[0], Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
                client.create(
                        CLUSTER + "/members/m-0123456789abcdef-1-3-0000000000",
                        new byte[0],
                        Ids.OPEN_ACL_UNSAFE,
                        CreateMode.EPHEMERAL);
                client.create(CLUSTER + "/acks/note", new byte[0], Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
                client.create(CLUSTER + "/history/note", new byte[0], Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
                client.setData(CLUSTER + "/view", new byte[] {0x1f, (byte) 0x8b, 0, 1}, -1);
                a.store().collect(true);
                StoreSnapshot seen = a.awaitSnapshot(all -> all.problems().size() == 4);
                assertThat(seen.members()).containsExactly(own);
                assertThat(seen.unreadable()).singleElement().satisfies(member -> {
                    assertThat(member.formats()).isEqualTo(new FormatRange(1, 3));
                    assertThat(member.seniority()).isGreaterThan(own.seniority());
                    assertThat(member.session()).isEqualTo(client.getSessionId());
                });
                assertThat(seen.view()).isEmpty();
                assertThat(seen.problems())
                        .anyMatch(problem -> problem.contains("members/note"))
                        .anyMatch(problem -> problem.contains("it is empty"))
                        .anyMatch(problem -> problem.contains("acks/note"))
                        .anyMatch(problem -> problem.contains("established view"));
                a.perform(new Request.Probe());
            });
            a.perform(a.publication(own.node()));
            a.awaitSnapshot(all -> all.view().isPresent() && all.problems().size() == 2);
        }
    }

    @Test
    void aMemberThatMayNotBeReadIsAlive() throws Exception {
        try (Witness a = witness("a")) {
            Member own = a.join();
            server.with(client -> client.setACL(
                    CLUSTER + "/members/" + own.node(),
                    Collections.singletonList(new ACL(Perms.ALL & ~Perms.READ, Ids.ANYONE_ID_UNSAFE)),
                    -1));
            try (Witness b = witness("b")) {
                StoreSnapshot seen = b.awaitSnapshot(all -> !all.unreadable().isEmpty());
                assertThat(seen.isLive(own.node())).isTrue();
                assertThat(seen.members()).isEmpty();
                assertThat(seen.problems()).singleElement().asString().contains("NOAUTH", own.node());
            }
        }
    }

    @Test
    void theOwnMemberThatMayNotBeReadIsKnownAfterAReconnect() throws Exception {
        try (Witness a = witness("a")) {
            Member own = a.join();
            allow(own, Perms.ALL & ~Perms.READ);
            server.drop(a.session());
            StoreSnapshot seen = a.awaitSnapshot(all -> !all.unreadable().isEmpty());
            assertThat(seen.unreadableOwned(a.session()))
                    .hasValueSatisfying(node -> assertThat(node.node()).isEqualTo(own.node()));
        }
    }

    /** A change of access rights is no change of the node, so the store tells nothing of it. */
    @Test
    void aMemberThatMayBeReadAgainIsRead() throws Exception {
        try (Witness a = witness("a")) {
            Member own = a.join();
            allow(own, Perms.ALL & ~Perms.READ);
            try (Witness b = witness("b")) {
                b.awaitSnapshot(all -> !all.unreadable().isEmpty());
                allow(own, Perms.ALL);
                b.awaitSnapshot(
                        all -> all.members().size() == 1 && all.unreadable().isEmpty());
            }
        }
    }

    private void allow(Member member, int rights) throws Exception {
        server.with(client -> client.setACL(
                CLUSTER + "/members/" + member.node(),
                Collections.singletonList(new ACL(rights, Ids.ANYONE_ID_UNSAFE)),
                -1));
    }

    @Test
    void departureNotesAndLeaseThatDoNotBelongThereAreNamed() throws Exception {
        try (Witness a = witness("a")) {
            Member own = a.join();
            String newer = "beamed_up." + own.node() + "." + own.node();
            server.create(CLUSTER + "/departures/note");
            server.create(CLUSTER + "/departures/" + newer);
            server.with(client -> client.setData(CLUSTER + "/lease", "?".getBytes(StandardCharsets.UTF_8), -1));
            a.perform(new Request.ProbeLease());
            StoreSnapshot seen = a.snapshot().get();
            assertThat(seen.leaseProbe().get().notes()).isEmpty();
            assertThat(seen.problems())
                    .hasSize(3)
                    .anyMatch(problem -> problem.contains("departures/note"))
                    .anyMatch(problem -> problem.contains(newer))
                    .anyMatch(problem -> problem.contains(CLUSTER + "/lease cannot be read"));

            server.delete(CLUSTER + "/departures/note");
            a.perform(new Request.Renew(own.node(), seen.slot().version(), 9_000));
            a.perform(new Request.ProbeLease());
            assertThat(a.snapshot().get().problems()).hasSize(1);
            assertThat(server.children(CLUSTER + "/departures")).containsExactly(newer);
        }
    }

    @Test
    void departureNotesOfANewerVersionGoWhenTheirNodeIsInNoView() throws Exception {
        try (Witness a = witness("a")) {
            Member own = a.join();
            String gone = "m-0123456789abcdef-1-1-0000000001";
            String stays = "beamed_up." + own.node() + "." + gone;
            server.create(CLUSTER + "/departures/note");
            server.create(CLUSTER + "/departures/" + stays);
            server.create(CLUSTER + "/departures/beamed_up." + gone + "." + own.node());
            a.perform(new Request.ProbeLease());
            Request.Publish stillWithIt = a.publication(gone, own.node());
            a.perform(stillWithIt);
            a.awaitSnapshot(all -> all.view().equals(Optional.of(stillWithIt.next())));
            a.perform(new Request.ProbeLease());
            assertThat(server.children(CLUSTER + "/departures")).hasSize(3);
            publishes(a, own);
            a.perform(new Request.ProbeLease());
            assertThat(server.children(CLUSTER + "/departures")).containsExactlyInAnyOrder("note", stays);
        }
    }

    @Test
    void viewRestoredFromAnOlderStateIsFollowedByANumberAboveTheHistory() throws Exception {
        byte[] older;
        long last;
        try (Witness a = witness("a")) {
            Member own = a.join();
            publishes(a, own);
            older = server.data(CLUSTER + "/view");
            publishes(a, own);
            publishes(a, own);
            last = a.snapshot().get().view().get().number();
            server.with(client -> client.setData(CLUSTER + "/view", older, -1));
            a.awaitSnapshot(all -> all.view().get().number() == last - 2);
        }
        try (Witness a = witness("a")) {
            Member own = a.join();
            Request.Publish tooLow = a.publication(own.node());
            assertThat(tooLow.next().number()).isEqualTo(last - 1);
            assertThat(a.ask(tooLow).status()).isEqualTo(Status.OVERTAKEN);
            StoreSnapshot known = a.snapshot().get();
            assertThat(known.slot().recorded()).isEqualTo(last);
            assertThat(known.problems())
                    .singleElement()
                    .asString()
                    .contains(CLUSTER + "/view", "number " + (last - 2), "number " + last);
            publishes(a, own);
            assertThat(a.snapshot().get().view().get().number()).isGreaterThan(last);
            assertThat(a.snapshot().get().problems()).isEmpty();
            publishes(a, own);
        }
    }

    @Test
    void whoCollectsKnowsTheHighestNumberOfTheHistoryBeforeItPublishes() throws Exception {
        try (Witness a = witness("a")) {
            Member own = a.join();
            publishes(a, own);
            byte[] older = server.data(CLUSTER + "/view");
            publishes(a, own);
            long last = a.snapshot().get().view().get().number();
            server.with(client -> client.setData(CLUSTER + "/view", older, -1));
            try (Witness b = witness("b")) {
                Member other = b.join();
                assertThat(b.snapshot().get().slot().recorded()).isZero();
                b.store().collect(true);
                b.awaitSnapshot(all -> all.slot().recorded() == last);
                publishes(b, other);
                assertThat(b.snapshot().get().view().get().number()).isGreaterThan(last);
            }
        }
    }

    private static void publishes(Witness one, Member own) {
        Request.Publish next = one.publication(own.node());
        one.perform(next);
        one.awaitSnapshot(all -> all.view().equals(Optional.of(next.next())));
    }

    /** An instance that sees the acknowledgements may publish, and must not take a cluster with a history for a new one. */
    @Test
    void theHistoryIsKnownAsSoonAsTheAcknowledgementsAre() throws Exception {
        try (Witness a = witness("a");
                Witness b = witness("b")) {
            Member own = a.join();
            a.perform(a.publication(own.node()));
            server.delete(CLUSTER + "/view");
            b.awaitSnapshot(all -> all.view().isEmpty());
            b.store().collect(true);
            b.awaitSnapshot(all -> all.acknowledgements().isPresent());
            assertThat(b.calls(StoreSnapshot.class))
                    .filteredOn(all -> all.acknowledgements().isPresent())
                    .allMatch(all -> all.slot().recorded() > 0);
        }
    }

    /** The highest number that another client can make members count on from does not make the numbers after it implausible. */
    @Test
    void aForeignNumberLeavesRoomForThoseThatAreCountedOnFromIt() throws Exception {
        try (Witness a = witness("a")) {
            a.join();
            declareVoidUpTo(a, Long.MAX_VALUE / 4);
            assertThat(a.own().record().voidUpTo()).isEmpty();
            assertThat(a.snapshot().get().problems()).singleElement().asString().contains("which no view can have");

            declareVoidUpTo(a, 1L << 48);
            for (int i = 0; i < 3; i++) {
                long number = a.snapshot().get().nextNumber();
                assertThat(number).isGreaterThan(1L << 48);
                declareVoidUpTo(a, number);
                assertThat(a.own().record().voidUpTo()).hasValue(number);
            }
            assertThat(a.snapshot().get().problems()).isEmpty();
        }
    }

    private static void declareVoidUpTo(Witness one, long number) {
        Member own = one.own();
        one.perform(new Request.Update(
                own.node(), own.record().withProtocolFields(OptionalLong.of(number), Optional.empty())));
        one.perform(new Request.Probe());
    }
}
