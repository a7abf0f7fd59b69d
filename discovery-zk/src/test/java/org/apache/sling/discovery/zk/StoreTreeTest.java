// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.zk;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.List;
import java.util.Map;
import org.apache.sling.discovery.commons.model.Member;
import org.apache.sling.discovery.commons.model.StoreSnapshot;
import org.apache.sling.discovery.commons.spi.Outcome.Status;
import org.apache.sling.discovery.commons.spi.Request;
import org.apache.sling.discovery.zk.testing.Witness;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A store creates the nodes that are missing, and those that are deleted while it runs. */
class StoreTreeTest extends OneServer {

    @Test
    void storesThatStartTogetherAgreeOnTheClusterId() throws Exception {
        List<Witness> all = List.of(witness("a"), witness("b"), witness("c"), witness("d"));
        try {
            String id = all.get(0).awaitSnapshot(any -> true).clusterId();
            assertThat(all)
                    .allSatisfy(one -> assertThat(one.awaitSnapshot(any -> true).clusterId())
                            .isEqualTo(id));
            assertThat(server.children(CLUSTER))
                    .containsExactlyInAnyOrder("members", "acks", "view", "history", "lease", "departures");
        } finally {
            all.forEach(Witness::close);
        }
        try (Witness later = witness("e")) {
            assertThat(later.awaitSnapshot(any -> true).members()).isEmpty();
        }
    }

    @Test
    void treeDeletedUnderARunningStoreIsMadeAgain() throws Exception {
        try (Witness a = witness("a");
                Witness b = witness("b")) {
            a.join();
            StoreSnapshot before = b.awaitSnapshot(all -> all.members().size() == 1);
            Request.Publish early = a.publication(before.members().get(0).node());
            a.perform(early);
            b.awaitSnapshot(all -> all.view().isPresent());
            server.delete("/sling");
            b.awaitSnapshot(all -> all.members().isEmpty() && !all.clusterId().equals(before.clusterId()));
            a.awaitSnapshot(all -> all.members().isEmpty() && !all.clusterId().equals(before.clusterId()));
            Member again = a.join();
            assertThat(early.expectedVersion())
                    .isEqualTo(a.snapshot().get().slot().version());
            assertThat(a.ask(early).detail()).as("sent too late").contains(early.node());
            b.awaitSnapshot(all -> all.members().size() == 1);
            long number = a.publication(again.node()).next().number();
            assertThat(number).isGreaterThan(before.slot().nextNumber());
            a.perform(a.publication(again.node()));
            b.awaitSnapshot(all -> all.view().isPresent());
            a.perform(new Request.Probe());
            assertThat(a.calls(Witness.Suspended.class)).isEmpty();
        }
    }

    @Test
    void theIdThatAnotherClientWritesIsTheIdOfTheCluster() throws Exception {
        try (Witness a = witness("a");
                Witness b = witness("b")) {
            String made = a.awaitSnapshot(any -> true).clusterId();
            b.awaitSnapshot(any -> true);
            String restored = "1b4e28ba-2fa1-41d2-883f-0016d3cca427";
            String record = new String(server.data(CLUSTER), UTF_8).replace(made, restored);
            server.with(client -> client.setData(CLUSTER, record.getBytes(UTF_8), -1));
            a.awaitSnapshot(all -> all.clusterId().equals(restored));
            b.awaitSnapshot(all -> all.clusterId().equals(restored));
            server.with(client -> client.setData(CLUSTER, new byte[0], -1));
            String again =
                    a.awaitSnapshot(all -> !all.clusterId().equals(restored)).clusterId();
            b.awaitSnapshot(all -> all.clusterId().equals(again));
        }
    }

    @Test
    void partsDeletedUnderARunningStoreAreMadeAgain() throws Exception {
        try (Witness a = witness("a")) {
            Member own = a.join();
            List<String> parts = List.of("lease", "history", "acks", "departures");
            for (String part : parts) {
                server.delete(CLUSTER + "/" + part);
            }
            Request renewal =
                    new Request.Renew(own.node(), a.snapshot().get().slot().version(), 9_000);
            assertThat(a.ask(renewal).status()).isEqualTo(Status.OVERTAKEN);
            await().atMost(Witness.LONG).until(() -> server.children(CLUSTER).containsAll(parts));
            a.perform(new Request.Probe());
            a.perform(renewal);
            a.perform(new Request.ProbeLease());
            a.perform(new Request.Acknowledge(own.node(), 3));
            a.perform(a.publication(own.node()));
        }
    }

    @Test
    void nodeDeletedBySomebodyElseIsReplacedOnlyAfterTheRestHasBeenReadAgain() throws Exception {
        try (Witness a = witness("a")) {
            Member own = a.join();
            server.forgetAsked();
            server.delete(CLUSTER + "/members/" + own.node());
            a.awaitSnapshot(all -> all.members().isEmpty());
            a.perform(new Request.Announce(a.record(Map.of())));
            assertThat(server.asked(a.session())).containsKey("multiRead");
            assertThat(server.children(CLUSTER + "/members"))
                    .containsExactly(a.own().node());
        }
    }

    @Test
    void nodeOfAnotherInstanceThatIsDeletedDelaysNothing() throws Exception {
        try (Witness a = witness("a");
                Witness b = witness("b")) {
            Member own = a.join();
            Member other = b.join();
            a.awaitSnapshot(all -> all.members().size() == 2);
            server.forgetAsked();
            server.delete(CLUSTER + "/members/" + other.node());
            a.awaitSnapshot(all -> all.members().equals(List.of(own)));
            a.perform(new Request.Announce(a.record(Map.of())));
            assertThat(server.asked(a.session())).doesNotContainKeys("getChildren", "multiRead");
        }
    }

    @Test
    void nodeIsMadeWhenTheMissingPartsAreThereAgain() throws Exception {
        try (Witness a = witness("a")) {
            a.join();
            server.delete(CLUSTER + "/members");
            a.awaitSnapshot(all -> all.members().isEmpty());
            a.perform(new Request.Announce(a.record(Map.of())));
            assertThat(a.snapshot().get().members()).containsExactly(a.own());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"view", "members", "acks"})
    void deletedPartIsMadeAgainThoughNothingIsAsked(String part) throws Exception {
        try (Witness a = witness("a")) {
            a.awaitSnapshot(any -> true);
            a.store().collect(true);
            a.awaitSnapshot(all -> all.acknowledgements().isPresent());
            server.delete(CLUSTER + "/" + part);
            await().atMost(Witness.LONG).until(() -> server.exists(CLUSTER + "/" + part));
        }
    }

    @Test
    void treeOfAnEarlierVersionGetsWhatItLacks() throws Exception {
        try (Witness a = witness("a")) {
            a.join();
        }
        server.delete(CLUSTER + "/departures");
        try (Witness a = witness("a")) {
            a.join();
            a.perform(new Request.ProbeLease());
            assertThat(server.children(CLUSTER + "/departures")).isEmpty();
        }
    }
}
