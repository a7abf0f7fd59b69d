// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.connector.wire;

import static org.apache.sling.discovery.base.connector.wire.Messages.assertInvalid;
import static org.apache.sling.discovery.base.connector.wire.Messages.chain;
import static org.apache.sling.discovery.base.connector.wire.Messages.cluster;
import static org.apache.sling.discovery.base.connector.wire.Messages.single;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.sling.discovery.base.connector.wire.InvalidMessage.Reason;
import org.junit.jupiter.api.Test;

class CodecLimitsTest {

    private final AnnouncementCodec writer = new AnnouncementCodec(WireLimits.DEFAULT);
    private final AnnouncementCodec codec = new AnnouncementCodec(new WireLimits(10_000, 3, 5, 4_000));

    private static Announcement with(Map<String, String> properties) {
        return Announcement.of(
                "a", 1, new AnnouncedCluster("c", List.of(new AnnouncedInstance("a", true, properties))));
    }

    private void assertTooLarge(Announcement announcement, String limit) {
        String text = writer.write(announcement);
        assertInvalid(Reason.TOO_LARGE, () -> codec.read(text)).hasMessageContaining(limit);
    }

    private void assertAccepted(Announcement announcement) throws InvalidMessage {
        assertThat(codec.read(writer.write(announcement))).isEqualTo(announcement);
    }

    @Test
    void limitsTheDepth() throws Exception {
        assertAccepted(chain(3));
        assertTooLarge(chain(4), "3 levels");
    }

    @Test
    void limitsTheNumberOfAnnouncements() throws Exception {
        assertAccepted(single("a", single("b"), single("c"), single("d")));
        AnnouncementCodec few = new AnnouncementCodec(new WireLimits(10_000, 3, 2, 4_000));
        String text = writer.write(single("a", single("b"), single("c")));
        assertInvalid(Reason.TOO_LARGE, () -> few.read(text)).hasMessageContaining("2 announcements");
    }

    @Test
    void limitsTheMemory() throws Exception {
        String[] ids = {"a", "b", "d", "e", "f", "g", "h", "i", "j", "k", "l"};
        assertAccepted(Announcement.of("a", 1, cluster("c", Arrays.copyOf(ids, 10))));
        assertTooLarge(Announcement.of("a", 1, cluster("c", ids)), "4000 bytes");
        assertAccepted(with(Map.of("a", "x".repeat(3_000))));
        assertTooLarge(with(Map.of("a", "x".repeat(3_100))), "4000 bytes");
        assertTooLarge(with(Map.of("a", "\u4f60".repeat(1_600))), "4000 bytes");
        assertTooLarge(single("a", with(Map.of("a", "x".repeat(3_000)))), "4000 bytes");
    }

    @Test
    void limitsTheLengthOfNames() throws Exception {
        assertTooLarge(with(Map.of("x".repeat(5_000), "")), "1000");
        assertAccepted(single("a").withServerInfo("x".repeat(1_000)));
        assertTooLarge(single("a").withServerInfo("x".repeat(1_001)), "1000");
    }

    @Test
    void limitsWhatIsUnknownToo() {
        String deep = "{\"x\":" + "[".repeat(100_000);
        assertInvalid(Reason.TOO_LARGE, () -> codec.read(deep)).hasMessageContaining("250");
        assertInvalid(Reason.TOO_LARGE, () -> codec.readReply(deep));
        assertInvalid(Reason.TOO_LARGE, () -> codec.read("{\"created\":" + "1".repeat(1_000) + "}"))
                .hasMessageContaining("40");
    }

    @Test
    void tenThousandNestedAnnouncementsAreRefused() {
        String one = "{\"ownerId\":\"a\",\"protocolVersion\":1,\"topologyAnnouncements\":[";
        AnnouncementCodec usual = new AnnouncementCodec(WireLimits.DEFAULT);

        assertInvalid(Reason.TOO_LARGE, () -> usual.read(one.repeat(10_000))).hasMessageContaining("32 levels");
        String flat = writer.write(single("a")).replace("Announcements\":[]", "Announcements\":[%s]");
        String[] many = new String[10_000];
        Arrays.fill(many, writer.write(single("a")));
        assertInvalid(Reason.TOO_LARGE, () -> usual.read(String.format(flat, String.join(",", many))))
                .hasMessageContaining("1000 announcements");
    }

