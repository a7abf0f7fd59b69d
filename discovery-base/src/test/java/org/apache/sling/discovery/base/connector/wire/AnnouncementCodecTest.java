// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.connector.wire;

import static org.apache.sling.discovery.base.connector.wire.Messages.A1;
import static org.apache.sling.discovery.base.connector.wire.Messages.A2;
import static org.apache.sling.discovery.base.connector.wire.Messages.C1;
import static org.apache.sling.discovery.base.connector.wire.Messages.PING;
import static org.apache.sling.discovery.base.connector.wire.Messages.assertInvalid;
import static org.apache.sling.discovery.base.connector.wire.Messages.instance;
import static org.apache.sling.discovery.base.connector.wire.Messages.single;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import java.util.Map;
import org.apache.sling.discovery.base.connector.wire.InvalidMessage.Reason;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AnnouncementCodecTest {

    private final AnnouncementCodec codec = new AnnouncementCodec(WireLimits.DEFAULT);

    private Announcement ping() {
        Announcement clusterC = Announcement.of(C1, 1767225600001L, Messages.cluster("cluster-c", C1))
                .withServerInfo("c1.example:8080");
        return Announcement.of(
                        A1,
                        1767225600000L,
                        new AnnouncedCluster(
                                "cluster-a",
                                List.of(
                                        new AnnouncedInstance(A1, true, Map.of("role", "author")),
                                        instance(A2, false))))
                .withServerInfo("a1.example:8080")
                .withNested(List.of(clusterC));
    }

    @Test
    void writesAPingAsSlingDoes() {
        assertThat(codec.write(ping())).isEqualTo(PING);
    }

    @Test
    void readsAPingOfSling() throws Exception {
        assertThat(codec.read(PING)).isEqualTo(ping());
        assertThat(codec.readReply(PING)).isEqualTo(ping());
    }

    @Test
    void writesALoopReplyAsSlingDoes() throws Exception {
        String text = "{\"ownerId\":\"b1\",\"protocolVersion\":1,\"created\":5,\"inherited\":false,\"loop\":true,"
                + "\"backoffInterval\":150,\"topologyAnnouncements\":[]}";

        assertThat(codec.write(Announcement.loop("b1", 5, 150))).isEqualTo(text);
        assertThat(codec.readReply(text)).isEqualTo(Announcement.loop("b1", 5, 150));
    }

    @Test
    void writesBackoffAndResetBeforeWhatIsNested() throws Exception {
        Announcement announcement =
                single("a").withBackoff(60).withResetBackoff(true).asInherited(true);

        assertThat(codec.write(announcement))
                .contains("\"inherited\":true,\"localClusterView\":")
                .endsWith(",\"backoffInterval\":60,\"resetBackoff\":true,\"topologyAnnouncements\":[]}");
        assertThat(codec.read(codec.write(announcement))).isEqualTo(announcement);
    }

    @Test
    void escapesAllThatIsNotAscii() throws Exception {
        String value = "\u00e9 \u4f60 \ud83d\ude00 \ud800 \u2028 \" \\ \n \u0001 </script>";
        Announcement announcement = Announcement.of(
                "a", 1, new AnnouncedCluster("c", List.of(new AnnouncedInstance("a", true, Map.of("p", value)))));

        String text = codec.write(announcement);

        assertThat(text).matches("[ -~]*").contains("\\u00E9", "\\uD83D\\uDE00", "\\uD800");
        assertThat(codec.read(text)).isEqualTo(announcement);
    }

    @Test
    void writesOnlyAClusterOfItsOwnThatHasALeader() throws Exception {
        Announcement headless = Announcement.of("b", 1, new AnnouncedCluster("c", List.of(instance("b", false))));

        assertThatIllegalArgumentException().isThrownBy(() -> codec.write(headless));
        Announcement passedOn = single("a", headless);
        assertThat(codec.read(codec.write(passedOn))).isEqualTo(passedOn);
    }

    @Test
    void ignoresUnknownKeysAndTheClusterOfAnInstance() throws Exception {
        String text = PING.replace("\"created\"", "\"more\":{\"a\":[1,2,{}],\"ownerId\":3},\"created\"")
                .replace("\"cluster\":\"cluster-c\"", "\"cluster\":42")
                .replace("\"id\":\"cluster-a\"", "\"hint\":null,\"id\":\"cluster-a\"");

        assertThat(codec.read(text)).isEqualTo(ping());
    }

    @Test
    void keysMayComeInAnotherOrder() throws Exception {
        String text = "{\"topologyAnnouncements\":[],\"localClusterView\":{\"instances\":[{\"properties\":{},"
                + "\"isLeader\":true,\"slingId\":\"a\"}],\"id\":\"cluster-a\"},\"created\":1,\"protocolVersion\":1,"
                + "\"ownerId\":\"a\"}";

        assertThat(codec.read(text)).isEqualTo(single("a"));
    }

    @Test
    void theServerInfoMayBeAbsentOrNull() throws Exception {
        assertThat(codec.read(PING.replace("\"serverInfo\":\"a1.example:8080\"", "\"serverInfo\":null"))
                        .serverInfo())
                .isEmpty();
        assertThat(codec.read(PING.replace("a1.example:8080", "a1.example:null"))
                        .serverInfo())
                .contains("a1.example:null");
    }

    @Test
    void dropsPropertiesWhoseNameIsNotLegal() throws Exception {
        String text = PING.replace("{\"role\"", "{\"a/b\":\"1\",\"\":\"2\",\"\u00e4\":\"3\",\"role\"");

        assertThat(codec.read(text)).isEqualTo(ping());
    }

    @Test
    void aBackoffIsCutToItsRange() throws Exception {
        assertThat(codec.readReply(PING.replaceFirst("\\}$", ",\"backoffInterval\":9223372036854775807}"))
                        .backoffSeconds())
                .isEqualTo(Announcement.MAX_BACKOFF_SECONDS);
        assertThat(codec.readReply(PING.replaceFirst("\\}$", ",\"backoffInterval\":-5}"))
                        .backoffSeconds())
                .isZero();
    }

    @ParameterizedTest
    @CsvSource({
        "ownerId, 1",
        "localClusterView, 1",
        "topologyAnnouncements, 1",
        "slingId, 1",
        "isLeader, 1",
        "properties, 1",
        "id, 1",
        "topologyAnnouncements, 2",
        "localClusterView, 2"
    })
    void refusesWhatLacksAMandatoryKey(String key, int occurrence) {
        String wanted = "\"" + key + "\":";
        int at = PING.indexOf(wanted);
        for (int i = 1; i < occurrence; i++) {
            at = PING.indexOf(wanted, at + 1);
        }
        String text = PING.substring(0, at) + "\"other\":" + PING.substring(at + wanted.length());

        assertInvalid(Reason.MALFORMED, () -> codec.read(text)).hasMessageContaining("the key " + key + " is missing");
    }

    @ParameterizedTest
    @ValueSource(strings = {"\"protocolVersion\":2", "\"protocolVersion\":-1", "\"version\":1"})
    void refusesAnotherVersion(String version) {
        String text = PING.replaceFirst("\"protocolVersion\":1", version);

        assertInvalid(Reason.VERSION, () -> codec.read(text)).hasMessageContaining("protocol version");
    }

    @Test
    void doesNotCheckTheVersionOfNestedAnnouncements() throws Exception {
        String text = PING.substring(0, 200) + PING.substring(200).replace("\"protocolVersion\":1", "\"x\":1");

        assertThat(text).isNotEqualTo(PING);
        assertThat(codec.read(text)).isEqualTo(ping());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "\"ownerId\":\"" + A1 + "\"|\"ownerId\":\"\"|owner id",
                "\"ownerId\":\"" + A1 + "\"|\"ownerId\":\"../x\"|owner id",
                "\"ownerId\":\"" + A1 + "\"|\"ownerId\":7|a text is expected",
                "\"id\":\"cluster-a\"|\"id\":\"a/b\"|cluster id",
                "\"created\":1767225600000|\"created\":\"now\"|a whole number is expected",
                "\"created\":1767225600000|\"created\":1.5|a whole number is expected",
                "\"created\":1767225600000|\"created\":99999999999999999999|out of range of long",
                "\"created\":1767225600000|\"created\":1,\"created\":2|comes twice",
                "\"isLeader\":false|\"isLeader\":true|2 leaders",
                "\"isLeader\":false|\"isLeader\":\"no\"|true or false",
                "\"" + A2 + "\"|\"" + A1 + "\"|twice",
                "\"author\"|5|a text is expected",
                "\"author\"|null|a text is expected",
                "{\"role\":\"author\"}|{\"role\":\"a\",\"role\":\"b\"}|comes twice",
                "{\"role\":\"author\"}|[]|an object is expected",
                "\"topologyAnnouncements\":[]}]}|\"topologyAnnouncements\":{}}]}|an array is expected",
                "\"topologyAnnouncements\":[]}]}|\"topologyAnnouncements\":[null]}]}|an object is expected",
                "\"topologyAnnouncements\":[]}]}|\"topologyAnnouncements\":[]}]}x|it is not JSON",
                "\"topologyAnnouncements\":[]}]}|\"topologyAnnouncements\":[]}]}{}|more after the end",
                "\"topologyAnnouncements\":[]}]}|\"topologyAnnouncements\":[]|it is not JSON",
                "\"inherited\":false|\"loop\":true|loop is for",
            })
    void refusesWhatIsMalformed(String part, String replacement, String why) {
        String text = PING.replace(part, replacement);

        assertThat(text).isNotEqualTo(PING);
        assertInvalid(Reason.MALFORMED, () -> codec.read(text)).hasMessageContaining(why);
    }

    @Test
    void aMessageNamesThePlace() {
        String text = PING.replaceAll("(c-?1.*)\"properties\":\\{\\}", "$1\"properties\":[]");

        assertInvalid(Reason.MALFORMED, () -> codec.read(text))
                .hasMessageContaining("/topologyAnnouncements/0/localClusterView/instances/0/properties");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "null", "[]", "\"x\"", "7", "{", "{}", "{]", "\ufeff{}", "{'a':1}", "{\"a\":NaN}"})
    void refusesWhatIsNoAnnouncement(String text) {
        assertThatExceptionOfType(InvalidMessage.class).isThrownBy(() -> codec.read(text));
        assertThatExceptionOfType(InvalidMessage.class).isThrownBy(() -> codec.readReply(text));
    }

    @Test
    void loopIsForTheOutermostAnnouncementOfAReply() {
        String loop = codec.write(Announcement.loop("b1", 5, 0));
        String nested = PING.replace("\"serverInfo\":\"c1", "\"loop\":true,\"serverInfo\":\"c1");

        assertInvalid(Reason.MALFORMED, () -> codec.read(loop)).hasMessageContaining("loop");
        assertInvalid(Reason.MALFORMED, () -> codec.readReply(nested)).hasMessageContaining("loop");
    }

    @Test
    void aLoopReplyIgnoresOtherKeysWhereverItSaysSo() throws Exception {
        String text = PING.substring(0, PING.length() - 1) + ",\"backoffInterval\":150,\"loop\":true}";

        assertThat(codec.readReply(text)).isEqualTo(Announcement.loop(A1, 1_767_225_600_000L, 150));
    }
}
