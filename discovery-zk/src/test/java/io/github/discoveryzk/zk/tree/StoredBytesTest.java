// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.zk.tree;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.discoveryzk.model.Acknowledgement;
import io.github.discoveryzk.model.Bytes;
import io.github.discoveryzk.model.DataAddress;
import io.github.discoveryzk.model.DataRecord;
import io.github.discoveryzk.model.Departure;
import io.github.discoveryzk.model.EstablishedView;
import io.github.discoveryzk.model.FormatRange;
import io.github.discoveryzk.model.HistoryEntry;
import io.github.discoveryzk.model.Incarnation;
import io.github.discoveryzk.model.LeaveRecord;
import io.github.discoveryzk.model.MemberRecord;
import io.github.discoveryzk.model.ProcessInfo;
import io.github.discoveryzk.model.Reason;
import io.github.discoveryzk.model.ReasonCode;
import io.github.discoveryzk.model.Renewal;
import io.github.discoveryzk.model.SharedAnnouncement;
import io.github.discoveryzk.model.Suspicion;
import io.github.discoveryzk.model.ViewDifference;
import io.github.discoveryzk.model.ViewHead;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/**
 * What instances keep in the store, byte by byte, in the files of {@code stored}. Instances of other versions read and write the same: a
 * field may be added, because they ignore it, but none may have another name or meaning unless the number of the format changes.
 */
class StoredBytesTest {
    static final List<NodeKind> RECORDS = List.of(
            NodeKind.ROOT,
            NodeKind.CLUSTER,
            NodeKind.MEMBER,
            NodeKind.VIEW,
            NodeKind.ENTRY,
            NodeKind.LEASE,
            NodeKind.ANNOUNCEMENT,
            NodeKind.DATA_ENTRY);

    static final String NODE = "m-0123456789abcdef-1-12-0000000007";
    static final String OTHER = "m-fedcba9876543210-1-1--2147483648";

    private static final String UUID = "12345678-9abc-4def-8123-456789abcdef";
    private static final Paths PATHS = new Paths("/sling/discovery", "default");
    private static final long SESSION = 0x10000abcdef0001L;
    private static final Incarnation EVICTED = new Incarnation("m-evicted", "e");
    private static final Incarnation CRASHED = new Incarnation("m-crashed", "c");
    private static final Incarnation ENDED = new Incarnation("m-ended", "s");
    private static final Incarnation STAYS = new Incarnation(NODE, "a");

    private static final EstablishedView BEFORE = new EstablishedView(
            new ViewHead(8, 7, 5, 9_000, 123, List.of(), "e"),
            List.of(EVICTED, CRASHED, STAYS, ENDED, new Incarnation(OTHER, "l")),
            Set.of());
    private static final EstablishedView VIEW = new EstablishedView(
            new ViewHead(
                    9,
                    8,
                    5,
                    9_000,
                    1_700_000_000_000L,
                    List.of(
                            Reason.of(ReasonCode.EVICTED_BY, "e", "a"),
                            Reason.late(ReasonCode.LATE, Map.of("l", "Slow"))),
                    "a"),
            List.of(STAYS, new Incarnation("m-joined", "j")),
            Set.of(OTHER, "m-broken"));
    private static final HistoryEntry ENTRY = new HistoryEntry(
            ViewDifference.between(Optional.of(BEFORE), VIEW),
            List.of(
                    new Departure(EVICTED, Optional.of(LeaveRecord.Kind.EVICTED), Optional.of("a"), 0),
                    new Departure(CRASHED, Optional.of(LeaveRecord.Kind.CRASHED), Optional.of("a"), 345),
                    new Departure(ENDED, Optional.empty(), Optional.empty(), 0)),
            1_700_000_000_001L,
            678);
    private static final MemberRecord MEMBER = new MemberRecord(
            "a",
            new ProcessInfo(
                    UUID,
                    "höst",
                    42,
                    "/home/ß",
                    1_700_000_000_002L,
                    "quietMillis=7",
                    "boot pid",
                    "42/100",
                    "[::1]:7951"),
            10_000,
            OptionalLong.of(9),
            Optional.of("a slow one"),
            Map.of("ä", "\"\n\u2028"),
            1);
    private static final Renewal RENEWAL = new Renewal(NODE, 9_000);
    private static final SharedAnnouncement ANNOUNCEMENT =
            new SharedAnnouncement("a", true, "owner", Bytes.of("content"));

    private static final DataRecord DATA = new DataRecord(
            "map of list of number",
            Map.of("ä", List.of(1L, Long.MAX_VALUE, true, "\"\n\u2028")),
            "a",
            OptionalLong.of(5),
            Optional.of(NODE));
    private static final DataAddress VALUE = new DataAddress("app", "a/b", false);
    private static final DataAddress MAP = new DataAddress("..", "100 %", true);

    private record Stored(Object value, byte[] written) {}

    private static Stored stored(NodeKind kind) throws TooLarge {
        return switch (kind) {
            case ROOT -> new Stored(true, Codecs.marker());
            case CLUSTER -> new Stored(
                    UUID,
                    new String(Codecs.newClusterId(), UTF_8)
                            .replaceFirst("[^\"]{36}", UUID)
                            .getBytes(UTF_8));
            case MEMBER -> new Stored(MEMBER, Codecs.write(MEMBER));
            case VIEW -> new Stored(VIEW, Codecs.write(VIEW, 1));
            case ENTRY -> new Stored(ENTRY, Codecs.write(ENTRY, 1));
            case LEASE -> new Stored(RENEWAL, Codecs.write(RENEWAL));
            case DATA_ENTRY -> new Stored(DATA, DataRecords.write(DATA));
            case ANNOUNCEMENT -> new Stored(ANNOUNCEMENT, AnnouncementRecords.write(ANNOUNCEMENT));
            default -> throw new IllegalArgumentException(kind + " has no record");
        };
    }

