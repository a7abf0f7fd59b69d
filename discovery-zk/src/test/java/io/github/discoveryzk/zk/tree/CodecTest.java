// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.zk.tree;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.discoveryzk.model.DataRecord;
import io.github.discoveryzk.model.Departure;
import io.github.discoveryzk.model.EstablishedView;
import io.github.discoveryzk.model.HistoryEntry;
import io.github.discoveryzk.model.Incarnation;
import io.github.discoveryzk.model.MemberRecord;
import io.github.discoveryzk.model.ProcessInfo;
import io.github.discoveryzk.model.Reason;
import io.github.discoveryzk.model.ReasonCode;
import io.github.discoveryzk.model.ViewDifference;
import io.github.discoveryzk.model.ViewHead;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class CodecTest {
    private static final Codecs CODECS = Codecs.CURRENT;
    private static final String NODE = "m-0123456789abcdef-1-1-0000000007";
    private static final String RUN = "12345678-9abc-4def-8123-456789abcdef";
    private static final ProcessInfo PROCESS = new ProcessInfo(RUN, "höst", 42, "/home/ß", 1_700_000_000_000L);

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Test
    void aRecordComesBackWithoutWhatItMayLack() throws Exception {
        MemberRecord plain = MemberRecord.of("id", PROCESS, Map.of());
        EstablishedView first = aView(2, 9_000);
        HistoryEntry entry = new HistoryEntry(ViewDifference.between(Optional.empty(), first), List.of(), 0, 0);

        assertThat(CODECS.readMember(Codecs.write(plain))).isEqualTo(plain);
        assertThat(CODECS.readView(Codecs.write(first, 1))).isEqualTo(first);
        assertThat(CODECS.readEntry(Codecs.write(entry, 1))).isEqualTo(entry);
    }

    @Test
    void longRecordsAreCompressed() throws Exception {
        MemberRecord record = MemberRecord.of("id", PROCESS, Map.of("long", "x".repeat(2_000_000)));
        byte[] bytes = Codecs.write(record);

        assertThat(bytes).hasSizeLessThan(10_000).startsWith((byte) 0x1f, (byte) 0x8b);
        assertThat(CODECS.readMember(bytes)).isEqualTo(record);
        assertThat(Codecs.write(MemberRecord.of("id", PROCESS, Map.of()))).startsWith('{');
    }

    private static DataRecord data(Object value) {
        return new DataRecord("text", value, "a", OptionalLong.empty(), Optional.empty());
    }

    @Test
    void sharedDataComesBackWithSetsAsLists() throws Exception {
        Object value = Map.of("set", new TreeSet<>(Set.of("a", "b")), "map", Map.of("", -1L), "none", List.of());
        assertThat(DataRecords.read(DataRecords.write(data(value))))
                .isEqualTo(data(Map.of("set", List.of("a", "b"), "map", Map.of("", -1L), "none", List.of())));
        assertThat(DataRecords.read(DataRecords.write(data("x".repeat(1_000_000))))
                        .value())
                .isEqualTo("x".repeat(1_000_000));
    }

    static Stream<Object> unreadableData() {
        Object deep = "";
        for (int i = 0; i < 30; i++) {
            deep = List.of(deep);
        }
        return Stream.of(
                deep,
                Collections.nCopies(300_000, 1L),
                Map.of("x".repeat(1_001), true),
                "x".repeat(5_000_000),
                new Random(1).longs(10_000).boxed().toList());
    }

    @ParameterizedTest
    @MethodSource("unreadableData")
    void sharedDataThatNoMemberCouldReadIsNotWritten(Object value) {
        assertThatThrownBy(() -> DataRecords.write(data(value))).isInstanceOf(TooLarge.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"format\":2,\"type\":\"text\",\"value\":\"\",\"writer\":\"a\"}",
                "{\"format\":1,\"type\":\"text\",\"value\":1.5,\"writer\":\"a\"}",
                "{\"format\":1,\"type\":\"text\",\"value\":[null],\"writer\":\"a\"}",
                "{\"format\":1,\"type\":\"text\",\"writer\":\"a\"}",
                "{\"format\":1,\"type\":\"text\",\"value\":\"\",\"writer\":\"a/b\"}",
                "{\"format\":1,\"type\":\"text\",\"value\":\"\",\"writer\":\"a\",\"owner\":\"..\"}",
                "{\"format\":1,\"value\":\"\",\"writer\":\"a\"}"
            })
    void sharedDataOfAnotherKindIsUnreadable(String record) {
        assertThatThrownBy(() -> DataRecords.read(bytes(record))).isInstanceOf(Unreadable.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                ".",
                "..",
                "...",
                "a/b",
                "100 %",
                "%0041",
                "ä",
                "\ud83d\ude00",
                "\ud800",
                "\0",
                "Tom & \"Jerry\" ~!"
            })
    void anEscapedNameIsUnescaped(String text) {
        String name = Names.escaped(text);
        assertThat(name).matches("[!-~&&[^/]]+").isNotIn(".", "..");
        assertThat(Names.unescaped(name)).contains(text);
    }

    @Test
    void anEscapedNameStaysReadable() {
        assertThat(Names.escaped("Tom&Jerry: 50% [a/b]")).isEqualTo("Tom&Jerry:%002050%0025%0020[a%002fb]");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "%0041", "%", "%00E4", "a b", "ä", ".", "..", "%002e%002e", "%00"})
    void aNameThatEscapingDoesNotProduceIsForeign(String name) {
        assertThat(Names.unescaped(name)).isEmpty();
    }

    @Test
    void aFormatThatIsNotKnownCannotBeRead() {
        byte[] newer = bytes("{\"format\":2,\"instanceId\":\"i\"}");
        assertThatThrownBy(() -> CODECS.readMember(newer))
                .isInstanceOf(Unreadable.class)
                .hasMessage("it has format 2, and this version knows format 1");
    }

    @Test
    void unknownFieldsAreIgnored() throws Exception {
        MemberRecord read = CODECS.readMember(bytes("{\"format\":1,\"instanceId\":\"i\",\"runtimeId\":\"" + RUN
                + "\",\"host\":\"h\"," + "\"home\":\"/\",\"mood\":{\"good\":true},\"properties\":{\"k\":\"v\"}}"));
        assertThat(read.instanceId()).isEqualTo("i");
        assertThat(read.process().settings()).isEmpty();
        assertThat(read.properties()).containsEntry("k", "v");
    }

    /** Each record has other fields besides, and so must name the one that is not right, in one line. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
            instanceId | a\\nWARN forged | id
            instanceId | a/b           | id
            instanceId | ''            | id
            runtimeId  | x\\r\\nFLUSHALL\\r\\n | run
            runtimeId  | r             | run
            endpoint   | localhost:80  | 10.0.0.1:80
            endpoint   | 10.0.0.1:0    | 10.0.0.1:80
            endpoint   | 10.0.0.1:65536| 10.0.0.1:65535
            endpoint   | 0.0.0.0:80    | ''
            endpoint   | 10.0.0.1:80\\nx | [fe80::1%eth0]:80
            """)
    void aMemberRecordWithAForgedFieldCannotBeRead(String field, String forged, String legal) throws Exception {
        String record = "{'format':1,'instanceId':'id','runtimeId':'run','endpoint':'','host':'h','home':'/','" + field
                + "':'%s'}";
        assertThat(CODECS.readMember(json(record, legal)).properties()).isEmpty();
        assertThatThrownBy(() -> CODECS.readMember(json(record, forged)))
                .isInstanceOf(Unreadable.class)
                .message()
                .doesNotContain("\n", "\r");
    }

    private static byte[] json(String record, String value) {
        return bytes(
                record.replace("%s", value).replace("'run'", "'" + RUN + "'").replace('\'', '"'));
    }

    @ParameterizedTest
    @ValueSource(strings = {"a\\nb", "a/b", ""})
    void otherRecordsWithAForgedFieldCannotBeRead(String forged) throws Exception {
        String view =
                "{'format':1,'number':3,'token':1,'sessionTimeout':9000,'members':[{'node':'NODE','id':'ID'}],'leftOut':['OUT'],'cause':'',"
                        + "'publisher':'BY'}";
        String renewal = "{'format':1,'sessionTimeout':9000,'node':'NODE'}";
        assertThat(CODECS.readView(legal(view)).number()).isEqualTo(3);
        assertThat(Codecs.readRenewal(legal(renewal)).node()).isEqualTo(NODE);
        for (String field : List.of("NODE", "OUT", "ID", "BY")) {
            assertThatThrownBy(() -> CODECS.readView(legal(view.replace(field, forged))))
                    .isInstanceOf(Unreadable.class);
        }
        assertThatThrownBy(() -> CODECS.readView(legal(view.replace("NODE", ".."))))
                .isInstanceOf(Unreadable.class);
        assertThatThrownBy(() -> Codecs.readRenewal(legal(renewal.replace("NODE", forged))))
                .isInstanceOf(Unreadable.class);
        byte[] shared = legal("{'format':1,'holder':'ID','ownerId':'BY'}".replace("ID", forged) + "\n");
        assertThatThrownBy(() -> AnnouncementRecords.read(Names.announcement(7, "a"), shared, true))
                .isInstanceOf(Unreadable.class);
    }

    private static byte[] legal(String record) {
        return bytes(record.replace("NODE", NODE)
                .replace("OUT", NODE)
                .replace("ID", "a")
                .replace("BY", "a")
                .replace('\'', '"'));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "null",
                "[]",
                "7",
                "{",
                "{}",
                "<xml/>",
                "{\"format\":\"one\"}",
                "{\"format\":0}",
                "{\"format\":2}",
                "{\"format\":1}",
                "{\"format\":1,\"instanceId\":\"i\"}",
                "{\"format\":1,\"instanceId\":{},\"members\":7}",
                "{\"format\":1,\"instanceId\":\"i\",\"runtimeId\":\"r\",\"host\":\"h\",\"home\":\"/\",\"properties\":{\"k\":null}}",
                "{\"format\":1,\"number\":3,\"members\":[null],\"leftOut\":[],\"cause\":\"\",\"publisher\":\"\"}",
                "{\"format\":1,\"number\":3,\"members\":[],\"leftOut\":[],\"cause\":\"\",\"publisher\":\"\"}",
                "\u001f\u008b\u0008"
            })
    void brokenBytesAreUnreadableAndNothingElse(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
        assertThatThrownBy(() -> CODECS.readMember(bytes)).isInstanceOf(Unreadable.class);
        assertThatThrownBy(() -> CODECS.readView(bytes)).isInstanceOf(Unreadable.class);
        assertThatThrownBy(() -> CODECS.readEntry(bytes)).isInstanceOf(Unreadable.class);
    }

    @Test
    void missingFieldIsNamed() {
        assertThatThrownBy(() -> CODECS.readMember(bytes("{\"format\":1,\"instanceId\":\"i\"}")))
                .isInstanceOf(Unreadable.class)
                .hasMessage("it lacks the field runtimeId");
        assertThatThrownBy(
                        () -> CODECS.readEntry(bytes("{\"format\":1,\"number\":3,\"cause\":\"\",\"publisher\":\"i\"}")))
                .isInstanceOf(Unreadable.class)
                .hasMessage("it lacks the field removed");
        assertThatThrownBy(() -> CODECS.readView(bytes("{\"format\":1,\"number\":3,\"members\":[{\"node\":\"m-a\"}]}")))
                .isInstanceOf(Unreadable.class)
                .hasMessage("it lacks the field cause");
    }

    @Test
    void anyCutOrChangedByteIsUnreadableOrARecord() throws Exception {
        byte[] good = Codecs.write(MemberRecord.of("id", PROCESS, Map.of("long", "x".repeat(9_000))));
        Random random = new Random(7);
        for (int i = 0; i < 500; i++) {
            byte[] bad = java.util.Arrays.copyOf(good, random.nextInt(good.length + 1));
            if (bad.length > 0) {
                bad[random.nextInt(bad.length)] = (byte) random.nextInt();
            }
            try {
                CODECS.readMember(bad);
            } catch (Unreadable e) {
                assertThat(e).hasMessageStartingWith("it ");
            }
        }
    }

    /** Versions without reasons require the text, and leave only the text. */
    @Test
    void reasonsHaveATextForOtherVersions() throws Exception {
        List<Reason> reasons = List.of(
                Reason.of(ReasonCode.EVICTED_BY, "b", "a"),
                Reason.late(ReasonCode.LATE, Map.of("c", "Slow")),
                Reason.of(ReasonCode.REGRESSED, 7));
        String text =
                "b was evicted by a; c (listener Slow) excluded: no acknowledgement within the settle timeout; the"
                        + " store had regressed to view 7";
        EstablishedView view = new EstablishedView(
                new ViewHead(9, 8, 5, 9_000, 123, reasons, "a"), List.of(new Incarnation("m-a", "a")), Set.of());
        String written = new String(Codecs.write(view, 1), StandardCharsets.UTF_8);

        assertThat(written).contains("\"cause\":\"" + text + "\"");
        assertThat(CODECS.readView(bytes(written)).cause()).isEqualTo(reasons);
        for (String other : List.of(
                written.replaceFirst("\"reasons\":.*?]],", ""),
                written.replace("EVICTED_BY", "A_LATER_CODE"),
                written.replaceFirst("\\[\"EVICTED_BY\".*?]", "[]"),
                written.replaceFirst("\\[\"EVICTED_BY\".*?]", "[\"EVICTED_BY\",\"b\"]"))) {
            assertThat(other).isNotEqualTo(written);
            assertThat(CODECS.readView(bytes(other)).cause()).isEqualTo(Reason.ofText(text));
        }
    }

    @Test
    void viewsAndEntriesOfTheFirstVersionCanBeRead() throws Exception {
        String view =
                "{\"format\":1,\"number\":9,\"previous\":8,\"token\":5,\"leaderSince\":1,\"members\":[{\"node\":\"m-a\","
                        + "\"id\":\"a\"}],\"leftOut\":[],\"cause\":\"\",\"publisher\":\"a\"}";
        assertThat(CODECS.readView(bytes(view)).sessionTimeoutMillis()).isZero();
        HistoryEntry entry = CODECS.readEntry(entry("\"id\":\"z\""));
        assertThat(entry.left())
                .containsExactly(new Departure(new Incarnation("m-z", "z"), Optional.empty(), Optional.empty(), 0));
    }

    @Test
    void kindOfALaterVersionIsNoKind() throws Exception {
        HistoryEntry entry = CODECS.readEntry(entry("\"id\":\"z\",\"kind\":\"beamed_up\",\"by\":\"s\""));
        assertThat(entry.left())
                .containsExactly(new Departure(new Incarnation("m-z", "z"), Optional.empty(), Optional.of("s"), 0));
    }

    /** An entry with one departure and with a field that this version does not know. */
    private static byte[] entry(String departure) {
        return bytes(
                "{\"format\":1,\"number\":9,\"previous\":8,\"token\":5,\"leaderSince\":1,\"removed\":[{\"position\":0,"
                        + "\"node\":\"m-z\",\"id\":\"z\"}],\"joined\":[],\"leftOut\":[],\"cause\":\"\",\"publisher\":\"a\","
                        + "\"leader\":\"a\",\"size\":1,\"digest\":7,\"mood\":\"good\",\"left\":[{\"node\":\"m-z\","
                        + departure
                        + "}],\"late\":[],\"published\":4,\"changing\":5}");
    }

    @Test
    void numbersAndTimesOutOfRangeAreUnreadable() throws Exception {
        for (String[] change : new String[][] {
            {"\"number\":9", "\"number\":8"},
            {"\"token\":5", "\"token\":10"},
            {"\"token\":5", "\"token\":5,\"sessionTimeout\":-1"},
            {"\"size\":1", "\"size\":0"},
            {"\"position\":0", "\"position\":-1"},
            {"\"node\":\"m-z\"", "\"node\":null"}
        }) {
            String entry = new String(entry("\"id\":\"z\""), StandardCharsets.UTF_8);
            assertThatThrownBy(() -> CODECS.readEntry(bytes(entry.replace(change[0], change[1]))))
                    .as(change[1])
                    .isInstanceOf(Unreadable.class);
        }
        assertThatThrownBy(() -> CODECS.readView(Codecs.write(aView(9, -1), 1)))
                .isInstanceOf(Unreadable.class)
                .hasMessageContaining("-1 ms");
        byte[] member = Codecs.write(MemberRecord.of("id", PROCESS, Map.of()).withSessionTimeout(-1));
        assertThatThrownBy(() -> CODECS.readMember(member))
                .isInstanceOf(Unreadable.class)
                .hasMessageContaining("-1 ms");
    }

    private static EstablishedView aView(long number, int sessionTimeoutMillis) {
        return new EstablishedView(
                new ViewHead(number, 1, 1, sessionTimeoutMillis, 0, Reason.ofText(""), "a"),
                List.of(new Incarnation("m-a", "a")),
                Set.of());
    }

    @Test
    void otherNamesAreNoLeaveRecords() {
        String by = "m-fedcba9876543210-1-1-2147483647";
        assertThat(List.of(
                        "",
                        "note",
                        "stopped." + NODE,
                        "stopped." + NODE + ".x",
                        "stopped.x." + NODE,
                        "STOPPED." + NODE + "." + by,
                        "beamed_up." + NODE + "." + by,
                        "stopped." + NODE + "." + by + "."))
                .allSatisfy(name -> assertThat(Names.parseLeaveRecord(name)).isEmpty());
    }

    @Test
    void otherNamesAreNoAcknowledgements() {
        assertThat(List.of("", ".", "1.", "x." + NODE, "1.foreign", "1", NODE, "99999999999999999999." + NODE))
                .allSatisfy(name -> assertThat(Names.parseAcknowledgement(name)).isEmpty());
        assertThat(Names.isMember("m-0123456789abcdef-1-1--000000001")).isTrue();
        assertThat(Names.entry(Long.MAX_VALUE)).hasSize(19);
    }
}
