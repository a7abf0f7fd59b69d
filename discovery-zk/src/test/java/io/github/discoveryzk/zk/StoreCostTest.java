// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.zk;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.discoveryzk.model.LeaveRecord;
import io.github.discoveryzk.model.Member;
import io.github.discoveryzk.model.Suspicion;
import io.github.discoveryzk.spi.Request;
import io.github.discoveryzk.testing.RecordingObserver;
import io.github.discoveryzk.testing.Witness;
import io.github.discoveryzk.zk.testing.OneServer;
import io.github.discoveryzk.zk.testing.TwoInstances;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.ZooDefs.Ids;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What each change costs whom, in requests counted by the server. Pings are not counted. */
class StoreCostTest {

    @Nested
    class OneChange extends TwoInstances {
        private Member first;
        private Member second;

        @BeforeEach
        void settle() {
            first = a.join();
            second = b.join();
            a.awaitMembers(2);
            b.awaitMembers(2);
            server.forgetAsked();
        }

        private void costs(Map<String, Long> toA, Map<String, Long> toB) {
            assertThat(List.of(asked(a), asked(b))).isEqualTo(List.of(toA, toB));
        }

        @Test
        void joinCostsOneReadEach() {
            a.perform(Witness.leaving(first));
            b.awaitMembers(1);
            costs(Map.of("multi", 1L), Map.of());

            server.forgetAsked();
            a.perform(new Request.Announce(a.record(Map.of())));
            b.awaitMembers(2);
            costs(Map.of("create", 1L, "getData", 1L), Map.of("getData", 1L));
        }

        @Test
        void propertyChangeCostsOneReadEach() {
            a.update(Map.of("x", "y"));
            b.awaitSnapshot(all -> !all.members().get(0).record().properties().isEmpty());
            costs(Map.of("setData", 1L, "getData", 1L), Map.of("getData", 1L));
        }

        @Test
        void publicationCostsOneTransactionAndOneReadEach() {
            b.store().collect(true);
            b.awaitSnapshot(all -> all.acknowledgements().isPresent());
            b.perform(new Request.Probe());
            server.forgetAsked();
            b.perform(b.publication(second.node()));
            a.awaitSnapshot(all -> all.view().isPresent());
            costs(Map.of("getData", 1L), Map.of("multi", 1L, "getData", 1L));
        }

        @Test
        void acknowledgementIsToldToWhoCollectsAndReadByNobody() {
            a.store().collect(true);
            a.awaitSnapshot(all -> all.acknowledgements().isPresent());
            a.perform(new Request.Probe());
            int notified = b.calls().size();
            server.forgetAsked();
            b.perform(new Request.Acknowledge(second.node(), 4));
            b.perform(new Request.Acknowledge(second.node(), 5));
            a.awaitSnapshot(all -> all.acknowledgements().get().size() == 1
                    && all.acknowledgements().get().iterator().next().number() == 5);
            costs(Map.of(), Map.of("multi", 2L));
            assertThat(b.calls()).hasSize(notified + 2);

            a.store().collect(false);
            b.perform(new Request.Acknowledge(second.node(), 6));
            a.perform(new Request.Probe());
            costs(Map.of("removeWatches", 1L, "exists", 1L), Map.of("multi", 3L));
        }

        @Test
        void firstAcknowledgementOfANewSessionCostsOneRequestToo() {
            a.perform(new Request.Acknowledge(first.node(), 4));
            server.expire(a.session());
            a.awaitConnects(2);
            String node = a.join().node();
            b.awaitSnapshot(all -> all.isLive(node));
            server.forgetAsked();
            a.perform(new Request.Acknowledge(node, 5));
            costs(Map.of("multi", 1L), Map.of());
        }

        @Test
        void renewalAndProbesCostOneRequest() {
            a.perform(a.renewal());
            b.perform(new Request.Probe());
            costs(Map.of("multi", 1L), Map.of("exists", 1L));
            server.forgetAsked();
            b.perform(new Request.ProbeLease());
            costs(Map.of(), Map.of("multiRead", 1L));
        }

        @Test
        void leaveOfAMemberOfTheViewCostsOneTransaction() {
            a.perform(a.publication(first.node()));
            b.awaitSnapshot(all -> all.view().isPresent());
            server.forgetAsked();
            a.perform(Witness.leaving(first));
            b.awaitMembers(1);
            costs(Map.of("multi", 1L), Map.of());
        }

        @Test
        void suspicionCostsAccuserAndAccusedAFewRequests() {
            Suspicion suspicion = new Suspicion(second.node(), first.node());
            a.perform(new Request.Suspect(suspicion));
            a.awaitSnapshot(all -> !all.suspicions().isEmpty());
            b.awaitSnapshot(all -> !all.suspicions().isEmpty());
            b.perform(new Request.Refute(suspicion));
            a.awaitSnapshot(all -> all.suspicions().isEmpty());
            a.perform(new Request.Probe());
            costs(Map.of("multi", 1L, "exists", 1L), Map.of("delete", 1L));

            server.forgetAsked();
            a.perform(new Request.Suspect(suspicion));
            a.awaitSnapshot(all -> !all.suspicions().isEmpty());
            a.perform(new Request.Convict(new LeaveRecord(second.node(), LeaveRecord.Kind.CRASHED, first.node(), 0)));
            a.awaitMembers(1);
            a.awaitSnapshot(all -> all.suspicions().isEmpty());
            a.perform(new Request.Probe());
            costs(Map.of("multi", 2L, "exists", 1L), Map.of());
        }

