// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.connector.registry;

import static org.apache.sling.discovery.base.connector.wire.Messages.by;
import static org.apache.sling.discovery.base.connector.wire.Messages.cluster;
import static org.apache.sling.discovery.base.connector.wire.Messages.single;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.apache.sling.discovery.base.connector.wire.Announcement;
import org.apache.sling.discovery.base.connector.wire.Announcement.Weight;
import org.apache.sling.discovery.base.connector.wire.AnnouncementCodec;
import org.apache.sling.discovery.base.connector.wire.InvalidMessage;
import org.apache.sling.discovery.base.connector.wire.Message;
import org.apache.sling.discovery.base.connector.wire.WireLimits;
import org.apache.sling.discovery.commons.model.Bytes;
import org.apache.sling.discovery.commons.model.RemoteCluster;
import org.apache.sling.discovery.commons.model.RemoteCluster.RemoteInstance;
import org.apache.sling.discovery.commons.model.SharedAnnouncement;
import org.junit.jupiter.api.Test;

class SharedClustersTest {

    private static final AnnouncementCodec CODEC = new AnnouncementCodec(WireLimits.DEFAULT);

    private final List<String> broken = new ArrayList<>();
    private final SharedClusters clusters = new SharedClusters(broken::add, 1 << 20);
    private Optional<Set<String>> live = Optional.of(Set.of("a1", "a2"));
    private long now = 1_000;

    private static SharedAnnouncement shared(String holder, Announcement announcement) {
        return shared(holder, announcement, 0);
    }

    private static SharedAnnouncement shared(String holder, Announcement announcement, long silence) {
        Bytes content = Bytes.of(CODEC.pack(Message.of(announcement, 0).withBackoff(silence)), 0);
        return new SharedAnnouncement(holder, holder.startsWith("a"), announcement.ownerId(), content);
    }

    private static Bytes packed(Announcement announcement) {
        return Bytes.of(CODEC.pack(Message.of(announcement, 0)), 0);
    }

    private List<RemoteCluster> update(SharedAnnouncement... announcements) {
        clusters.update(List.of(announcements), now);
        return now();
    }

    private List<RemoteCluster> now() {
        return clusters.clusters(live, now);
    }

    private static Map<String, List<String>> ways(List<RemoteCluster> clusters) {
        Map<String, List<String>> ways = new LinkedHashMap<>();
        clusters.forEach(each -> ways.put(each.id(), each.way()));
        return ways;
    }

    @Test
    void aClusterHasTheWayOnWhichItWasHeard() {
        List<RemoteCluster> found = update(
                shared("a1", by("b1", cluster("b", "b2", "b1"), single("c", single("d")), single("e"))),
                shared("s1", single("t")));
        assertThat(ways(found))
                .containsExactly(
                        Map.entry("b", List.of("a1", "b1")),
                        Map.entry("cluster-t", List.of("s1", "t")),
                        Map.entry("cluster-c", List.of("a1", "b1", "c")),
                        Map.entry("cluster-e", List.of("a1", "b1", "e")),
                        Map.entry("cluster-d", List.of("a1", "b1", "c", "d")));
        assertThat(found.get(0))
                .isEqualTo(new RemoteCluster(
                        "b",
                        List.of(new RemoteInstance("b2", Map.of()), new RemoteInstance("b1", Map.of())),
                        "b2",
                        List.of("a1", "b1")));
    }

    @Test
    void aClusterOnSeveralWaysIsTakenFromTheShortestOne() {
        assertThat(ways(update(
                        shared("s1", single("c")), shared("a2", single("c")), shared("a1", single("b", single("c"))))))
                .containsEntry("cluster-c", List.of("a2", "c"))
                .hasSize(2);
        assertThat(ways(update(shared("s1", single("c")), shared("a1", single("b", single("c"))))))
                .containsEntry("cluster-c", List.of("s1", "c"));
    }

    @Test
    void equalContentsAreReadOnce() {
        update(shared("a1", single("b")));
        Announcement first = clusters.contents().get(0).announcement();
        update(shared("a1", single("b")), shared("a2", single("b")));
        assertThat(clusters.contents()).hasSize(2).allSatisfy(each -> assertThat(each.announcement())
                .isSameAs(first));
    }

