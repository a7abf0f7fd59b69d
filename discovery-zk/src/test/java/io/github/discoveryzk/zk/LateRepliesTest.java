// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.zk;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.discoveryzk.model.Acknowledgement;
import io.github.discoveryzk.model.Member;
import io.github.discoveryzk.model.StoreSnapshot;
import io.github.discoveryzk.spi.Outcome;
import io.github.discoveryzk.spi.Outcome.Status;
import io.github.discoveryzk.spi.Request;
import io.github.discoveryzk.testing.RecordingObserver;
import io.github.discoveryzk.testing.Witness;
import io.github.discoveryzk.zk.testing.OddClient.Oddity;
import io.github.discoveryzk.zk.testing.OddStore;
import io.github.discoveryzk.zk.testing.OneServer;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.zookeeper.Watcher.Event.EventType;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Whatever comes late, oddly or never: each request is replied to once, the next ones are carried out, and nothing overtakes. */
class LateRepliesTest extends OneServer {
    private OddStore store;

    /** Has the odd client. */
    private Witness a;

    private Witness b;

    @BeforeEach
    void connect() {
        store = new OddStore(server.address());
        a = witness("a", store);
        b = witness("b");
        a.awaitSnapshot(any -> true);
        b.awaitSnapshot(any -> true);
    }

    private void awaitKept(int count) {
        eventually(() -> store.client().kept() == count);
    }

    private static boolean has(StoreSnapshot all, String x) {
        return all.members().get(0).record().properties().equals(Map.of("x", x));
    }

    private void assertOneOutcome(Request request, Status status) {
        a.awaitCall(RecordingObserver.Completed.class, reply -> reply.request() == request);
        assertThat(a.calls(RecordingObserver.Completed.class))
                .filteredOn(reply -> reply.request() == request)
                .singleElement()
                .satisfies(reply -> assertThat(reply.outcome().status()).isEqualTo(status));
    }

    @ParameterizedTest
    @CsvSource({"NO_STAT, SYSTEMERROR", "THROWS, thrown by a test"})
    void replyThatMakesNoSenseAndFailureWhileSendingAreOutcomesToo(Oddity oddity, String why) {
        store.client().be(oddity);
        Outcome outcome = a.ask(new Request.Probe());
        assertThat(outcome.status()).isEqualTo(Status.REJECTED);
        assertThat(outcome.detail()).contains(why);
        store.client().be(Oddity.NONE);
        a.perform(new Request.Probe());
    }

    @Test
    void memberOfWhichNoWatchToldIsFoundByTheNumberOfMembers() {
        store.client().swallow(event -> event.getType() == EventType.NodeCreated);
        Member unseen = b.join();
        a.perform(new Request.Probe());
        assertThat(a.snapshot().members()).containsExactly(unseen);
        store.client().swallow(event -> event.getType() == EventType.NodeDeleted);
        b.perform(Witness.leaving(unseen));
        a.perform(new Request.ProbeLease());
        assertThat(a.snapshot().members()).isEmpty();
    }

    @Test
    void leaseProbeIsToldAfterTheChangesThatCameBeforeIt() throws Exception {
        store.client().delay(path -> path.contains("/members/"));
        Member joins = b.join();
        awaitKept(1);
        Request probe = new Request.ProbeLease();
        server.forgetAsked();
        store.request(probe);
        eventually(() -> !server.asked(store.session()).isEmpty());
        CompletableFuture<Void> later = new CompletableFuture<>();
        store.client().exists("/", false, (rc, path, context, stat) -> later.complete(null), null);
        later.get(OneServer.LONG.toSeconds(), TimeUnit.SECONDS);
        store.awaitIdle();
        store.client().release();

        assertOneOutcome(probe, Status.DONE);
        assertThat(a.snapshots())
                .filteredOn(seen -> seen.leaseProbe().isPresent())
                .isNotEmpty()
                .allSatisfy(seen -> assertThat(seen.members()).containsExactly(joins));
    }

    @Test
    void viewIsToldTogetherWithTheChangesThatCameBeforeIt() {
        Witness c = witness("c");
        Member leaves = b.join();
        a.awaitMembers(1);
        store.client().delay(path -> path.endsWith("/view"));
        b.perform(b.publication(leaves.node()));
        awaitKept(1);
        Request confirm = new Request.Probe();
        server.forgetAsked();
        store.request(confirm);
        eventually(() -> server.asked(store.session()).containsKey("exists"));
        Member joins = c.join();
        b.perform(Witness.leaving(leaves));
        c.awaitSnapshot(
                all -> all.members().equals(List.of(joins)) && all.view().isPresent());
        Request.Publish last = c.publication(joins.node());
        c.perform(last);
        store.client().release();

        assertOneOutcome(confirm, Status.DONE);
        assertThat(a.snapshots())
                .filteredOn(seen -> seen.view().equals(Optional.of(last.next())))
                .isNotEmpty()
                .allSatisfy(seen -> assertThat(seen.members()).containsExactly(joins));
        List<RecordingObserver.Received> notified = a.calls();
        assertThat(notified.indexOf(new RecordingObserver.Observed(a.snapshot())))
                .as("notified before the reply")
                .isLessThan(notified.indexOf(new RecordingObserver.Completed(confirm, Outcome.DONE)));
    }

