// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.zk;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.discoveryzk.model.FormatRange;
import io.github.discoveryzk.model.LeaveRecord;
import io.github.discoveryzk.model.LeaveRecord.Kind;
import io.github.discoveryzk.model.Member;
import io.github.discoveryzk.model.Renewal;
import io.github.discoveryzk.model.StoreSnapshot;
import io.github.discoveryzk.model.Suspicion;
import io.github.discoveryzk.spi.Outcome.Status;
import io.github.discoveryzk.spi.Request;
import io.github.discoveryzk.testing.Witness;
import io.github.discoveryzk.zk.testing.OneServer;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooDefs.Perms;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a store makes of nodes that are broken, foreign, unreadable, or older than others. */
class StoreNodesTest extends OneServer {
    private Witness a;
    private Member own;

    @BeforeEach
    void join() {
        a = witness("a");
        own = a.join();
    }

    @Test
    void brokenBytesAreReportedAndHarmNobody() throws Exception {
        server.with(client -> {
            server.create(CLUSTER + "/members/note");
            client.create(
                    CLUSTER + "/members/m-0123456789abcdef-1-3-0000000000",
                    new byte[0],
                    Ids.OPEN_ACL_UNSAFE,
                    CreateMode.EPHEMERAL);
            server.create(CLUSTER + "/acks/note");
            server.create(CLUSTER + "/history/note");
            write(CLUSTER + "/view", new byte[] {0x1f, (byte) 0x8b, 0, 1});
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

    /** A change of access rights is no change of the node, so the server notifies nobody of it. */
    @Test
    void aMemberThatMayNotBeReadIsAliveAndReadAsSoonAsItMay() throws Exception {
        String path = CLUSTER + "/members/" + own.node();
        allow(path, UNREADABLE);
        Witness b = witness("b");
        StoreSnapshot seen = b.awaitSnapshot(all -> !all.unreadable().isEmpty());
        assertThat(seen.isLive(own.node())).isTrue();
        assertThat(seen.members()).isEmpty();
        assertThat(seen.problems()).singleElement().asString().contains("NOAUTH", own.node());
        reconnect(a);
        assertThat(a.awaitSnapshot(all -> !all.unreadable().isEmpty()).unreadableOwned(a.session()))
                .hasValueSatisfying(node -> assertThat(node.node()).isEqualTo(own.node()));

        allow(path, Perms.ALL);
        b.awaitSnapshot(all -> all.members().size() == 1 && all.unreadable().isEmpty());
    }

    @Test
    void leaveRecordsAndLeaseThatDoNotBelongThereAreNamed() throws Exception {
        String newer = "beamed_up." + own.node() + "." + own.node();
        server.create(CLUSTER + "/departures/note");
        server.create(CLUSTER + "/departures/" + newer);
        write(CLUSTER + "/lease", "?");
        assertThat(a.leaseProbe().leaveRecords()).isEmpty();
        assertThat(a.snapshot().problems())
                .hasSize(3)
                .anyMatch(problem -> problem.contains("departures/note"))
                .anyMatch(problem -> problem.contains(newer))
                .anyMatch(problem -> problem.contains(CLUSTER + "/lease cannot be read"));

        server.delete(CLUSTER + "/departures/note");
        a.perform(a.renewal());
        a.perform(new Request.ProbeLease());
        assertThat(a.snapshot().problems()).hasSize(1);
        assertThat(server.children(CLUSTER + "/departures")).containsExactly(newer);
    }

    @Test
    void aMemberIsRemovedAlsoIfItsLeaveRecordCannotBeWritten() throws Exception {
        Witness b = witness("b");
        Witness c = witness("c");
        b.join();
        c.join();
        a.awaitMembers(3);
        a.publishNext();
        c.awaitMembers(3);
        c.awaitSnapshot(all -> all.view().isPresent());
        allow(CLUSTER + "/departures", Perms.ALL & ~Perms.CREATE);
        Suspicion suspicion = new Suspicion(own.node(), c.own().node());
        c.perform(new Request.Suspect(suspicion));
        c.perform(new Request.Convict(new LeaveRecord(own.node(), Kind.CRASHED, suspicion.by(), 300)));
        c.perform(new Request.Delete(new LeaveRecord(b.own().node(), Kind.EVICTED, suspicion.by(), 0)));

        c.awaitMembers(1);
        assertThat(server.children(CLUSTER + "/departures")).isEmpty();
        assertThat(server.children(CLUSTER + "/suspects")).isEmpty();
    }

    @Test
    void suspicionsByOthersThanMembersAreNamedAndLeftAlone() throws Exception {
        String stranger = own.node() + ".m-0123456789abcdef-1-1-0000000001";
        for (String name : List.of("note", stranger)) {
            server.create(CLUSTER + "/suspects/" + name);
            a.awaitSnapshot(all -> all.problems().stream().anyMatch(each -> each.contains("/suspects/" + name)));
        }
        Witness b = witness("b");
        b.join();
        assertThat(b.snapshot().problems()).isEqualTo(a.snapshot().problems()).hasSize(2);
        assertThat(List.of(a, b)).allMatch(each -> each.snapshot().suspicions().isEmpty());

        server.delete(CLUSTER + "/suspects/note");
        server.delete(CLUSTER + "/suspects/" + stranger);
        a.awaitSnapshot(all -> all.problems().isEmpty());
    }

    @Test
    void theFolderOfSuspicionsIsMadeAgainAndNeedNotBeReadable() throws Exception {
        server.delete(CLUSTER + "/suspects");
        eventually(() -> server.children(CLUSTER).contains("suspects"));
        allow(CLUSTER + "/suspects", Perms.ALL & ~Perms.READ);
        Witness b = witness("b");
        b.join();

        a.awaitMembers(2);
    }

    @Test
    void leaveRecordsOfANewerVersionGoWhenTheirNodeIsInNoView() throws Exception {
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
        a.publishNext();
        a.perform(new Request.ProbeLease());
        assertThat(server.children(CLUSTER + "/departures")).containsExactlyInAnyOrder("note", stays);
    }

    @Test
    void viewRestoredFromAnOlderStateIsFollowedByANumberAboveTheHistory() throws Exception {
        a.publishNext();
        byte[] older = server.data(CLUSTER + "/view");
        a.publishNext();
        long last = a.publishNext().number();
        write(CLUSTER + "/view", older);
        a.awaitSnapshot(all -> all.view().get().number() == last - 2);
        a.close();

        Witness b = witness("b");
        Request.Publish tooLow = b.publication(b.join().node());
        assertThat(tooLow.next().number()).isEqualTo(last - 1);
        assertThat(b.ask(tooLow).status()).isEqualTo(Status.OVERTAKEN);
        StoreSnapshot known = b.snapshot();
        assertThat(known.slot().recorded()).isEqualTo(last);
        assertThat(known.problems())
                .singleElement()
                .asString()
                .contains(CLUSTER + "/view", "number " + (last - 2), "number " + last);
        assertThat(b.publishNext().number()).isGreaterThan(last);
        assertThat(b.snapshot().problems()).isEmpty();
        b.publishNext();
    }

    /** An instance that sees the acknowledgements may publish, and must not take a cluster with a history for a new one. */
    @Test
    void theHistoryIsKnownAsSoonAsTheAcknowledgementsAre() throws Exception {
        long last = a.publishNext().number();
        server.delete(CLUSTER + "/view");
        a.awaitSnapshot(all -> all.view().isEmpty());
        Witness b = witness("b");
        b.join();
        assertThat(b.snapshot().slot().recorded()).isZero();
        b.store().collect(true);
        b.awaitSnapshot(all -> all.acknowledgements().isPresent());
        assertThat(b.snapshots())
                .filteredOn(all -> all.acknowledgements().isPresent())
                .allMatch(all -> all.slot().recorded() == last);
        assertThat(b.publishNext().number()).isGreaterThan(last);
    }

    /** The highest number that another client can make members count on from does not make the numbers after it implausible. */
    @Test
    void aForeignNumberLeavesRoomForThoseThatAreCountedOnFromIt() {
        invalidateUpTo(Long.MAX_VALUE / 4);
        assertThat(a.own().record().invalidatedUpTo()).isEmpty();
        assertThat(a.snapshot().problems()).singleElement().asString().contains("which no view can have");

        invalidateUpTo(1L << 48);
        for (int i = 0; i < 3; i++) {
            long number = a.snapshot().nextNumber();
            assertThat(number).isGreaterThan(1L << 48);
            invalidateUpTo(number);
            assertThat(a.own().record().invalidatedUpTo()).hasValue(number);
        }
        assertThat(a.snapshot().problems()).isEmpty();
    }

    private void invalidateUpTo(long number) {
        a.perform(new Request.Update(
                own.node(), a.own().record().withProtocolFields(OptionalLong.of(number), Optional.empty())));
        a.perform(new Request.Probe());
    }

    @Test
    void renewalsOfALeaseNodeMadeAgainAreNotMistakenForTheOldOnes() throws Exception {
        a.perform(a.renewal());
        long before = a.leaseProbe().renewals();
        server.delete(CLUSTER + "/lease");
        server.create(CLUSTER + "/lease");
        a.perform(a.renewal());
        assertThat(a.leaseProbe().renewals()).isGreaterThan(before);
    }

    /** An earlier version writes nothing, and another client anything; the next renewal says again how long the lease is. */
    @Test
    void aRenewalThatSaysNothingIsToleratedAndOneThatCannotBeReadIsReported() throws Exception {
        Request renewal = a.renewal();
        a.perform(renewal);
        write(CLUSTER + "/lease", "");
        assertThat(a.leaseProbe().last()).isEmpty();
        assertThat(a.snapshot().problems()).isEmpty();
        for (String broken : List.of(
                "x",
                "{}",
                "{\"format\":1,\"node\":\"m-a\",\"sessionTimeout\":-1}",
                "{\"format\":1,\"sessionTimeout\":9000}")) {
            write(CLUSTER + "/lease", broken);
            assertThat(a.leaseProbe().last()).isEmpty();
            assertThat(a.snapshot().problems()).singleElement().asString().contains("/lease cannot be read");
        }
        a.perform(renewal);
        assertThat(a.leaseProbe().last()).contains(new Renewal(own.node(), 9_000));
        assertThat(a.snapshot().problems()).isEmpty();
    }

    /** An instance that cannot read the view needs the length of its leader's lease all the more. */
    @Test
    void aRenewalIsReadByInstancesThatCannotReadTheView() throws Exception {
        a.perform(a.publication(own.node()));
        write(CLUSTER + "/view", "{\"format\":99}");
        a.awaitSnapshot(all -> all.view().isEmpty());
        assertThat(a.leaseProbe().last()).isPresent();
    }
}