    @Test
    void readsAThousandInstancesWithTheUsualLimits() throws Exception {
        String[] ids = new String[1_000];
        Arrays.setAll(ids, i -> "instance-" + i);
        Announcement large = Announcement.of(ids[0], 1, cluster("c", ids));

        assertThat(writer.read(writer.write(large))).isEqualTo(large);
    }

    @Test
    void whatFitsIsNotChanged() {
        Announcement most = single("a", single("b", single("c")), single("d"));

        assertThat(codec.fitting(most)).isSameAs(most);
        assertThat(codec.fitting(Announcement.loop("a", 1, 5))).isEqualTo(Announcement.loop("a", 1, 5));
    }

    @Test
    void leavesOutWhatWouldExceedALimitOfThePeer() throws Exception {
        Announcement small = single("z");
        for (Announcement large : List.of(
                chain(3),
                single("x", single("1"), single("2"), single("3")),
                Announcement.of("x", 1, cluster("c", "1", "2", "3", "4", "5", "6")))) {
            Announcement sent = codec.fitting(single("a", small, large, small));

            assertThat(sent).isEqualTo(single("a", small, small));
            assertThat(codec.read(writer.write(sent))).isEqualTo(sent);
        }
    }

    @Test
    void leavesOutWhatWouldMakeTheBodyTooLong() {
        Announcement nested = single("b");
        int length = writer.write(single("a", nested, nested)).length();
        WireLimits exact = new WireLimits(length, 3, 5, 100_000);
        WireLimits less = new WireLimits(length - 1, 3, 5, 100_000);
        Announcement three = single("a", nested, nested, nested);

        assertThat(new AnnouncementCodec(exact).fitting(three)).isEqualTo(single("a", nested, nested));
        assertThat(new AnnouncementCodec(less).fitting(three)).isEqualTo(single("a", nested));
    }

    private static Set<String> names(AnnouncedCluster cluster) {
        return cluster.instances().stream()
                .flatMap(each -> each.properties().keySet().stream())
                .collect(Collectors.toCollection(TreeSet::new));
    }

    @Test
    void leavesOutThePropertiesThatAPeerWouldRefuse() throws Exception {
        AnnouncedCluster cluster = new AnnouncedCluster(
                "c",
                List.of(
                        new AnnouncedInstance(
                                "a", true, Map.of("a", "1", "b", "y".repeat(1_200), "c", "y".repeat(1_900))),
                        new AnnouncedInstance("b", false, Map.of("d", "z".repeat(1_901), "f".repeat(1_001), ""))));

        assertThat(names(codec.fitting(cluster))).containsExactly("a", "b");
        assertAccepted(Announcement.of("a", 1, codec.fitting(cluster)));
        AnnouncementCodec more = new AnnouncementCodec(new WireLimits(10_000, 3, 5, 100_000));
        assertThat(names(more.fitting(cluster))).containsExactly("a", "b", "c", "d");
    }

    @Test
    void leavesOutTheLongestPropertiesOfAClusterThatIsTooLong() throws Exception {
        Map<String, String> properties = new HashMap<>();
        for (int i = 1; i <= 40; i++) {
            properties.put("p" + i, "\u00e9".repeat(100 * i));
        }
        AnnouncedCluster cluster =
                new AnnouncedCluster("c", List.of(new AnnouncedInstance("a".repeat(200), true, properties)));
        AnnouncementCodec small = new AnnouncementCodec(new WireLimits(100_000, 32, 10, 1_000_000));

        AnnouncedCluster fitting = small.fitting(cluster);
        assertThat(names(fitting)).contains("p1", "p16").doesNotContain("p20", "p40");
        Announcement message =
                Announcement.of("a".repeat(200), Long.MAX_VALUE, fitting).withServerInfo("s".repeat(500));
        assertThat(small.read(writer.write(message))).isEqualTo(message);
        assertThat(small.fitting(fitting)).isSameAs(fitting);
    }

    @Test
    void theLimitsHaveLimits() {
        assertThatIllegalArgumentException().isThrownBy(() -> new WireLimits(1, 101, 1, 1));
        assertThatIllegalArgumentException().isThrownBy(() -> new WireLimits(0, 1, 1, 1));
    }

    @Test
    void theGreatestDepthNeedsLittleStack() throws Exception {
        WireLimits deepest = new WireLimits(1 << 20, 100, 1_000, 1 << 20);
        Announcement chain = chain(100);

        Announcement read = new AnnouncementCodec(deepest).read(writer.write(chain));

        assertThat(read).isEqualTo(chain);
        assertThat(read.all()).hasSize(100);
    }
}
