// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.commons.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class StoreSnapshotTest {

    private static final Member A = member("a", 1);
    private static final Member B = member("b", 2);

    private final StoreSnapshot snapshot = new StoreSnapshot(
            "the-cluster",
            List.of(B, A),
            slot(new EstablishedView(
                    new ViewHead(7, 6, 7, 9_000, 0, Reason.ofText("a test"), "a"),
                    List.of(A.incarnation(), B.incarnation()),
                    Set.of())),
            Optional.empty(),
            Optional.empty(),
            List.of());

    @Test
    void otherAcknowledgementsProbesAndProblemsChangeNoMember() {
        StoreSnapshot other = snapshot.withAcknowledgements(Optional.of(Set.of(new Acknowledgement(A.node(), 7))))
                .withLeaseProbe(Optional.of(new LeaseProbe(1, Set.of())))
                .withProblems(List.of("a problem"));

        assertThat(other.members()).isSameAs(snapshot.members());
        assertThat(other.survivors()).containsExactly(A, B);
    }

    @Test
    void whatFollowsFromMembersAndViewFollowsFromThePresentOnes() {
        StoreSnapshot less = snapshot.withMembers(List.of(B), List.of());
        StoreSnapshot viewless = snapshot.withSlot(new ViewSlot(2, 9, 0, Optional.empty()));

        assertThat(less.survivors()).containsExactly(B);
        assertThat(less.isLive(A.node())).isFalse();
        assertThat(viewless.survivors()).isEmpty();
        assertThat(viewless.isInView(A.node())).isFalse();
        assertThat(viewless.latestNumber()).isZero();
        assertThat(snapshot.latestNumber()).isEqualTo(7);
    }

    private static ViewSlot slot(EstablishedView view) {
        return new ViewSlot(1, 8, 7, Optional.of(view));
    }

    private static Member member(String id, long seniority) {
        ProcessInfo process = new ProcessInfo("run-" + id, "host", seniority, "/home/" + id, 0);
        return new Member("m-" + id, seniority, 0, seniority, MemberRecord.of(id, process, Map.of()));
    }
}