    @Test
    void viewThatGoesBeforeItIsReadHoldsUpNothing() throws Exception {
        a.join();
        store.client().delay(path -> path.endsWith("/view"));
        a.update(Map.of("x", "1"));
        write(CLUSTER + "/view", "");
        awaitKept(1);
        server.delete(CLUSTER + "/view");
        store.client().release();
        a.update(Map.of("x", "2"));
        a.awaitSnapshot(all -> has(all, "2"));
    }

    @Test
    void rereadingThatWaitsOnAnEarlierConnectionDoesNotKeepALaterOneFromIt() throws Exception {
        b.join();
        for (int i = 0; i < 3; i++) {
            server.delete(CLUSTER + "/lease");
            assertThat(b.ask(b.renewal()).status()).isEqualTo(Status.OVERTAKEN);
            reconnect(b);
            b.awaitSnapshot(any -> server.exists(CLUSTER + "/lease"));
        }
        b.perform(new Request.Probe());
        server.delete(CLUSTER + "/lease");
        assertThat(b.ask(b.renewal()).status()).isEqualTo(Status.OVERTAKEN);
        eventually(() -> server.exists(CLUSTER + "/lease"));
        b.perform(b.renewal());
    }

    @Test
    void anUpdateThatFailsLeadsToAFullRead() {
        b.join();
        a.awaitMembers(1);
        store.client().failNextReads(1);
        b.update(Map.of("x", "1"));
        a.awaitSnapshot(all -> has(all, "1"));
    }

    /** The connection is lost in the middle of something: nothing of it is left behind on the next one. */
    @Nested
    class Reconnects {

        @Test
        void changeThatWasBeingReadDoesNotKeepBackLaterOnes() {
            Member first = b.join();
            a.awaitMembers(1);
            store.client().delay(path -> path.contains("/view") || path.contains("/members/"));
            b.perform(b.publication(first.node()));
            awaitKept(1);
            b.update(Map.of("x", "1"));
            awaitKept(2);
            store.client().releaseFirst();
            // The member is read again when the read that is kept has been answered.
            b.update(Map.of("x", "2"));
            awaitKept(1);
            int notified = a.calls().size();
            store.client().delay(path -> false);
            store.reconnect();
            store.client().release();
            eventually(() -> a.calls().size() > notified);
            a.awaitSnapshot(all -> all.view().isPresent() && has(all, "2"));
            b.update(Map.of("x", "3"));
            a.awaitSnapshot(all -> has(all, "3"));
            a.perform(new Request.Probe());
        }

        @Test
        void readThatIsNeverAnsweredDoesNotKeepBackThoseOfTheNextConnection() {
            b.join();
            a.awaitMembers(1);
            store.client().delay(path -> path.contains("/members/"));
            b.update(Map.of("x", "1"));
            awaitKept(1);
            store.client().delay(path -> false);
            store.reconnect();
            a.awaitSnapshot(all -> has(all, "1"));
            b.update(Map.of("x", "2"));
            a.awaitSnapshot(all -> has(all, "2"));
        }

        @Test
        void requestThatWasUnderWayIsRepliedOnceAndImmediately() {
            store.client().be(Oddity.REPLY_KEPT);
            Request confirm = new Request.Probe();
            store.request(confirm);
            awaitKept(1);
            store.client().be(Oddity.NONE);
            store.reconnect();
            a.awaitCall(RecordingObserver.Completed.class, reply -> reply.request() == confirm);
            store.client().release();
            a.awaitSnapshot(any -> true);
            eventually(() -> a.ask(new Request.Probe()).status() == Status.DONE);
            assertOneOutcome(confirm, Status.UNKNOWN);
        }

        @Test
        void nodeThatWaitedForTheTreeIsNotMadeLater() throws Exception {
            a.join();
            store.client().delay(path -> path.equals(ROOT));
            server.delete(CLUSTER + "/members");
            awaitKept(1);
            Request announce = new Request.Announce(a.record(Map.of()));
            store.request(announce);
            store.reconnect();
            assertOneOutcome(announce, Status.UNKNOWN);
            store.client().release();
            eventually(() -> a.ask(new Request.Probe()).status() == Status.DONE);
            assertThat(server.children(CLUSTER + "/members")).isEmpty();
        }

        @ParameterizedTest
        @CsvSource({"true", "false"})
        void acknowledgementsAreReadWhileTheyAreWanted(boolean before) {
            Member first = b.join();
            a.awaitMembers(1);
            store.collect(before);
            a.awaitSnapshot(all -> all.acknowledgements().isPresent() == before);
            store.client().delay(path -> path.endsWith(first.node()));
            store.reconnect();
            awaitKept(1);
            b.perform(new Request.Acknowledge(first.node(), 4));
            store.collect(true);
            int notified = a.calls().size();
            store.client().release();
            eventually(() -> a.calls().size() > notified);
            a.awaitSnapshot(
                    all -> all.acknowledgements().equals(Optional.of(Set.of(new Acknowledgement(first.node(), 4)))));
        }

        @Test
        void partThatGoesWhileAllIsReadIsMadeAgain() throws Exception {
            store.client().delay(path -> path.endsWith("/view"));
            store.reconnect();
            awaitKept(1);
            server.delete(CLUSTER + "/view");
            int notified = a.calls().size();
            store.client().release();
            eventually(() -> a.calls().size() > notified && server.exists(CLUSTER + "/view"));
            a.perform(new Request.Probe());
        }
    }
}
