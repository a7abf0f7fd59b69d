// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.connectors.registry;

import static io.github.discoveryzk.connectors.wire.Messages.by;
import static io.github.discoveryzk.connectors.wire.Messages.cluster;
import static io.github.discoveryzk.connectors.wire.Messages.single;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.discoveryzk.connectors.wire.Announcement;
import io.github.discoveryzk.connectors.wire.Announcement.Weight;
import io.github.discoveryzk.connectors.wire.AnnouncementCodec;
import io.github.discoveryzk.connectors.wire.InvalidMessage;
import io.github.discoveryzk.connectors.wire.Message;
import io.github.discoveryzk.connectors.wire.Messages;
import io.github.discoveryzk.connectors.wire.WireLimits;
import io.github.discoveryzk.model.Bytes;
import io.github.discoveryzk.model.RemoteCluster;
import io.github.discoveryzk.model.RemoteCluster.RemoteInstance;
import io.github.discoveryzk.model.SharedAnnouncement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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

    /** Takes a step, such as {@code share a1:b -> a1/b}: what holders share, or time that passes, and the ways that are shown then. */
    private void play(String step) {
        String[] words = step.split(" ");
        List<RemoteCluster> found = List.of();
        switch (words[0]) {
            case "live" -> live =
                    Optional.of(Set.of(step.substring("live ".length()).split(" ")));
            case "unknown" -> live = Optional.empty();
            case "pending", "calm" -> assertThat(clusters.isPending()).as(step).isEqualTo(words[0].equals("pending"));
            case "share" -> found = update(Stream.of(words)
                    .filter(each -> each.contains(":"))
                    .map(each -> each.split(":"))
                    .map(each -> shared(each[0], Messages.read(each[1]), each.length > 2 ? Long.parseLong(each[2]) : 0))
                    .toArray(SharedAnnouncement[]::new));
            default -> {
                now += Long.parseLong(words[0]);
                found = now();
            }
        }
        if (step.contains(" -> ")) {
            String shown = found.stream()
                    .map(each -> String.join("/", each.way()))
                    .sorted()
                    .collect(Collectors.joining(" "));
            assertThat(shown.isEmpty() ? "nothing" : shown).as(step).isEqualTo(step.split(" -> ")[1]);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                // A cluster on several ways is taken from the shortest one; of two as short the earlier one is shown.
                "share s1:c a2:c a1:b(c) -> a1/b a2/c; share s1:c a1:b(c) -> a1/b s1/c",
                "share a2:b1@b=b1,b2 -> a2/b1; share a1:b2@b a2:b1@b=b1,b2 -> a2/b1; share a1:b2@b a2:b1@b=b1,b3 -> a2/b1;"
                        + " share a1:b2@b -> a1/b2; share a1:b2@b a2:b1@b=b1,b2 -> a1/b2",
                // What a member that left shared stays for a while, or until the peer pings.
                "share a1:b -> a1/b; live a2; share -> a1/b; pending; 500 -> a1/b; 9499 -> a1/b; 1 -> nothing; calm",
                "share a1:b:30 -> a1/b; live a2; share -> a1/b; 10000 -> a1/b; 19999 -> a1/b; 1 -> nothing; calm",
                "share a1:b -> a1/b; live a2; share -> a1/b; share a2:b -> a2/b; calm; share -> a2/b; 500 -> nothing",
                // One that takes over is believed immediately.
                "share a1:b1@b=b1,b2 -> a1/b1; live a2; share a2:p(b2@b=b2,b3) -> a2/p a2/p/b2; 10000 -> a2/p a2/p/b2",
                // One that left and comes back has left; one that is not known to live is taken as gone.
                "share a1:b -> a1/b; live a2; share -> a1/b; 500 -> a1/b; live a1 a2; 0 -> a1/b",
                "share a1:b -> a1/b; unknown; share -> a1/b; 500 -> a1/b",
                // What a live member or another cluster no longer shares goes.
                "share a1:b a1:c -> a1/b a1/c; share a1:c -> a1/b a1/c; 500 -> a1/c",
                "share s1:b -> s1/b; share -> nothing",
                // What comes back is not gone.
                "share a1:b -> a1/b; share -> a1/b; share a1:b -> a1/b; 10000 -> a1/b; calm"
            })
    void showsTheWaysAndKeepsThemForAWhile(String steps) {
        Stream.of(steps.split("; ")).forEach(this::play);
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