    @Test
    void brokenTextsAreSkippedAndReportedOnce() {
        SharedAnnouncement nonsense = new SharedAnnouncement("a1", true, "x", Bytes.of("nonsense"));
        SharedAnnouncement forged = new SharedAnnouncement("a1", true, "y", packed(single("z")));
        for (int i = 0; i < 3; i++) {
            assertThat(update(nonsense, forged, shared("a1", single("b"))))
                    .extracting(RemoteCluster::id)
                    .containsExactly("cluster-b");
        }
        assertThat(broken).hasSize(2).anyMatch(each -> each.contains("nonsense") || each.contains("x"));
        assertThat(clusters.contents()).hasSize(1);
        assertThat(update(forged, shared("a2", single("z"))))
                .extracting(RemoteCluster::id)
                .startsWith("cluster-z");
    }

    @Test
    void whatAMemberThatLeftSharedStaysForAWhile() {
        update(shared("a1", single("b").asInherited(true)));
        live = Optional.of(Set.of("a2"));
        assertThat(update()).hasSize(1);
        assertThat(clusters.contents()).isEmpty();
        assertThat(clusters.isPending()).isTrue();
        long left = now;
        now += SharedClusters.UNDECIDED_MILLIS;
        assertThat(now()).hasSize(1);
        now = left + SharedClusters.GRACE_MILLIS - 1;
        assertThat(now()).hasSize(1);
        now++;
        assertThat(now()).isEmpty();
        assertThat(clusters.isPending()).isFalse();
    }

    @Test
    void whatAPeerAnnouncedToAMemberThatLeftStaysUntilThePeerPings() {
        update(shared("a1", single("b"), 30));
        live = Optional.of(Set.of("a2"));
        update();
        long left = now;
        now = left + SharedClusters.GRACE_MILLIS;
        assertThat(now()).hasSize(1);
        now = left + 30_000 - 1;
        assertThat(now()).hasSize(1);
        now++;
        assertThat(now()).isEmpty();
        assertThat(clusters.isPending()).isFalse();
    }

    @Test
    void aPingToAnotherMemberEndsTheWait() {
        update(shared("a1", single("b")));
        live = Optional.of(Set.of("a2"));
        update();
        assertThat(ways(update(shared("a2", single("b"))))).containsEntry("cluster-b", List.of("a2", "b"));
        assertThat(clusters.isPending()).isFalse();
        update();
        now += SharedClusters.UNDECIDED_MILLIS;
        assertThat(now()).isEmpty();
    }

    @Test
    void aMemberThatLeftAndComesBackHasLeft() {
        update(shared("a1", single("b")));
        live = Optional.of(Set.of("a2"));
        update();
        now += SharedClusters.UNDECIDED_MILLIS;
        live = Optional.of(Set.of("a1", "a2"));
        assertThat(now()).hasSize(1);
    }

    @Test
    void whatALiveMemberDoesNotShareAnyMoreGoes() {
        update(shared("a1", single("b")), shared("a1", single("c")));
        assertThat(update(shared("a1", single("c")))).hasSize(2);
        now += SharedClusters.UNDECIDED_MILLIS;
        assertThat(now()).extracting(RemoteCluster::id).containsExactly("cluster-c");
    }

    @Test
    void aMemberThatIsNotKnownToLiveIsTakenAsGone() {
        update(shared("a1", single("b")));
        live = Optional.empty();
        update();
        now += SharedClusters.UNDECIDED_MILLIS;
        assertThat(now()).hasSize(1);
    }

    @Test
    void whatAnotherClusterDoesNotShareAnyMoreGoesImmediately() {
        update(shared("s1", single("b")));
        assertThat(update()).isEmpty();
    }

    @Test
    void aMemberThatTakesOverIsBelievedImmediately() {
        update(shared("a1", by("b1", cluster("b", "b1", "b2"))));
        live = Optional.of(Set.of("a2"));
        List<RemoteCluster> found = update(shared("a2", single("p", by("b2", cluster("b", "b2", "b3")))));
        assertThat(ways(found)).containsEntry("b", List.of("a2", "p", "b2"));
        assertThat(found.get(1).instanceIds()).containsExactly("b2", "b3");
        now += SharedClusters.GRACE_MILLIS;
        assertThat(now()).hasSize(2);
    }

