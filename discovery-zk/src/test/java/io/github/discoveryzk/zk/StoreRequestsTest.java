// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.zk;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.discoveryzk.model.Acknowledgement;
import io.github.discoveryzk.model.EstablishedView;
import io.github.discoveryzk.model.HistoryEntry;
import io.github.discoveryzk.model.LeaveRecord;
import io.github.discoveryzk.model.Member;
import io.github.discoveryzk.model.Reason;
import io.github.discoveryzk.model.ViewDifference;
import io.github.discoveryzk.model.ViewHead;
import io.github.discoveryzk.spi.Outcome;
import io.github.discoveryzk.spi.Outcome.Status;
import io.github.discoveryzk.spi.Request;
import io.github.discoveryzk.testing.Witness;
import io.github.discoveryzk.zk.cache.HistoryNames;
import io.github.discoveryzk.zk.testing.TwoInstances;
import io.github.discoveryzk.zk.tree.Names;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooDefs.Perms;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** What each request does in the store, beyond the contract of all stores. */
class StoreRequestsTest extends TwoInstances {

    private static String noise(int characters) {
        return new Random(1)
                .ints(characters, ' ', '~')
                .mapToObj(Character::toString)
                .collect(Collectors.joining());
    }

    @Test
    void tooLargeRecordIsRefusedAndNamesTheLargestProperty() {
        Outcome outcome =
                a.ask(new Request.Announce(a.record(Map.of("a", "1", "big", noise(2_000_000), "c", "333", "d", "22"))));

        assertThat(outcome.status()).isEqualTo(Status.REJECTED);
        assertThat(outcome.detail()).contains("big (2000000 characters), c (3 characters), d (2 characters)", "921600");
        a.join();
    }

    @Test
    void everythingIsReadAgainWhenAnotherClientDeletesTheOwnNode() throws Exception {
        Member first = a.join();
        server.forgetAsked();
        server.delete(CLUSTER + "/members/" + first.node());
        eventually(() -> asked(a).containsKey("multiRead"));
    }

    @Test
    void requestThatCannotBeSentIsRefusedAndHarmsNobody() {
        a.join();
        Outcome bad = a.ask(new Request.Delete(LeaveRecord.own("../view", LeaveRecord.Kind.STOPPED)));
        assertThat(bad.status()).isEqualTo(Status.REJECTED);
        assertThat(bad.detail()).contains("../view");
        assertThat(a.ask(new Request.Update("no//node", a.record(Map.of()))).status())
                .isEqualTo(Status.REJECTED);
        a.update(Map.of("x", "1"));
    }

    @Nested
    class Acknowledgements {

        private void assertStored(String... names) throws Exception {
            a.perform(new Request.Probe());
            assertThat(server.children(CLUSTER + "/acks")).containsExactly(names);
        }

        @Test
        void acknowledgementReplacesTheEarlierOneAndIsSeenByWhoCollects() throws Exception {
            Member first = a.join();
            b.store().collect(true);
            for (long number : new long[] {7, 8, 8}) {
                a.perform(new Request.Acknowledge(first.node(), number));
                b.awaitSnapshot(all ->
                        all.acknowledgements().equals(Optional.of(Set.of(new Acknowledgement(first.node(), number)))));
                assertStored(number + "." + first.node());
            }
        }

        @Test
        void acknowledgementLostOrMadeBySomebodyElseIsRepaired() throws Exception {
            Member first = a.join();
            a.perform(new Request.Acknowledge(first.node(), 7));
            server.delete(CLUSTER + "/acks/7." + first.node());
            a.perform(new Request.Acknowledge(first.node(), 8));
            assertStored("8." + first.node());
            server.create(CLUSTER + "/acks/9." + first.node());
            a.perform(new Request.Acknowledge(first.node(), 9));
            assertStored("9." + first.node());
        }

        @Test
        void acknowledgementStaysWhenItsMemberMayNotBeDeleted() throws Exception {
            Member first = a.join();
            a.perform(new Request.Acknowledge(first.node(), 7));
            allow(CLUSTER + "/members", Perms.ALL & ~Perms.DELETE);
            assertThat(a.ask(Witness.leaving(first)).status()).isEqualTo(Status.REJECTED);
            assertStored("7." + first.node());

            allow(CLUSTER + "/members", Perms.ALL);
            a.perform(Witness.leaving(first));
            assertStored();
            a.perform(new Request.Announce(a.record(Map.of())));
            server.forgetAsked();
            a.perform(new Request.Acknowledge(a.own().node(), 8));
            assertThat(asked(a)).isEqualTo(Map.of("multi", 1L));
        }
    }

    @Nested
    class Publications {

        @Test
        void viewThatIsTooLargeTogetherWithItsEntryIsRefused() {
            Member first = a.join();
            Request.Publish small = a.publication(first.node());
            EstablishedView plain = small.next();
            EstablishedView large = new EstablishedView(
                    new ViewHead(
                            plain.number(),
                            plain.previous(),
                            plain.token(),
                            plain.sessionTimeoutMillis(),
                            0,
                            Reason.ofText(noise(700_000)),
                            "a"),
                    plain.members(),
                    Set.of());
            HistoryEntry entry = new HistoryEntry(ViewDifference.between(Optional.empty(), large), List.of(), 0, 0);
            Outcome outcome = a.ask(new Request.Publish(large, small.expectedVersion(), small.node(), entry, Set.of()));
            assertThat(outcome.status()).isEqualTo(Status.REJECTED);
            assertThat(outcome.detail()).contains("of 1 members", "921600").matches(".* take 1[0-9]{6} bytes.*");
            a.perform(small);
        }

