// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.zk.cache;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import org.apache.sling.discovery.commons.model.Acknowledgement;
import org.apache.sling.discovery.commons.model.EstablishedView;
import org.apache.sling.discovery.commons.model.Incarnation;
import org.apache.sling.discovery.commons.model.LeaseProbe;
import org.apache.sling.discovery.commons.model.Reason;
import org.apache.sling.discovery.commons.model.StoreSnapshot;
import org.apache.sling.discovery.commons.model.ViewHead;
import org.apache.sling.discovery.commons.model.ViewSlot;
import org.apache.sling.discovery.zk.client.NodeData;
import org.apache.sling.discovery.zk.tree.Codecs;
import org.apache.sling.discovery.zk.tree.Paths;
import org.apache.zookeeper.data.Stat;
import org.junit.jupiter.api.Test;

class ClusterNodesTest {

    @Test
    void aViewOfTheSameWriteIsDecodedOnce() {
        ClusterNodes nodes = nodes();
        nodes.putView(view(7));
        StoreSnapshot first = nodes.snapshot(7);
        nodes.putView(view(7));
        ClusterNodes readAgain = nodes();
        readAgain.putView(view(7));
        readAgain.keepFrom(nodes);

        assertThat(nodes.snapshot(7).view().orElseThrow())
                .isSameAs(first.view().orElseThrow())
                .isSameAs(readAgain.snapshot(7).view().orElseThrow());
        nodes.putView(view(8));
        assertThat(nodes.snapshot(8).view().orElseThrow().number()).isEqualTo(8);
        assertThat(first.view().orElseThrow().number()).isEqualTo(7);
    }

    @Test
    void aDerivedViewDoesNotReplaceALaterOneThatWasRead() {
        ClusterNodes nodes = nodes();
        nodes.putView(view(7));
        ViewSlot seven = nodes.slot();
        nodes.putView(view(8));
        ViewSlot eight = nodes.slot();
        nodes.putView(view(9));
        nodes.putNextView(seven, eight);
        assertThat(nodes.view().orElseThrow().number()).isEqualTo(9);

        ClusterNodes readAgain = nodes();
        readAgain.putView(view(7));
        readAgain.putNextView(seven, eight);
        assertThat(readAgain.slot()).isEqualTo(eight);
    }

    /** The next number is counted on from the view. */
    @Test
    void aViewWithANumberThatNoPublicationCanHaveReachedIsUnreadable() {
        ClusterNodes nodes = nodes();
        nodes.putView(view(1L << 50, 100));
        assertThat(nodes.view()).isEmpty();
        assertThat(nodes.snapshot(0).problems()).singleElement().asString().contains("number " + (1L << 50));
        assertThat(nodes.snapshot(0).nextNumber()).isEqualTo(101);
    }

    @Test
    void aSnapshotKeepsItsAcknowledgements() {
        ClusterNodes nodes = nodes();
        nodes.putView(view(7));
        nodes.putAcknowledgements(List.of());
        StoreSnapshot before = nodes.snapshot(7);
        nodes.addAcknowledgement("7.m-0123456789abcdef-1-1-0000000001");

        assertThat(before.acknowledgements().orElseThrow()).isEmpty();
        assertThat(nodes.snapshot(7).acknowledgements().orElseThrow())
                .extracting(Acknowledgement::number)
                .containsExactly(7L);
    }

    @Test
    void aLeaseProbeIsKeptWithinOneClusterOnly() {
        ClusterNodes nodes = nodes();
        nodes.putLeaseProbe(new LeaseRead(new LeaseProbe(7, Set.of()), 1, List.of()));
        ClusterNodes readAgain = nodes();
        readAgain.keepFrom(nodes);
        ClusterNodes another = nodes("another-cluster");
        another.keepFrom(nodes);

        assertThat(readAgain.leaseVersion(7)).hasValue(1);
        assertThat(another.leaseVersion(7)).isEmpty();
    }

    private static ClusterNodes nodes() {
        return nodes("the-cluster");
    }

    private static ClusterNodes nodes(String clusterId) {
        return new ClusterNodes(new Paths("/discovery", "default"), Codecs.CURRENT, clusterId);
    }

    private static NodeData view(long number) {
        return view(number, number);
    }

    private static NodeData view(long number, long transaction) {
        EstablishedView view = new EstablishedView(
                new ViewHead(number, number - 1, 7, 9_000, 0, Reason.ofText("a test"), "a"),
                List.of(new Incarnation("m-0123456789abcdef-1-1-0000000001", "a")),
                Set.of());
        Stat stat = new Stat();
        stat.setMzxid(transaction);
        return new NodeData(Codecs.CURRENT.views().write(view, 1), stat);
    }
}