    static Object read(NodeKind kind, String name, byte[] bytes) throws Unreadable {
        return switch (kind) {
            case ROOT -> Codecs.isMarker(bytes);
            case CLUSTER -> Codecs.readClusterId(bytes);
            case MEMBER -> Codecs.CURRENT.readMember(bytes);
            case VIEW -> Codecs.CURRENT.readView(bytes);
            case ENTRY -> Codecs.CURRENT.readEntry(bytes);
            case LEASE -> Codecs.readRenewal(bytes);
            case DATA_ENTRY -> DataRecords.read(bytes);
            case ANNOUNCEMENT -> AnnouncementRecords.read(name, bytes, true);
            default -> throw new IllegalArgumentException(kind + " has no record");
        };
    }

    /** Returns the bytes of a file. */
    static byte[] bytes(NodeKind kind) {
        return bytes(kind.name().toLowerCase(Locale.ROOT));
    }

    private static byte[] bytes(String file) {
        try (InputStream in = StoredBytesTest.class.getResourceAsStream("/stored/" + file + ".txt")) {
            assertThat(in).as("src/test/resources/stored/" + file + ".txt").isNotNull();
            return in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<String> lines(String file) {
        return new String(bytes(file), UTF_8).lines().toList();
    }

    /** Returns a name that a node of that kind has. */
    static String name(NodeKind kind) {
        return lines("tree").stream()
                .filter(line -> line.endsWith(" " + kind))
                .map(line -> Paths.nameOf(line.split(" ")[0]))
                .findFirst()
                .orElseThrow();
    }

    @ParameterizedTest
    @FieldSource("RECORDS")
    void aRecordHasTheseBytes(NodeKind kind) throws Exception {
        assertThat(new String(stored(kind).written(), UTF_8)).isEqualTo(new String(bytes(kind), UTF_8));
        assertThat(read(kind, name(kind), bytes(kind))).isEqualTo(stored(kind).value());
    }

    @Test
    void eachRecordHasAFile() {
        assertThat(Stream.of(Codecs.class, AnnouncementRecords.class, DataRecords.class)
                        .flatMap(codec -> Arrays.stream(codec.getDeclaredMethods()))
                        .filter(method -> method.getReturnType() == byte[].class)
                        .map(Method::toGenericString))
                .as("methods that write a record; add what is new to RECORDS and to src/test/resources/stored")
                .hasSameSizeAs(RECORDS);
    }

    @Test
    void anEntryLeadsFromOneViewToTheNext() {
        assertThat(ENTRY.difference().applyTo(BEFORE)).contains(VIEW);
    }

    @Test
    void nodesHaveThesePaths() {
        List<LeaveRecord> left = Stream.concat(
                        Arrays.stream(LeaveRecord.Kind.values()).map(kind -> new LeaveRecord(NODE, kind, OTHER, 0)),
                        Stream.of(new LeaveRecord(NODE, LeaveRecord.Kind.CRASHED, OTHER, 345)))
                .toList();
        Acknowledgement ack = new Acknowledgement(NODE, 1234567890123L);
        Suspicion suspicion = new Suspicion(NODE, OTHER);
        Stream<String> paths = Stream.of(
                PATHS.root(),
                PATHS.clusters(),
                PATHS.cluster(),
                PATHS.members(),
                PATHS.newMember(0x0123456789abcdefL, new FormatRange(1, 12)) + "0000000007",
                PATHS.acks(),
                PATHS.ack(Names.acknowledgement(ack)),
                PATHS.view(),
                PATHS.history(),
                PATHS.historyEntry(Names.entry(9)),
                PATHS.lease(),
                PATHS.departures(),
                PATHS.suspects(),
                PATHS.suspicion(Names.suspicion(suspicion)),
                PATHS.announcements(),
                PATHS.announcement(Names.announcement(SESSION, "owner")),
                PATHS.data(),
                Paths.parentOf(PATHS.data(VALUE)),
                PATHS.data(VALUE, ""),
                PATHS.data(MAP),
                PATHS.data(MAP, "ä~."));
        Stream<String> leaveRecords = left.stream().map(Names::leaveRecord).map(PATHS::leaveRecord);

        assertThat(Stream.concat(paths, leaveRecords).map(path -> path + " " + NodeKind.of(PATHS.root(), path)))
                .containsExactlyInAnyOrderElementsOf(lines("tree"));
        assertThat(lines("tree").stream().map(line -> NodeKind.valueOf(line.split(" ")[1])))
                .as("kinds of nodes in src/test/resources/stored/tree.txt")
                .containsAll(EnumSet.complementOf(EnumSet.of(NodeKind.FOREIGN)));
        assertThat(left).allMatch(each -> Names.parseLeaveRecord(Names.leaveRecord(each))
                .equals(Optional.of(each)));
        assertThat(Names.parseAcknowledgement(name(NodeKind.ACKNOWLEDGEMENT))).contains(ack);
        assertThat(Names.parseSuspicion(name(NodeKind.SUSPICION))).contains(suspicion);
        assertThat(Names.formats(name(NodeKind.MEMBER))).contains(new FormatRange(1, 12));
    }

    /** The codes of the causes of views. */
    @Test
    void reasonsHaveTheseNames() {
        assertThat(EnumSet.range(ReasonCode.TEXT, ReasonCode.INVALIDATED).stream()
                        .map(Enum::name))
                .containsExactlyInAnyOrderElementsOf(lines("reasons"));
    }
}
