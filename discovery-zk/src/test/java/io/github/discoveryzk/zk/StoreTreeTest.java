// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.zk;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.discoveryzk.model.Member;
import io.github.discoveryzk.model.StoreSnapshot;
import io.github.discoveryzk.spi.Outcome.Status;
import io.github.discoveryzk.spi.Request;
import io.github.discoveryzk.testing.RecordingObserver;
import io.github.discoveryzk.testing.Witness;
import io.github.discoveryzk.zk.testing.OneServer;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A store creates the nodes that are missing, and those that are deleted while it runs. It refuses roots of other products. */
class StoreTreeTest extends OneServer {

    @Test
    void storesThatStartTogetherAgreeOnTheClusterId() throws Exception {
        List<Witness> all = List.of(witness("a"), witness("b"), witness("c"), witness("d"));
        String id = all.get(0).awaitSnapshot(any -> true).clusterId();
        assertThat(all)
                .allSatisfy(one ->
                        assertThat(one.awaitSnapshot(any -> true).clusterId()).isEqualTo(id));
        assertThat(server.children(CLUSTER))
                .containsExactlyInAnyOrder("members", "acks", "view", "history", "lease", "departures", "suspects");
        all.forEach(Witness::close);

        server.delete(CLUSTER + "/departures");
        Witness later = witness("e");
        assertThat(later.awaitSnapshot(any -> true).members()).isEmpty();
        later.perform(new Request.ProbeLease());
        assertThat(server.children(CLUSTER + "/departures")).isEmpty();
    }

    @Test
    void treeDeletedUnderARunningStoreIsMadeAgain() throws Exception {
        Witness a = witness("a");
        Witness b = witness("b");
        Member first = a.join();
        StoreSnapshot before = b.awaitMembers(1);
        Request.Publish early = a.publication(first.node());
        a.perform(early);
        b.awaitSnapshot(all -> all.view().isPresent());
        server.delete("/sling");
        for (Witness one : List.of(a, b)) {
            one.awaitSnapshot(all -> all.members().isEmpty() && !all.clusterId().equals(before.clusterId()));
        }
        a.join();
        assertThat(early.expectedVersion()).isEqualTo(a.snapshot().slot().version());
        assertThat(a.ask(early).detail()).as("sent too late").contains(early.node());
        b.awaitMembers(1);
        assertThat(a.publishNext().number()).isGreaterThan(before.slot().nextNumber());
        b.awaitSnapshot(all -> all.view().isPresent());
        a.perform(new Request.Probe());
        assertThat(a.calls(RecordingObserver.Suspended.class)).isEmpty();
    }

    @Test
    void theIdThatAnotherClientWritesIsTheIdOfTheCluster() throws Exception {
        Witness a = witness("a");
        Witness b = witness("b");
        String made = a.awaitSnapshot(any -> true).clusterId();
        b.awaitSnapshot(any -> true);
        String restored = "1b4e28ba-2fa1-41d2-883f-0016d3cca427";
        write(CLUSTER, new String(server.data(CLUSTER), UTF_8).replace(made, restored));
        a.awaitSnapshot(all -> all.clusterId().equals(restored));
        b.awaitSnapshot(all -> all.clusterId().equals(restored));
        write(CLUSTER, "");
        String again = a.awaitSnapshot(all -> !all.clusterId().equals(restored)).clusterId();
        b.awaitSnapshot(all -> all.clusterId().equals(again));
    }

    @Test
    void partsDeletedUnderARunningStoreAreMadeAgain() throws Exception {
        Witness a = witness("a");
        Member own = a.join();
        List<String> parts = List.of("lease", "history", "acks", "departures");
        for (String part : parts) {
            server.delete(CLUSTER + "/" + part);
        }
        assertThat(a.ask(a.renewal()).status()).isEqualTo(Status.OVERTAKEN);
        eventually(() -> server.children(CLUSTER).containsAll(parts));
        a.perform(new Request.Probe());
        a.perform(a.renewal());
        a.perform(new Request.ProbeLease());
        a.perform(new Request.Acknowledge(own.node(), 3));
        a.publishNext();
    }