    @Test
    void whatComesBackIsNotGone() {
        update(shared("a1", single("b")));
        update();
        update(shared("a1", single("b")));
        now += SharedClusters.GRACE_MILLIS;
        assertThat(now()).hasSize(1);
        assertThat(clusters.isPending()).isFalse();
    }

    @Test
    void ofTwoThatAnnounceAClusterTheEarlierOneIsShown() {
        SharedAnnouncement earlier = shared("a2", by("b1", cluster("b", "b1", "b2")));
        SharedAnnouncement later = shared("a1", by("b2", cluster("b", "b2")));
        update(earlier);
        for (int i = 0; i < 2; i++) {
            assertThat(ways(update(later, earlier))).containsEntry("b", List.of("a2", "b1"));
        }
        assertThat(ways(update(later, shared("a2", by("b1", cluster("b", "b1", "b3"))))))
                .containsEntry("b", List.of("a2", "b1"));
        assertThat(ways(update(later))).containsEntry("b", List.of("a1", "b2"));
        assertThat(ways(update(later, earlier))).containsEntry("b", List.of("a1", "b2"));
    }

    private static Announcement large(String id, int instances) {
        List<RemoteInstance> all = IntStream.range(0, instances)
                .mapToObj(i -> new RemoteInstance(i == 0 ? id : id + "-" + i, Map.of("text", (id + i).repeat(200))))
                .toList();
        return by(id, new RemoteCluster("cluster-" + id, all, id));
    }

    @Test
    void whatDoesNotFitIntoMemoryIsShownWithoutPropertiesAndThenNotAtAll() {
        long whole = Weight.of(large("x", 100));
        long bare = Weight.of(large("x", 100).withoutProperties());
        SharedClusters limited = new SharedClusters(broken::add, whole + bare + bare / 2);
        SharedAnnouncement x = shared("a1", large("x", 100));
        SharedAnnouncement y = shared("s1", large("y", 102));
        SharedAnnouncement z = shared("s2", large("z", 104));
        SharedAnnouncement small = shared("s3", single("small"));
        for (int i = 0; i < 2; i++) {
            limited.update(List.of(z, y, x, small), now);
        }
        Map<String, RemoteCluster> shown = new LinkedHashMap<>();
        limited.clusters(live, now).forEach(each -> shown.put(each.id(), each));

        assertThat(shown).containsOnlyKeys("cluster-x", "cluster-y", "cluster-small");
        assertThat(shown.get("cluster-x").instances().get(5).properties()).isNotEmpty();
        assertThat(shown.get("cluster-y").instances().get(5).properties()).isEmpty();
        assertThat(limited.problems())
                .hasSize(2)
                .anyMatch(each -> each.contains(" y announced") && each.contains("without their properties"))
                .anyMatch(each -> each.contains(" z announced") && each.contains("not at all"));
        assertThat(broken).hasSameElementsAs(limited.problems()).hasSize(2);

        limited.update(List.of(z), now);
        assertThat(limited.clusters(live, now))
                .as("what has gone takes room until it is over")
                .hasSize(2);
        assertThat(limited.problems()).hasSize(1);
        now += SharedClusters.UNDECIDED_MILLIS;
        limited.clusters(live, now);
        limited.update(List.of(z), now);
        assertThat(limited.clusters(live, now).get(0).instances().get(5).properties())
                .isNotEmpty();
        assertThat(limited.problems()).isEmpty();
    }

    @Test
    void readingEndsWhereTheEstimateOfItsMemoryIsExceeded() throws InvalidMessage {
        Announcement announcement = large("x", 10);
        long weight = Weight.of(announcement);
        assertThat(CODEC.unpack(packed(announcement).stream(), true, weight).announcement())
                .contains(announcement);
        assertThatThrownBy(() -> CODEC.unpack(packed(announcement).stream(), true, weight - 1))
                .isInstanceOf(InvalidMessage.class)
                .hasMessageContaining("bytes of memory");
        long characters = CODEC.write(Message.of(announcement, 0)).length();
        assertThat(weight).isBetween(characters, 4 * characters);
    }
}
