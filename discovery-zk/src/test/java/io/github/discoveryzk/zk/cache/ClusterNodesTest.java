// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.zk.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.discoveryzk.model.Acknowledgement;
import io.github.discoveryzk.model.EstablishedView;
import io.github.discoveryzk.model.Incarnation;
import io.github.discoveryzk.model.LeaseProbe;
import io.github.discoveryzk.model.Member;
import io.github.discoveryzk.model.MemberRecord;
import io.github.discoveryzk.model.ProcessInfo;
import io.github.discoveryzk.model.Reason;
import io.github.discoveryzk.model.StoreSnapshot;
import io.github.discoveryzk.model.ViewHead;
import io.github.discoveryzk.model.ViewSlot;
import io.github.discoveryzk.zk.client.NodeData;
import io.github.discoveryzk.zk.tree.Codecs;
import io.github.discoveryzk.zk.tree.Names;
import io.github.discoveryzk.zk.tree.Paths;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;
import org.apache.zookeeper.data.Stat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The cached nodes and the names of the history, by themselves. */
class ClusterNodesTest {
    private static final String NODE = "m-0123456789abcdef-1-1-0000000001";

    private final ClusterNodes nodes = nodes("the-cluster");

    @Test
    void aViewOfTheSameWriteIsDecodedOnce() {
        nodes.putView(data(7, 7));
        StoreSnapshot first = nodes.snapshot(7);
        nodes.putView(data(7, 7));
        ClusterNodes readAgain = nodes("the-cluster");
        readAgain.putView(data(7, 7));
        readAgain.keepFrom(nodes);

        assertThat(nodes.snapshot(7).view().orElseThrow())
                .isSameAs(first.view().orElseThrow())
                .isSameAs(readAgain.snapshot(7).view().orElseThrow());
        nodes.putView(data(8, 8));
        assertThat(nodes.snapshot(8).view().orElseThrow().number()).isEqualTo(8);
        assertThat(first.view().orElseThrow().number()).isEqualTo(7);
    }

    @Test
    void aDerivedViewDoesNotReplaceALaterOneThatWasRead() {
        nodes.putView(data(7, 7));
        ViewSlot seven = nodes.slot();
        nodes.putView(data(8, 8));
        ViewSlot eight = nodes.slot();
        nodes.putView(data(9, 9));
        nodes.putNextView(seven, eight);
        assertThat(nodes.view().orElseThrow().number()).isEqualTo(9);

        ClusterNodes readAgain = nodes("the-cluster");
        readAgain.putView(data(7, 7));
        readAgain.putNextView(seven, eight);
        assertThat(readAgain.slot()).isEqualTo(eight);
    }

    /** The next number is counted on from the view. */
    @Test
    void aViewWithANumberThatNoPublicationCanHaveReachedIsUnreadable() {
        nodes.putView(data(1L << 50, 100));
        assertThat(nodes.view()).isEmpty();
        assertThat(nodes.snapshot(0).problems()).singleElement().asString().contains("number " + (1L << 50));
        assertThat(nodes.snapshot(0).nextNumber()).isEqualTo(101);
    }

    /** A number to count on from leaves room for counting, and one that is not believed harms no other field. */
    @ParameterizedTest
    @CsvSource({"-1, false", "0, true", "281474976710756, true", "281474976710757, false", "9223372036854775807, false"
    })
    void anAbsurdViewNumberOfAMemberIsNotBelieved(long number, boolean believed) throws Exception {
        MemberRecord record =
                MemberRecord.of("a", new ProcessInfo(new UUID(1, 2).toString(), "host", 1, "/", 0), Map.of("k", "v"));
        Stat stat = new Stat();
        stat.setMzxid(100);
        stat.setEphemeralOwner(7);
        MemberRecord written = record.withProtocolFields(OptionalLong.of(number), Optional.empty());
        nodes.members().put(NODE, new NodeData(Codecs.write(written), stat));

        StoreSnapshot seen = nodes.snapshot(0);
        assertThat(seen.members()).extracting(Member::record).containsExactly(believed ? written : record);
        assertThat(seen.problems()).hasSize(believed ? 0 : 1).allMatch(problem -> problem.contains("" + number));
    }

    @Test
    void aSnapshotKeepsItsAcknowledgements() {
        nodes.putView(data(7, 7));
        nodes.putAcknowledgements(List.of());
        StoreSnapshot before = nodes.snapshot(7);
        nodes.addAcknowledgement("7." + NODE);

        assertThat(before.acknowledgements().orElseThrow()).isEmpty();
        assertThat(nodes.snapshot(7).acknowledgements().orElseThrow()).containsExactly(new Acknowledgement(NODE, 7));
    }

    @Test
    void aLeaseProbeIsKeptWithinOneClusterOnly() {
        nodes.putLeaseProbe(new LeaseRead(new LeaseProbe(7, Set.of()), 1, List.of()));
        ClusterNodes readAgain = nodes("the-cluster");
        readAgain.keepFrom(nodes);
        ClusterNodes another = nodes("another-cluster");
        another.keepFrom(nodes);

        assertThat(readAgain.leaseVersion(7)).hasValue(1);
        assertThat(another.leaseVersion(7)).isEmpty();
    }

    @Test
    void historyKnowsItsHighestNumberWhateverElseIsThere() {
        HistoryNames history = new HistoryNames();
        assertThat(history.highest()).isZero();
        history.set(List.of("note", "9223372036854775807", "9999999999999999999", Names.entry(41)), 41);
        assertThat(history.highest()).isEqualTo(41);
        history.set(List.of(), 41);
        assertThat(history.highest()).isZero();
    }

    @Test
    void namesAreListedAgainWhenAnEntryIsMissing() {
        HistoryNames history = new HistoryNames();
        history.set(List.of(Names.entry(41)), 1_000);
        history.add(view(42));
        assertThat(history.highest()).isEqualTo(42);
        history.add(view(44));
        assertThat(history.isKnown()).isFalse();
    }

    private static ClusterNodes nodes(String clusterId) {
        return new ClusterNodes(new Paths("/discovery", "default"), Codecs.CURRENT, clusterId);
    }

    private static NodeData data(long number, long transaction) {
        Stat stat = new Stat();
        stat.setMzxid(transaction);
        return new NodeData(Codecs.write(view(number), 1), stat);
    }

    private static EstablishedView view(long number) {
        return new EstablishedView(
                new ViewHead(number, number - 1, 7, 9_000, 0, Reason.ofText("a test"), "a"),
                List.of(new Incarnation(NODE, "a")),
                Set.of());
    }
}
