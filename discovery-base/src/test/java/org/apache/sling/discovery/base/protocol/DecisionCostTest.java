// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.IntStream;
import org.apache.sling.discovery.base.protocol.Settling.Changing;
import org.apache.sling.discovery.commons.model.Acknowledgement;
import org.apache.sling.discovery.commons.model.EstablishedView;
import org.apache.sling.discovery.commons.model.Member;
import org.apache.sling.discovery.commons.model.MemberRecord;
import org.apache.sling.discovery.commons.model.StoreSnapshot;
import org.apache.sling.discovery.commons.model.ViewSlot;
import org.apache.sling.discovery.commons.spi.Request;
import org.apache.sling.discovery.commons.spi.SettlingPolicy;
import org.apache.sling.discovery.commons.spi.SettlingPolicy.SuspendedPolicy;
import org.junit.jupiter.api.Test;

/** What the coordinator's decision on one acknowledgement allocates. */
class DecisionCostTest {

    private static final long NUMBER = 7;
    private static final long NOW = 1_000_000;
    private static final SettlingPolicy POLICY = new SettlingPolicy(40_000, 0, 200, SuspendedPolicy.LEASE);
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    /** Acknowledgements that wait together share one decision. */
    @Test
    void anAcknowledgementCostsNoMoreForEachMemberInALargeCluster() {
        assertThat(bytes(1_200)).isLessThan(60 * bytes(30));
    }

    @Test
    void theLastAcknowledgementLeadsToAPublication() {
        Step step = new Scene(100).last();

        assertThat(step.effects())
                .anyMatch(effect ->
                        effect instanceof Effect.Ask ask && ask.request().kind() == Request.Publish.class);
    }

    private static long bytes(int size) {
        Scene scene = new Scene(size);
        scene.acknowledge(1);
        long before = THREADS.getCurrentThreadAllocatedBytes();
        int decisions = size - Scene.REST;
        IntStream.range(0, decisions).forEach(i -> scene.acknowledge(i));
        return (THREADS.getCurrentThreadAllocatedBytes() - before) / decisions;
    }

    /** A change in which a newcomer joins and all members have to acknowledge. */
    private static final class Scene {

        /** The last ones are listed by name. */
        static final int REST = 15;

        private final List<Member> members = new ArrayList<>();
        private final Observations observations;
        private Settling state;
        private StoreSnapshot snapshot;
        private final Set<Acknowledgement> acknowledgements = new HashSet<>();

        Scene(int size) {
            IntStream.rangeClosed(0, size).forEach(i -> members.add(member(i)));
            observations = new Observations(members.get(0).record());
            observations.connected(1, 30_000);
            EstablishedView view = SampleViews.view(NUMBER, members.subList(0, size));
            snapshot = new StoreSnapshot(
                    "the-cluster",
                    members,
                    new ViewSlot(1, NUMBER, NUMBER, Optional.of(view)),
                    Optional.of(acknowledgements),
                    Optional.empty(),
                    List.of());
            state = new Changing(
                    HeldView.of(members.get(0).node(), snapshot),
                    NOW,
                    OptionalLong.empty(),
                    Optional.empty(),
                    Optional.empty());
            decide();
        }

        private static Member member(int i) {
            MemberRecord record = SampleViews.record("" + i, Map.of("a", "b")).withSessionTimeout(30_000);
            return new Member("m-" + i, 100 + i, 0, 1 + i, record);
        }

        Step acknowledge(int i) {
            acknowledgements.add(new Acknowledgement(members.get(i).node(), NUMBER));
            snapshot = snapshot.withAcknowledgements(Optional.of(acknowledgements));
            return decide();
        }

        Step last() {
            IntStream.range(0, members.size() - 2).forEach(this::acknowledge);
            return acknowledge(members.size() - 2);
        }

        private Step decide() {
            observations.observed(snapshot, NOW);
            Facts facts = observations.facts(List.of(), Set.of(), Facts.Intent.NONE, NOW);
            Step step = Protocol.SETTLING.step(state, facts, POLICY, NOW);
            state = step.state();
            return step;
        }
    }
}
