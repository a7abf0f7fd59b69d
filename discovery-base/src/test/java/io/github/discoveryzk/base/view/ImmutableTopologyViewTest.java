// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.base.view;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.github.discoveryzk.base.protocol.HeldView;
import io.github.discoveryzk.base.protocol.SampleViews;
import io.github.discoveryzk.leader.ViewNumber;
import io.github.discoveryzk.model.Member;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.sling.discovery.ClusterView;
import org.apache.sling.discovery.InstanceDescription;
import org.apache.sling.discovery.TopologyView;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class ImmutableTopologyViewTest {

    private final Map<String, String> properties = new HashMap<>(Map.of("color", "red"));
    private final Lease lease = new Lease(() -> 0, 1);
    private final List<Member> members = List.of(member("b", 10), member("a", 20), member("c", 30));
    private final TopologyView view = view(held("m-a"));

    private Member member(String id, long seniority) {
        return SampleViews.member(id, seniority, properties);
    }

    private HeldView held(String self) {
        return SampleViews.held(self, "the-cluster", 7, members);
    }

    private TopologyView view(HeldView of) {
        return ImmutableTopologyView.of(of, RemoteClusters.NONE, lease);
    }

    @Nested
    class OfAHeldView {

        @Test
        void ordersMembersAsTheViewDoesAndItsFirstLeads() {
            ClusterView cluster = view.getLocalInstance().getClusterView();

            assertThat(ViewNumber.of(view)).hasValue(7);
            assertThat(cluster.getId()).isEqualTo("the-cluster");
            assertThat(cluster.getInstances())
                    .extracting(InstanceDescription::getSlingId)
                    .containsExactly("b", "a", "c");
            assertThat(cluster.getLeader().getSlingId()).isEqualTo("b");
            assertThat(view.getInstances().stream().filter(InstanceDescription::isLeader))
                    .containsExactly(cluster.getLeader());
            assertThat(view.getClusterViews()).containsExactly(cluster);
        }

        @Test
        void knowsTheLocalInstance() {
            assertThat(view.getLocalInstance().getSlingId()).isEqualTo("a");
            assertThat(view.getInstances().stream().filter(InstanceDescription::isLocal))
                    .containsExactly(view.getLocalInstance());
            assertThat(view.getInstances()).hasSize(3).allSatisfy(instance -> assertThat(instance.getClusterView())
                    .isSameAs(view.getLocalInstance().getClusterView()));
        }

        @Test
        void doesNotChangeWithWhatItWasMadeFrom() {
            properties.put("color", "blue");

            assertThat(view.getLocalInstance().getProperty("color")).isEqualTo("red");
            assertThat(view.getLocalInstance().getProperty("size")).isNull();
            assertThat(view.getLocalInstance().getProperty(null)).isNull();
        }

        @Test
        void cannotBeChanged() {
            InstanceDescription local = view.getLocalInstance();
            ClusterView cluster = local.getClusterView();

            assertUnsupported(() -> local.getProperties().put("x", "y"));
            assertUnsupported(() -> cluster.getInstances().remove(0));
            assertUnsupported(() -> view.getInstances().clear());
            assertUnsupported(() -> view.getClusterViews().clear());
        }

        @Test
        void findsInstances() {
            assertThat(view.findInstances(InstanceDescription::isLeader))
                    .extracting(InstanceDescription::getSlingId)
                    .containsExactly("b");
            assertThat(view.findInstances(instance -> false)).isEmpty();
            view.findInstances(instance -> true).clear();
            assertThat(view.findInstances(instance -> true))
                    .as("each result is a new one")
                    .hasSize(3);
            assertThatIllegalArgumentException().isThrownBy(() -> view.findInstances(null));
        }

        private void assertUnsupported(Runnable change) {
            assertThatExceptionOfType(UnsupportedOperationException.class).isThrownBy(change::run);
        }
    }

    @Nested
    class Equality {

        private final TopologyView next = other("the-cluster", members.subList(1, 3));

        private TopologyView other(String cluster, List<Member> of) {
            return view(SampleViews.held("m-a", cluster, 8, of));
        }

        private static InstanceDescription local(TopologyView of) {
            return of.getLocalInstance();
        }

        private static ClusterView cluster(TopologyView of) {
            return local(of).getClusterView();
        }

        @Test
        void departedMembersAreMissingInTheNextView() {
            Set<InstanceDescription> left = new HashSet<>(view.getInstances());
            left.removeAll(next.getInstances());

            assertThat(left).extracting(InstanceDescription::getSlingId).containsExactly("b");
            assertThat(local(next)).isEqualTo(local(view)).hasSameHashCodeAs(local(view));
        }

        @Test
        void anInstanceIsItsIdItsClusterAndItsProperties() {
            assertThat(local(next)).as("whether it leads does not count").isEqualTo(local(view));
            assertThat(local(view(held("m-c")))).as("nor whether it is local").isIn(view.getInstances());
            assertThat(local(other("another-cluster", members))).isNotEqualTo(local(view));
            assertThat(local(view)).isNotEqualTo(cluster(view).getLeader()).isNotEqualTo("a");
            properties.put("color", "blue");
            List<Member> blue = List.of(member("b", 10), member("a", 20));
            assertThat(local(other("the-cluster", blue))).isNotEqualTo(local(view));
        }

        @Test
        void aClusterIsItsIdAndItsInstancesInOrder() {
            ClusterView same = cluster(other("the-cluster", members));
            List<Member> swapped = List.of(members.get(1), members.get(0), members.get(2));

            assertThat(same).isEqualTo(cluster(view)).hasSameHashCodeAs(cluster(view));
            assertThat(cluster(next)).isNotEqualTo(cluster(view));
            assertThat(cluster(other("the-cluster", swapped))).isNotEqualTo(cluster(view));
            assertThat(cluster(other("another-cluster", members)))
                    .isNotEqualTo(cluster(view))
                    .isNotEqualTo("the-cluster");
        }

        @Test
        void aTopologyIsItselfBecauseOneMayBeVoid() {
            assertThat(view(held("m-a"))).isNotEqualTo(view);
        }
    }

    @Nested
    class Unsettled {

        private final TopologyView unsettled =
                ImmutableTopologyView.unsettled(members.get(1).record(), "some-id");

        @Test
        void showsThisInstanceAloneAndIsNeverCurrent() {
            assertThat(unsettled.isCurrent()).isFalse();
            assertThat(ViewNumber.of(unsettled)).isEmpty();
            assertThat(unsettled.getInstances()).containsExactly(unsettled.getLocalInstance());
            assertThat(unsettled.getLocalInstance().isLeader()).isTrue();
            assertThat(unsettled.getLocalInstance().isLocal()).isTrue();
            assertThat(unsettled.getLocalInstance().getSlingId()).isEqualTo("a");
            assertThat(unsettled.getLocalInstance().getClusterView().getId()).isEqualTo("some-id");
        }
    }
}
