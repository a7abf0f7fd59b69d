// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.connectors.wire;

import static io.github.discoveryzk.connectors.wire.Messages.assertInvalid;
import static io.github.discoveryzk.connectors.wire.Messages.by;
import static io.github.discoveryzk.connectors.wire.Messages.chain;
import static io.github.discoveryzk.connectors.wire.Messages.cluster;
import static io.github.discoveryzk.connectors.wire.Messages.message;
import static io.github.discoveryzk.connectors.wire.Messages.single;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.discoveryzk.connectors.wire.InvalidMessage.Reason;
import io.github.discoveryzk.model.RemoteCluster;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class CodecLimitsTest {

    private final AnnouncementCodec writer = new AnnouncementCodec(WireLimits.DEFAULT);
    private final AnnouncementCodec codec = new AnnouncementCodec(new WireLimits(10_000, 3, 5, 4_000));

    private static Announcement with(Map<String, String> properties) {
        return by("a", cluster("c", "a", properties));
    }

    private void assertTooLarge(Announcement announcement, String limit) {
        String text = writer.write(message(announcement));
        assertInvalid(Reason.TOO_LARGE, () -> codec.read(text, false)).hasMessageContaining(limit);
    }

    private void assertAccepted(Announcement announcement) throws InvalidMessage {
        assertThat(codec.read(writer.write(message(announcement)), false)).isEqualTo(message(announcement));
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
        String text = writer.write(message(single("a", single("b"), single("c"))));
        assertInvalid(Reason.TOO_LARGE, () -> few.read(text, false)).hasMessageContaining("2 announcements");
    }

    @Test
    void limitsTheMemory() throws Exception {
        String[] ids = {"a", "b", "d", "e", "f", "g", "h", "i", "j", "k", "l"};
        assertAccepted(by("a", cluster("c", Arrays.copyOf(ids, 10))));
        assertTooLarge(by("a", cluster("c", ids)), "4000 bytes");
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
        assertInvalid(Reason.TOO_LARGE, () -> codec.read(deep, false)).hasMessageContaining("250");
        assertInvalid(Reason.TOO_LARGE, () -> codec.read(deep, true));
        assertInvalid(Reason.TOO_LARGE, () -> codec.read("{\"created\":" + "1".repeat(1_000) + "}", false))
                .hasMessageContaining("40");
    }

    @Test
    void tenThousandNestedAnnouncementsAreRefused() {
        String one = "{\"ownerId\":\"a\",\"protocolVersion\":1,\"topologyAnnouncements\":[";
        AnnouncementCodec usual = new AnnouncementCodec(WireLimits.DEFAULT);
        assertInvalid(Reason.TOO_LARGE, () -> usual.read(one.repeat(10_000), false))
                .hasMessageContaining("32 levels");
        String flat = writer.write(message(single("a"))).replace("Announcements\":[]", "Announcements\":[%s]");
        String[] many = new String[10_000];
        Arrays.fill(many, writer.write(message(single("a"))));
        assertInvalid(Reason.TOO_LARGE, () -> usual.read(String.format(flat, String.join(",", many)), false))
                .hasMessageContaining("1000 announcements");
    }

    @Test
    void whatFitsIsNotChanged() {
        Message most = message(single("a", single("b", single("c")), single("d")));
        assertThat(codec.fitting(most)).isEqualTo(most);
        assertThat(codec.fitting(Message.loop("a", 1, 5))).isEqualTo(Message.loop("a", 1, 5));
    }

    @Test
    void leavesOutWhatWouldExceedALimitOfThePeer() throws Exception {
        Announcement small = single("z");
        for (Announcement large : List.of(
                chain(3),
                single("x", single("1"), single("2"), single("3")),
                by("x", cluster("c", "1", "2", "3", "4", "5", "6")))) {
            Message sent = codec.fitting(message(single("a", small, large, small)));
            assertThat(sent).isEqualTo(message(single("a", small, small)));
            assertThat(codec.read(writer.write(sent), false)).isEqualTo(sent);
        }
    }

    @Test
    void leavesOutWhatWouldMakeTheBodyTooLong() {
        Announcement nested = single("b");
        int length = writer.write(message(single("a", nested, nested))).length();
        WireLimits exact = new WireLimits(length, 3, 5, 100_000);
        WireLimits less = new WireLimits(length - 1, 3, 5, 100_000);
        Message three = message(single("a", nested, nested, nested));
        assertThat(new AnnouncementCodec(exact).fitting(three)).isEqualTo(message(single("a", nested, nested)));
        assertThat(new AnnouncementCodec(less).fitting(three)).isEqualTo(message(single("a", nested)));
    }

    @Test
    void aClusterWhosePropertiesAPeerWouldRefuseHasNone() {
        RemoteCluster cluster = cluster("c", "a", Map.of("b", "y".repeat(1_900)));
        RemoteCluster bare = cluster("c", "a");
        assertThat(new AnnouncementCodec(new WireLimits(3_000, 3, 5, 100_000)).fitting(cluster))
                .isEqualTo(bare);
        assertThat(new AnnouncementCodec(new WireLimits(10_000, 3, 5, 2_500)).fitting(cluster))
                .isEqualTo(bare);
        assertThat(new AnnouncementCodec(new WireLimits(10_000, 3, 5, 100_000)).fitting(cluster))
                .isSameAs(cluster);
    }

    @Test
    void theGreatestDepthNeedsLittleStack() throws Exception {
        WireLimits deepest = new WireLimits(1 << 20, 100, 1_000, 1 << 20);
        Message chain = message(chain(100));
        assertThat(new AnnouncementCodec(deepest).read(writer.write(chain), false))
                .isEqualTo(chain);
    }
}
