// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.connectors.wire;

import static io.github.discoveryzk.connectors.wire.Messages.A1;
import static io.github.discoveryzk.connectors.wire.Messages.A2;
import static io.github.discoveryzk.connectors.wire.Messages.C1;
import static io.github.discoveryzk.connectors.wire.Messages.PING;
import static io.github.discoveryzk.connectors.wire.Messages.assertInvalid;
import static io.github.discoveryzk.connectors.wire.Messages.by;
import static io.github.discoveryzk.connectors.wire.Messages.cluster;
import static io.github.discoveryzk.connectors.wire.Messages.message;
import static io.github.discoveryzk.connectors.wire.Messages.single;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.github.discoveryzk.connectors.wire.InvalidMessage.Reason;
import io.github.discoveryzk.model.RemoteCluster;
import io.github.discoveryzk.model.RemoteCluster.RemoteInstance;
import java.io.ByteArrayInputStream;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import java.util.zip.DeflaterInputStream;
import java.util.zip.InflaterInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class AnnouncementCodecTest {

    private final AnnouncementCodec codec = new AnnouncementCodec(WireLimits.DEFAULT);

    private static Message ping() {
        RemoteCluster clusterA = new RemoteCluster(
                "cluster-a",
                List.of(new RemoteInstance(A1, Map.of("role", "author")), new RemoteInstance(A2, Map.of())),
                A1);
        Announcement clusterC = by(C1, cluster("cluster-c", C1)).withServerInfo("c1.example:8080");
        return Message.of(by(A1, clusterA, clusterC).withServerInfo("a1.example:8080"), 1_767_225_600_000L);
    }

    private Message read(String text) throws InvalidMessage {
        return codec.read(text, false);
    }

    private Message readReply(String text) throws InvalidMessage {
        return codec.read(text, true);
    }

    /** Sling, and instances of other versions, read and write the same. */
    @ParameterizedTest
    @MethodSource
    void aMessageHasTheseBytes(String file, Message message) throws Exception {
        String text = Messages.file(file);

        assertThat(codec.write(message)).isEqualTo(text);
        assertThat(readReply(text)).isEqualTo(message);
    }

    static Stream<Arguments> aMessageHasTheseBytes() {
        Announcement reply = single("b1").withServerInfo("b1.example:8080").asInherited(true);
        return Stream.of(
                arguments("request", ping()),
                arguments("reply", Message.of(reply, 5).withBackoff(60).withResetBackoff(true)),
                arguments("loop", Message.loop("b1", 5, 150)));
    }

    @Test
    void whatIsSharedIsTheSameCompressed() throws Exception {
        assertThat(new InflaterInputStream(new ByteArrayInputStream(codec.pack(ping()))))
                .hasContent(PING);
        assertThat(codec.unpack(
                        new DeflaterInputStream(new ByteArrayInputStream(PING.getBytes(UTF_8))), true, Long.MAX_VALUE))
                .isEqualTo(ping());
    }

    @Test
    void escapesAllThatIsNotAscii() throws Exception {
        String value = "\u00e9 \u4f60 \ud83d\ude00 \ud800 \u2028 \" \\ \n \u0001 </script>";
        Message message = message(by("a", cluster("c", "a", Map.of("p", value))));

        String text = codec.write(message);

        assertThat(text).matches("[ -~]*").contains("\\u00E9", "\\uD83D\\uDE00", "\\uD800");
        assertThat(read(text)).isEqualTo(message);
    }

    @Test
    void theFirstInstanceLeadsAClusterWithoutLeader() throws Exception {
        String text = PING.replace("\"isLeader\":true", "\"isLeader\":false");

        assertThat(read(text)).isEqualTo(ping());
    }

    @Test
    void propertiesHaveOneOrder() {
        Map<String, String> properties = new LinkedHashMap<>();
        List.of("p9", "p1", "p5", "p3", "p7").forEach(name -> properties.put(name, ""));

        assertThat(codec.write(message(by("a", cluster("c", "a", properties)))))
                .contains("{\"p1\":\"\",\"p3\":\"\",\"p5\":\"\",\"p7\":\"\",\"p9\":\"\"}");
    }

    @Test
    void ignoresUnknownKeysAndTheClusterOfAnInstance() throws Exception {
        String text = PING.replace("\"created\"", "\"more\":{\"a\":[1,2,{}],\"ownerId\":3},\"created\"")
                .replace("\"cluster\":\"cluster-c\"", "\"cluster\":42")
                .replace("\"id\":\"cluster-a\"", "\"hint\":null,\"id\":\"cluster-a\"");

        assertThat(read(text)).isEqualTo(ping());
    }

    @Test
    void dropsPropertiesWhoseNameIsNotLegal() throws Exception {
        String text = PING.replace("{\"role\"", "{\"a/b\":\"1\",\"\":\"2\",\"\u00e4\":\"3\",\"role\"");

        assertThat(read(text)).isEqualTo(ping());
    }

    @Test
    void aBackoffIsCutToItsRange() throws Exception {
        assertThat(readReply(PING.replaceFirst("\\}$", ",\"backoffInterval\":9223372036854775807}"))
                        .backoffSeconds())
                .isEqualTo(Message.MAX_BACKOFF_SECONDS);
        assertThat(readReply(PING.replaceFirst("\\}$", ",\"backoffInterval\":-5}"))
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

        assertInvalid(Reason.MALFORMED, () -> read(text)).hasMessageContaining("the key " + key + " is missing");
    }

    @ParameterizedTest
    @ValueSource(strings = {"\"protocolVersion\":2", "\"protocolVersion\":-1", "\"version\":1"})
    void refusesAnotherVersion(String version) {
        String text = PING.replaceFirst("\"protocolVersion\":1", version);

        assertInvalid(Reason.VERSION, () -> read(text)).hasMessageContaining("protocol version");
    }

    @Test
    void doesNotCheckTheVersionOfNestedAnnouncements() throws Exception {
        String text = PING.substring(0, 200) + PING.substring(200).replace("\"protocolVersion\":1", "\"x\":1");

        assertThat(text).isNotEqualTo(PING);
        assertThat(read(text)).isEqualTo(ping());
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
                "\"slingId\":\"" + A2 + "\"|\"slingId\":\"a/b\"|instance id",
                "{\"slingId\":\"" + C1
                        + "\",\"isLeader\":true,\"cluster\":\"cluster-c\",\"properties\":{}}|''|no instance",
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
        assertInvalid(Reason.MALFORMED, () -> read(text)).hasMessageContaining(why);
    }

    @Test
    void aMessageNamesThePlace() {
        String text = PING.replaceAll("(c-?1.*)\"properties\":\\{\\}", "$1\"properties\":[]");

        assertInvalid(Reason.MALFORMED, () -> read(text))
                .hasMessageContaining("/topologyAnnouncements/0/localClusterView/instances/0/properties");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "null", "[]", "\"x\"", "7", "{", "{}", "{]", "\ufeff{}", "{'a':1}", "{\"a\":NaN}"})
    void refusesWhatIsNoAnnouncement(String text) {
        assertThatExceptionOfType(InvalidMessage.class).isThrownBy(() -> read(text));
        assertThatExceptionOfType(InvalidMessage.class).isThrownBy(() -> readReply(text));
    }

    @Test
    void loopIsForTheOutermostAnnouncementOfAReply() {
        String loop = codec.write(Message.loop("b1", 5, 0));
        String nested = PING.replace("\"serverInfo\":\"c1", "\"loop\":true,\"serverInfo\":\"c1");

        assertInvalid(Reason.MALFORMED, () -> read(loop)).hasMessageContaining("loop");
        assertInvalid(Reason.MALFORMED, () -> readReply(nested)).hasMessageContaining("loop");
    }

    @Test
    void aLoopReplyIgnoresOtherKeysWhereverItSaysSo() throws Exception {
        String text = PING.substring(0, PING.length() - 1) + ",\"backoffInterval\":150,\"loop\":true}";

        assertThat(readReply(text)).isEqualTo(Message.loop(A1, 1_767_225_600_000L, 150));
    }
}