    @Test
    void nodeDeletedBySomebodyElseIsReplacedOnlyAfterTheRestHasBeenReadAgain() throws Exception {
        Witness a = witness("a");
        Member own = a.join();
        Member other = witness("b").join();
        a.awaitMembers(2);
        server.forgetAsked();
        server.delete(CLUSTER + "/members/" + other.node());
        a.awaitSnapshot(all -> all.members().equals(List.of(own)));
        a.perform(new Request.Announce(a.record(Map.of())));
        assertThat(asked(a)).as("after the deletion of another node").doesNotContainKey("multiRead");

        server.forgetAsked();
        for (String node : server.children(CLUSTER + "/members")) {
            server.delete(CLUSTER + "/members/" + node);
        }
        a.awaitMembers(0);
        a.perform(new Request.Announce(a.record(Map.of())));
        assertThat(asked(a)).containsKey("multiRead");
        assertThat(server.children(CLUSTER + "/members"))
                .containsExactly(a.own().node());
    }

    @ParameterizedTest
    @ValueSource(strings = {"view", "members", "acks"})
    void deletedPartIsMadeAgainThoughNothingIsAsked(String part) throws Exception {
        Witness a = witness("a");
        a.awaitSnapshot(any -> true);
        a.store().collect(true);
        a.awaitSnapshot(all -> all.acknowledgements().isPresent());
        server.delete(CLUSTER + "/" + part);
        eventually(() -> server.exists(CLUSTER + "/" + part));
        a.perform(new Request.Announce(a.record(Map.of())));
    }

    @Nested
    class Roots {

        @Test
        void rootOfSomebodyElseIsRefusedAndNothingIsWritten() throws Exception {
            server.create("/sling");
            server.create(ROOT, "somebody else's".getBytes(UTF_8));
            Witness a = witness("a");
            a.awaitTrouble(ROOT);
            assertThat(a.ask(new Request.Announce(a.record(Map.of()))).status()).isEqualTo(Status.UNKNOWN);
            assertThat(a.calls(RecordingObserver.Connected.class)).isEmpty();
            assertThat(server.children(ROOT)).isEmpty();
            server.delete(ROOT);
            a.awaitSnapshot(any -> true);
            assertThat(a.troubles()).last().isEqualTo("");
        }

        @Test
        void rootOfANewerFormatIsRefused() throws Exception {
            server.create("/sling");
            server.create(ROOT, "{\"format\":2,\"product\":\"discovery-zk\"}".getBytes(UTF_8));
            witness("a").awaitTrouble("format 2");
            assertThat(server.children(ROOT)).isEmpty();
        }

        @Test
        void rootWithoutDataButWithChildrenIsRefusedAndAnEmptyOneTaken() throws Exception {
            server.create("/kafka");
            server.create("/kafka/brokers");
            server.create("/empty");
            witness("a", config().withRootPath("/kafka")).awaitTrouble("/kafka");
            assertThat(server.children("/kafka")).containsExactly("brokers");
            witness("b", config().withRootPath("/empty")).awaitSnapshot(any -> true);
        }

        @Test
        void pathBehindTheServersIsMadeAndComesBeforeTheRoot() throws Exception {
            ZooKeeperStoreConfig config = ZooKeeperStoreConfig.of(server.address() + "/some/where");
            witness("a", config.withClusterName("blue")).join();
            assertThat(server.children("/some/where/sling/discovery/clusters/blue/members"))
                    .hasSize(1);
        }

        @Test
        void brokenClusterIdIsRefusedAndNamed() throws Exception {
            Witness first = witness("a");
            first.join();
            first.close();
            write(CLUSTER, new byte[] {0x1f, (byte) 0x8b, 8, 0});
            Witness a = witness("a");
            a.awaitTrouble(CLUSTER);
            assertThat(a.calls(RecordingObserver.Connected.class)).isEmpty();
            assertThat(server.children(CLUSTER + "/members")).isEmpty();
        }

        @Test
        void brokenRootMarkerUnderARunningStoreIsNamedAtTheNextConnect() throws Exception {
            Witness a = witness("a");
            a.join();
            byte[] good = server.data(ROOT);
            write(ROOT, new byte[] {1, 2, 3});
            server.drop(a.session());
            a.awaitTrouble(ROOT);
            assertThat(a.ask(new Request.Probe()).status()).isEqualTo(Status.UNKNOWN);
            write(ROOT, good);
            a.awaitConnects(2);
            a.awaitMembers(1);
        }
    }
}