        @Test
        void entryWrittenBySomebodyElseIsCountedIn() throws Exception {
            Member first = a.join();
            a.store().collect(true);
            a.awaitSnapshot(all -> all.acknowledgements().isPresent());
            a.perform(new Request.Probe());
            Request.Publish next = a.publication(first.node());
            long taken = next.next().number();
            server.create(CLUSTER + "/history/" + Names.entry(taken));
            assertThat(a.ask(next).status()).isEqualTo(Status.OVERTAKEN);
            assertThat(a.snapshot().slot().recorded()).isEqualTo(taken);
            a.publishNext();
        }

        @Test
        void publicationOverALaterViewIsRefusedWhateverItsNumber() {
            Member first = a.join();
            Request.Publish stale = a.publication(first.node());
            a.perform(stale);
            a.awaitSnapshot(all -> all.view().isPresent());
            Request.Publish next = a.publication(first.node());

            assertThat(a.ask(new Request.Publish(
                                    next.next(), stale.expectedVersion(), next.node(), next.entry(), Set.of()))
                            .status())
                    .isEqualTo(Status.OVERTAKEN);
            a.perform(next);
        }

        @Test
        void historyKeepsTheLastEntriesWhoeverPublishes() throws Exception {
            makeHistory(HistoryNames.KEPT - 51);
            a.join();
            b.join();
            for (int i = 0; i < 120; i++) {
                a.awaitMembers(2);
                long number = a.publishNext().number();
                if (i % 3 == 0) {
                    b.awaitSnapshot(
                            all -> all.view().isPresent() && all.view().get().number() == number);
                    EstablishedView ofB = b.publishNext();
                    a.awaitSnapshot(all -> all.view().get().equals(ofB));
                }
            }
            long last = a.snapshot().view().get().number();
            assertThat(server.children(CLUSTER + "/history"))
                    .hasSize(HistoryNames.KEPT)
                    .contains(Names.entry(last), Names.entry(last - 99), Names.entry(449))
                    .doesNotContain(Names.entry(1));
        }

        @Test
        void historyKeepsNoMoreThanThatWhenTheViewIsPublishedWhileItIsListed() throws Exception {
            makeHistory(HistoryNames.KEPT);
            Request.Publish publication = a.publication(a.join().node());

            a.store().collect(true);
            a.perform(publication);

            eventually(() -> server.children(CLUSTER + "/history").size() == HistoryNames.KEPT);
            assertThat(server.children(CLUSTER + "/history"))
                    .contains(Names.entry(publication.next().number()))
                    .doesNotContain(Names.entry(1));
        }

        private void makeHistory(int entries) throws Exception {
            server.with(client -> {
                for (int i = 1; i <= entries; i++) {
                    client.create(
                            CLUSTER + "/history/" + Names.entry(i),
                            new byte[0],
                            Ids.OPEN_ACL_UNSAFE,
                            CreateMode.PERSISTENT,
                            (rc, path, x, name) -> {},
                            null);
                }
                // The number of the first view is taken from the last write to this node, so that it is above those.
                client.setData(CLUSTER + "/view", new byte[0], -1);
            });
            a.awaitSnapshot(all -> all.slot().version() > 0);
        }
    }

    @Nested
    class LeaveRecords {

        @Test
        void nodeGoesWithoutALeaveRecordWhereNoneCanBeLeft() throws Exception {
            Member first = a.join();
            a.publishNext();
            server.delete(CLUSTER + "/departures");
            a.perform(Witness.leaving(first));
            a.awaitMembers(0);
            assertThat(a.ask(new Request.ProbeLease()).status()).isEqualTo(Status.OVERTAKEN);
            eventually(() -> server.exists(CLUSTER + "/departures"));
            a.perform(new Request.ProbeLease());
        }

        @Test
        void leaveRecordThatIsThereAlreadyIsNoObstacle() throws Exception {
            Member first = a.join();
            a.publishNext();
            Request.Delete leaving = Witness.leaving(first);
            server.create(CLUSTER + "/departures/" + Names.leaveRecord(leaving.leaveRecord()));
            a.perform(leaving);
            a.awaitMembers(0);
            assertThat(a.leaseProbe().leaveRecords()).containsExactly(leaving.leaveRecord());
        }

        @Test
        void publicationSucceedsThoughLeaveRecordsCannotBeRemoved() throws Exception {
            Member first = a.join();
            a.publishNext();
            LeaveRecord stuck = LeaveRecord.own("m-0123456789abcdef-1-1-0000000002", LeaveRecord.Kind.STOPPED);
            server.create(CLUSTER + "/departures/" + Names.leaveRecord(stuck));
            server.create(CLUSTER + "/departures/" + Names.leaveRecord(stuck) + "/child");
            Request.Publish next = a.publication(first.node(), first.node(), stuck);
            a.perform(next);
            a.awaitSnapshot(all -> all.view().equals(Optional.of(next.next())));
            assertThat(a.leaseProbe().leaveRecords()).containsExactly(stuck);
        }
    }
}
