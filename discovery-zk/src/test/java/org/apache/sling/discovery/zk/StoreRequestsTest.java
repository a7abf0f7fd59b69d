// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.zk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.apache.sling.discovery.commons.model.Acknowledgement;
import org.apache.sling.discovery.commons.model.DepartureNote;
import org.apache.sling.discovery.commons.model.EstablishedView;
import org.apache.sling.discovery.commons.model.HistoryEntry;
import org.apache.sling.discovery.commons.model.LeaseProbe;
import org.apache.sling.discovery.commons.model.Member;
import org.apache.sling.discovery.commons.model.Reason;
import org.apache.sling.discovery.commons.model.ViewDifference;
import org.apache.sling.discovery.commons.model.ViewHead;
import org.apache.sling.discovery.commons.spi.Outcome;
import org.apache.sling.discovery.commons.spi.Outcome.Status;
import org.apache.sling.discovery.commons.spi.Request;
import org.apache.sling.discovery.zk.cache.HistoryNames;
import org.apache.sling.discovery.zk.testing.Witness;
import org.apache.sling.discovery.zk.tree.Names;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooDefs.Perms;
import org.apache.zookeeper.data.ACL;
import org.junit.jupiter.api.Test;

/** What each request does in the store, and who hears of it. */
class StoreRequestsTest extends TwoInstances {
    @Test
    void tooLargeRecordIsRefusedAndNamesTheLargestProperty() {
        a.awaitSnapshot(any -> true);
        String noise = new java.util.Random(1)
                .ints(2_000_000, ' ', '~')
                .mapToObj(Character::toString)
                .collect(java.util.stream.Collectors.joining());
        Outcome outcome = a.ask(new Request.Announce(a.record(Map.of("small", "1", "big", noise))));

        assertThat(outcome.status()).isEqualTo(Status.REJECTED);
        assertThat(outcome.detail()).contains("big (2000000 characters)").contains("921600");
        a.join();
    }

    @Test
    void acknowledgementReplacesTheEarlierOneAndIsSeenByWhoCollects() throws Exception {
        Member first = a.join();
        b.awaitSnapshot(all -> all.acknowledgements().isEmpty());
        a.perform(new Request.Acknowledge(first.node(), 7));
        b.store().collect(true);
        b.awaitSnapshot(all ->
                all.acknowledgements().equals(java.util.Optional.of(Set.of(new Acknowledgement(first.node(), 7)))));

        a.perform(new Request.Acknowledge(first.node(), 8));
        assertThat(server.children(CLUSTER + "/acks")).containsExactly("8." + first.node());
        a.perform(new Request.Acknowledge(first.node(), 8));
        b.awaitSnapshot(all ->
                all.acknowledgements().equals(java.util.Optional.of(Set.of(new Acknowledgement(first.node(), 8)))));
        assertThat(server.children(CLUSTER + "/acks")).containsExactly("8." + first.node());
        assertThat(a.snapshot().get().acknowledgements()).isEmpty();

        b.store().collect(false);
        a.perform(new Request.Acknowledge(first.node(), 9));
        b.perform(new Request.Probe());
        assertThat(b.snapshot().get().acknowledgements()).isEmpty();
    }

    @Test
    void acknowledgementLostOrMadeBySomebodyElseIsRepaired() throws Exception {
        Member first = a.join();
        a.perform(new Request.Acknowledge(first.node(), 7));
        server.delete(CLUSTER + "/acks/7." + first.node());
        a.perform(new Request.Acknowledge(first.node(), 8));
        assertThat(server.children(CLUSTER + "/acks")).containsExactly("8." + first.node());
        server.create(CLUSTER + "/acks/9." + first.node());
        a.perform(new Request.Acknowledge(first.node(), 9));
        assertThat(server.children(CLUSTER + "/acks")).containsExactly("9." + first.node());
    }

    @Test
    void acknowledgementGoesWithItsMember() throws Exception {
        Member first = a.join();
        a.perform(new Request.Acknowledge(first.node(), 7));
        a.perform(Witness.leaving(first));
        a.perform(new Request.Probe());
        assertThat(server.children(CLUSTER + "/acks")).isEmpty();

        a.perform(new Request.Announce(a.record(Map.of())));
        server.forgetAsked();
        a.perform(new Request.Acknowledge(a.own().node(), 8));
        assertThat(server.asked(a.session())).isEqualTo(Map.of("multi", 1L));
    }

