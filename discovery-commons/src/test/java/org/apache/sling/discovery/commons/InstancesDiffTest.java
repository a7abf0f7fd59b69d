// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.commons;

import static org.apache.sling.discovery.TestTopology.cluster;
import static org.apache.sling.discovery.TestTopology.view;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Collection;
import java.util.List;
import org.apache.sling.discovery.ClusterView;
import org.apache.sling.discovery.InstanceDescription;
import org.apache.sling.discovery.TestTopology.Cluster;
import org.apache.sling.discovery.TopologyEvent;
import org.apache.sling.discovery.TopologyEvent.Type;
import org.apache.sling.discovery.TopologyView;
import org.apache.sling.discovery.commons.InstancesDiff.InstanceCollection;
import org.junit.jupiter.api.Test;

class InstancesDiffTest {

    private final Cluster oldNear = cluster("near")
            .with("gone", false)
            .with("same", true, "1")
            .with("other", false, "1")
            .with("dropped", false, "1");
    private final Cluster newNear = cluster("near")
            .with("same", true, "1")
            .with("other", false, "2")
            .with("dropped", false)
            .with("came", false);
    private final Cluster far = cluster("far").with("f1", false).with("f2", false);
    private final TopologyView oldView = view(oldNear);
    private final TopologyView newView = view(newNear, far);

    private final InstancesDiff near = new InstancesDiff(oldNear, newNear);
    private final InstancesDiff topology = new InstancesDiff(oldView, newView);

    @Test
    void findsAddedRemovedAndRetainedInstances() {
        assertThat(shown(near.added())).containsExactly("came[]");
        assertThat(shown(near.removed())).containsExactly("gone[]");
        assertThat(shown(near.retained(true))).containsExactly("same[1]", "other[2]", "dropped[]");
        assertThat(shown(near.retained(false))).containsExactly("same[1]", "other[1]", "dropped[1]");
        assertThat(shown(near.all(true))).containsExactly("gone[]", "same[1]", "other[2]", "dropped[]", "came[]");
        assertThat(shown(near.all(false))).containsExactly("gone[]", "same[1]", "other[1]", "dropped[1]", "came[]");
    }

    @Test
    void findsInstancesWithChangedProperties() {
        assertThat(shown(near.retained(true, true))).containsExactly("other[2]", "dropped[]");
        assertThat(shown(near.retained(false, true))).containsExactly("other[1]", "dropped[1]");
        assertThat(shown(near.retained(true, false))).containsExactly("same[1]");
        assertThat(near.retained(true, false).get()).containsExactly(newNear.getLeader());
        assertThat(near.retained(false, false).get())
                .containsExactly(oldNear.getInstances().get(1));
    }

    @Test
    void comparesWholeTopologies() {
        assertThat(shown(topology.added())).containsExactlyInAnyOrder("came[]", "f1[]", "f2[]");
        assertThat(shown(topology.removed())).containsExactly("gone[]");
    }

    @Test
    void comparesTheViewsOfAnEvent() {
        InstancesDiff changed = new InstancesDiff(new TopologyEvent(Type.TOPOLOGY_CHANGED, oldView, newView));
        InstancesDiff init = new InstancesDiff(new TopologyEvent(Type.TOPOLOGY_INIT, null, oldView));
        InstancesDiff changing = new InstancesDiff(new TopologyEvent(Type.TOPOLOGY_CHANGING, oldView, null));

        assertThat(shown(changed.removed())).containsExactly("gone[]");
        assertThat(shown(changed.added())).containsExactlyInAnyOrder("came[]", "f1[]", "f2[]");
        assertThat(init.added().get()).containsExactlyInAnyOrderElementsOf(oldView.getInstances());
        assertThat(init.removed().get()).isEmpty();
        assertThat(changing.removed().get()).containsExactlyInAnyOrderElementsOf(oldView.getInstances());
        assertThat(changing.added().get()).isEmpty();
    }

    @Test
    void narrowsDown() {
        assertThat(shown(topology.all(true).isLocal())).containsExactly("same[1]");
        assertThat(shown(topology.all(true).isNotLocal()))
                .containsExactlyInAnyOrder("gone[]", "other[2]", "dropped[]", "came[]", "f1[]", "f2[]");
        assertThat(shown(topology.added().isLeader())).containsExactly("f1[]");
        assertThat(shown(topology.added().isNotLeader())).containsExactlyInAnyOrder("came[]", "f2[]");
        assertThat(shown(topology.added().isInClusterView(oldNear))).containsExactly("came[]");
        assertThat(shown(topology.added().isNotInClusterView(oldNear))).containsExactlyInAnyOrder("f1[]", "f2[]");
        assertThat(shown(topology.added()
                        .filterWith(instance -> instance.getSlingId().endsWith("2"))))
                .containsExactly("f2[]");
    }

    @Test
    void keepsWhatAllFiltersAccept() {
        assertThat(shown(topology.added().isNotInClusterView(newNear).isNotLeader()))
                .containsExactly("f2[]");
        assertThat(shown(topology.added().isLeader().isNotLeader())).isEmpty();
    }

    @Test
    void ignoresNullAsAFilter() {
        InstanceCollection added = topology.added();

        assertThat(added.filterWith(null).isInClusterView(null).isNotInClusterView(null))
                .isSameAs(added);
        assertThat(added.get()).hasSize(3);
    }

    @Test
    void handsOutCopies() {
        InstanceCollection added = topology.added();
        Collection<InstanceDescription> all = added.get();

        assertThat(added.isLeader().get()).hasSize(1);
        assertThat(all).hasSize(3);
        assertThat(topology.added().get()).hasSize(3);
        assertThatThrownBy(all::clear).isInstanceOf(UnsupportedOperationException.class);
    }

    @Test
    void leavesOutInstancesWithoutId() {
        Cluster nameless = cluster("near").with(null, true).with(null, false).with("a", false);

        assertThat(shown(new InstancesDiff(List.of(), nameless.getInstances()).added()))
                .containsExactly("a[]");
    }

    @Test
    void refusesDuplicates() {
        List<InstanceDescription> twice =
                cluster("near").with("a", true).with("a", false).getInstances();

        assertThatThrownBy(() -> new InstancesDiff(twice, List.of()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("old instances")
                .hasMessageContaining(" a,");
        assertThatThrownBy(() -> new InstancesDiff(List.of(), twice))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("new instances");
    }

    @Test
    void refusesNoViewOutsideAnEvent() {
        assertThatNullPointerException().isThrownBy(() -> new InstancesDiff((TopologyView) null, newView));
        assertThatNullPointerException().isThrownBy(() -> new InstancesDiff(oldView, null));
        assertThatNullPointerException().isThrownBy(() -> new InstancesDiff((ClusterView) null, newNear));
        assertThatNullPointerException().isThrownBy(() -> new InstancesDiff(oldNear, null));
    }

    private static List<String> shown(InstanceCollection collection) {
        return collection.get().stream().map(Object::toString).toList();
    }
}