        @Test
        void aLostRaceOfAccusersCostsNoFullRead() throws Exception {
            a.ask(new Request.Convict(new LeaveRecord(second.node(), LeaveRecord.Kind.CRASHED, first.node(), 0)));
            a.ask(new Request.Suspect(new Suspicion("m-0123456789abcdef-1-1-0000000099", first.node())));
            server.delete(CLUSTER + "/members/" + second.node());
            // A full read of the accuser would come before that of the member that has lost its node.
            eventually(() -> asked(b).containsKey("multiRead"));
            a.perform(new Request.Probe());
            assertThat(asked(a)).isEqualTo(Map.of("multi", 2L, "exists", 1L));
        }

        @Test
        void leaveRecordThatWasHeardCostsTheNextPublicationNothing() {
            b.perform(b.publication(second.node()));
            Request.Delete leaving = Witness.leaving(second);
            b.perform(leaving);
            a.awaitMembers(1);
            a.perform(new Request.ProbeLease());
            publishToBoth(leaving.leaveRecord());
            a.perform(new Request.Probe());
            server.forgetAsked();
            publishToBoth(a.snapshot().leaseProbe().get().leaveRecords().toArray(LeaveRecord[]::new));
            costs(Map.of("multi", 1L, "getData", 1L), Map.of("getData", 1L));
        }

        private void publishToBoth(LeaveRecord... leaveRecords) {
            Request.Publish next = a.publication(first.node(), first.node(), leaveRecords);
            a.perform(next);
            for (Witness one : List.of(a, b)) {
                one.awaitSnapshot(all ->
                        all.view().filter(view -> view.equals(next.next())).isPresent());
            }
        }
    }

    @Nested
    class ManyMembers extends OneServer {
        private Witness a;
        private byte[] record;

        @BeforeEach
        void join() throws Exception {
            a = witness("a");
            record = server.data(CLUSTER + "/members/" + a.join().node());
            a.perform(new Request.Probe());
            server.forgetAsked();
        }

        @ParameterizedTest
        @CsvSource({"10, 1", "30, 1", "100, 1", "101, 2", "250, 3"})
        void reconnectCostsAFixedNumberOfRequestsAndOneForEachHundredMembers(int members, long packets)
                throws Exception {
            server.with(client -> {
                addMembers(client, CLUSTER, members - 1, record);
                a.awaitMembers(members);
                server.forgetAsked();
                reconnect(a);
                a.awaitMembers(members);
                a.perform(new Request.Probe());
                Map<String, Long> costs = new HashMap<>(asked(a));
                costs.keySet().removeIf(one -> one.endsWith("Session"));
                // The watches, by the client and by the store; the tree, the view and the names; the records; the other
                // clusters and the announcements; the probe.
                assertThat(costs)
                        .isEqualTo(Map.of(
                                "setWatches2",
                                1L,
                                "addWatch",
                                4L,
                                "multiRead",
                                1 + packets,
                                "getChildren",
                                2L,
                                "exists",
                                1L));
            });
        }

        @Test
        void recordsThatExceedThePacketOfAClientTogetherAreRead() throws Exception {
            Member first = a.own();
            witness("b").join();
            server.with(client -> {
                addMembers(client, CLUSTER, 3, new byte[700 * 1024]);
                a.awaitSnapshot(all -> all.unreadable().size() == 3);
                reconnect(a);
                a.awaitSnapshot(
                        all -> all.unreadable().size() == 3 && all.members().size() == 2);
                a.perform(new Request.Probe());
            });

            assertThat(a.calls(RecordingObserver.Connected.class)).hasSize(2);
            assertThat(a.own().node()).isEqualTo(first.node());
        }

        @Test
        void membersThatJoinImmediatelyAreReadInTwoPackets() throws Exception {
            List<Op> creations = IntStream.range(0, 60)
                    .mapToObj(i -> Op.create(
                            CLUSTER + "/members/" + String.format("m-%016x-1-1-", i),
                            record,
                            Ids.OPEN_ACL_UNSAFE,
                            CreateMode.EPHEMERAL_SEQUENTIAL))
                    .toList();
            server.with(client -> {
                client.multi(creations);
                a.awaitMembers(61);
                assertThat(asked(a)).isEqualTo(Map.of("getData", 1L, "multiRead", 1L));
            });
            a.awaitMembers(1);
        }

        @Test
        void memberThatChangesWhileItIsReadIsReadAgain() throws Exception {
            Member own = a.own();
            server.with(client -> client.multi(List.of(
                    Op.setData(CLUSTER + "/members/" + own.node(), new byte[] {'?'}, -1),
                    Op.setData(CLUSTER + "/members/" + own.node(), record, -1))));
            a.perform(new Request.Probe());
            assertThat(a.own().node()).isEqualTo(own.node());
        }
    }
}