    @Test
    void acknowledgementStaysWhenItsMemberMayNotBeDeleted() throws Exception {
        Member first = a.join();
        a.perform(new Request.Acknowledge(first.node(), 7));
        setRights(CLUSTER + "/members", Perms.ALL & ~Perms.DELETE);
        assertThat(a.ask(Witness.leaving(first)).status()).isEqualTo(Status.REJECTED);
        a.perform(new Request.Probe());
        assertThat(server.children(CLUSTER + "/acks")).containsExactly("7." + first.node());

        setRights(CLUSTER + "/members", Perms.ALL);
        a.perform(Witness.leaving(first));
        a.perform(new Request.Probe());
        assertThat(server.children(CLUSTER + "/acks")).isEmpty();
    }

    private void setRights(String path, int rights) throws Exception {
        server.with(
                client -> client.setACL(path, Collections.singletonList(new ACL(rights, Ids.ANYONE_ID_UNSAFE)), -1));
    }

    @Test
    void viewThatIsTooLargeTogetherWithItsEntryIsRefused() {
        Member first = a.join();
        Request.Publish small = a.publication(first.node());
        String noise = new java.util.Random(1)
                .ints(700_000, ' ', '~')
                .mapToObj(Character::toString)
                .collect(java.util.stream.Collectors.joining());
        EstablishedView plain = small.next();
        EstablishedView large = new EstablishedView(
                new ViewHead(
                        plain.number(),
                        plain.previous(),
                        plain.token(),
                        plain.sessionTimeoutMillis(),
                        0,
                        Reason.ofText(noise),
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
        assertThat(a.snapshot().get().slot().recorded()).isEqualTo(taken);
        a.perform(a.publication(first.node()));
    }

    @Test
    void publicationOverALaterViewIsRefusedWhateverItsNumber() {
        Member first = a.join();
        Request.Publish stale = a.publication(first.node());
        a.perform(stale);
        a.awaitSnapshot(all -> all.view().isPresent());
        Request.Publish next = a.publication(first.node());
        Request.Publish another =
                new Request.Publish(next.next(), stale.expectedVersion(), next.node(), next.entry(), Set.of());

        assertThat(a.ask(another).status()).isEqualTo(Status.OVERTAKEN);
        a.perform(next);
    }

    @Test
    void publicationThatRestsOnEarlierRenewalsThanThoseReadLastIsRefused() {
        Member first = a.join();
        Member second = b.join();
        b.awaitSnapshot(all -> all.members().size() == 2);
        long earlier = b.leaseProbe().renewals();
        a.perform(new Request.Renew(first.node(), a.snapshot().get().slot().version(), 10_000));
        long last = b.leaseProbe().renewals();
        Request.Publish next = b.publication(second.node());

        assertThat(b.ask(restingOn(next, earlier)).status()).isEqualTo(Status.OVERTAKEN);
        b.perform(restingOn(next, last));
    }

    private static Request.Publish restingOn(Request.Publish next, long renewals) {
        return new Request.Publish(
                next.next(),
                next.expectedVersion(),
                next.node(),
                next.entry(),
                Set.of(),
                OptionalLong.of(renewals),
                next.format(),
                next.sessionTimeoutMillis());
    }

    @Test
    void everythingIsReadAgainWhenAnotherClientDeletesTheOwnNode() throws Exception {
        Member first = a.join();
        server.forgetAsked();
        server.delete(CLUSTER + "/members/" + first.node());
        await().atMost(Witness.LONG).until(() -> server.asked(a.session()).containsKey("multiRead"));
    }

    @Test
    void historyKeepsTheLastEntriesWhoeverPublishes() throws Exception {
        String history = CLUSTER + "/history";
        makeHistory(HistoryNames.KEPT - 51);
        Member first = a.join();
        Member second = b.join();
        for (int i = 0; i < 120; i++) {
            a.awaitSnapshot(all -> all.members().size() == 2);
            a.perform(a.publication(first.node()));
            if (i % 3 == 0) {
                long number = a.snapshot().get().view().get().number();
                b.awaitSnapshot(
                        all -> all.view().isPresent() && all.view().get().number() == number);
                b.perform(b.publication(second.node()));
                long next = number + 1;
                a.awaitSnapshot(all -> all.view().get().number() == next);
            }
        }
        long last = a.snapshot().get().view().get().number();
        assertThat(server.children(history))
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

        await().atMost(Witness.LONG)
                .until(() -> server.children(CLUSTER + "/history").size() == HistoryNames.KEPT);
        assertThat(server.children(CLUSTER + "/history"))
                .contains(Names.entry(publication.next().number()))
                .doesNotContain(Names.entry(1));
    }

    private void makeHistory(int entries) throws Exception {
        server.with(client -> {
            for (int i = 1; i <= entries; i++) {
                String earlier = CLUSTER + "/history/" + Names.entry(i);
                client.create(
                        earlier,
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

    @Test
    void nodeGoesWithoutADepartureNoteWhereNoneCanBeLeft() throws Exception {
        Member first = a.join();
        a.perform(a.publication(first.node()));
        a.awaitSnapshot(all -> all.view().isPresent());
        server.delete(CLUSTER + "/departures");
        a.perform(Witness.leaving(first));
        a.awaitSnapshot(all -> all.members().isEmpty());
        assertThat(a.ask(new Request.ProbeLease()).status()).isEqualTo(Status.OVERTAKEN);
        await().atMost(Witness.LONG).until(() -> server.exists(CLUSTER + "/departures"));
        a.perform(new Request.ProbeLease());
    }

    @Test
    void departureNoteThatIsThereAlreadyIsNoObstacle() throws Exception {
        Member first = a.join();
        a.perform(a.publication(first.node()));
        a.awaitSnapshot(all -> all.view().isPresent());
        Request.Delete leaving = Witness.leaving(first);
        server.create(CLUSTER + "/departures/" + Names.note(leaving.note()));
        a.perform(leaving);
        a.awaitSnapshot(all -> all.members().isEmpty());
        assertThat(a.leaseProbe().notes()).containsExactly(leaving.note());
    }

    @Test
    void publicationSucceedsThoughDepartureNotesCannotBeRemoved() throws Exception {
        Member first = a.join();
        DepartureNote gone = DepartureNote.own("m-0123456789abcdef-1-1-0000000001", DepartureNote.Kind.STOPPED);
        DepartureNote stuck = DepartureNote.own("m-0123456789abcdef-1-1-0000000002", DepartureNote.Kind.STOPPED);
        server.create(CLUSTER + "/departures/" + Names.note(stuck));
        server.create(CLUSTER + "/departures/" + Names.note(stuck) + "/child");
        a.perform(a.publication(first.node(), first.node(), gone));
        a.awaitSnapshot(all -> all.view().isPresent());
        long number = a.snapshot().get().view().get().number();
        a.perform(a.publication(first.node(), first.node(), stuck));
        a.awaitSnapshot(all -> all.view().get().number() == number + 1);
        assertThat(a.leaseProbe().notes()).containsExactly(stuck);
    }

    @Test
    void requestThatCannotBeSentIsRefusedAndHarmsNobody() {
        Member first = a.join();
        Outcome bad = a.ask(new Request.Delete(DepartureNote.own("../view", DepartureNote.Kind.STOPPED)));
        assertThat(bad.status()).isEqualTo(Status.REJECTED);
        assertThat(bad.detail()).contains("../view");
        assertThat(a.ask(new Request.Update("no//node", a.record(Map.of()))).status())
                .isEqualTo(Status.REJECTED);
        a.perform(new Request.Update(first.node(), a.record(Map.of("x", "1"))));
    }

    @Test
    void leaseProbeIsForgottenWhenTheConnectionIsLostAndKeptWhenAllIsReadAgain() throws Exception {
        Member first = a.join();
        LeaseProbe known = a.leaseProbe();
        server.delete(CLUSTER + "/lease");
        a.ask(new Request.Renew(first.node(), a.snapshot().get().slot().version(), 9_000));
        await().atMost(Witness.LONG).until(() -> server.exists(CLUSTER + "/lease"));
        a.perform(new Request.Probe());
        assertThat(a.snapshot().get().leaseProbe()).contains(known);

        server.drop(a.session());
        await().atMost(Witness.LONG)
                .until(() -> a.calls(Witness.Connected.class).size() == 2);
        a.awaitSnapshot(all -> all.leaseProbe().isEmpty());
    }
}
