// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.zk.tree;

import static io.github.discoveryzk.testing.fuzz.Mutations.mutated;
import static io.github.discoveryzk.zk.tree.StoredBytesTest.NODE;
import static io.github.discoveryzk.zk.tree.StoredBytesTest.OTHER;
import static io.github.discoveryzk.zk.tree.StoredBytesTest.RECORDS;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.discoveryzk.testing.fuzz.Fuzz;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Whatever is in a node or in its name is a record or unreadable: no other failure, and memory within the limits. */
class RecordFuzzTest {
    private static final String RUN = "12345678-9abc-4def-8123-456789abcdef";

    /** Reading keeps some copies of what is expanded, and objects of a limited number. */
    private static final long MAX_ALLOCATED = 64L << 20;

    /** One line of a log: no controls, nothing that hides or reorders what follows, no half characters. */
    private static final String ONE_LINE = "([^\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}\\p{Cs}]|[\\u200C\\u200D]){1,510}";

    private static final Fuzz<Unreadable> FUZZ = new Fuzz<>(Unreadable.class, ONE_LINE, MAX_ALLOCATED);

    /** The decoders of the protocol and the one for display. */
    private static void readAll(NodeKind kind, byte[] bytes) throws Unreadable {
        String name = StoredBytesTest.name(kind);
        StoredBytesTest.read(kind, name, bytes);
        RecordFields.of(kind, name, bytes, Codecs.CURRENT);
    }

    private static byte[] gzip(byte[]... members) {
        try {
            ByteArrayOutputStream all = new ByteArrayOutputStream();
            for (byte[] member : members) {
                try (GZIPOutputStream gzip = new GZIPOutputStream(all)) {
                    gzip.write(member);
                }
            }
            return all.toByteArray();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /** Changes of the text, of its bytes, and of its compressed form. */
    @ParameterizedTest
    @FieldSource("io.github.discoveryzk.zk.tree.StoredBytesTest#RECORDS")
    void changedRecords(NodeKind kind) {
        byte[] valid = StoredBytesTest.bytes(kind);
        FUZZ.play(1_500, random -> readAll(kind, changed(valid, random)));
    }

    private static byte[] changed(byte[] valid, Random random) {
        return switch (random.nextInt(3)) {
            case 0 -> bytes(mutated(new String(valid, StandardCharsets.UTF_8), random));
            case 1 -> mutated(valid, random);
            default -> mutated(gzip(valid), random);
        };
    }

    /** Values of any kind in the place of any number or text, and fields that occur twice. */
    @Test
    void otherValues() {
        List<String> values = List.of(
                "1e999999999",
                "-1e-999999999",
                "9".repeat(100_000),
                "1." + "9".repeat(100_000),
                "9223372036854775808",
                "2147483648",
                "-1",
                "0.5",
                "NaN",
                "null",
                "\"\\ud800\"",
                "\"\\u202e\\u0000\"",
                "\"" + "x".repeat(100_000) + "\"",
                "[[[[]]]]",
                "{\"\\u202e\\n" + "x".repeat(10_000) + "\":null}",
                "7,\"format\":2",
                "7,\"format\":1,\"format\":1");
        FUZZ.play(2_000, random -> {
            NodeKind kind = RECORDS.get(random.nextInt(RECORDS.size()));
            String[] parts = new String(StoredBytesTest.bytes(kind), StandardCharsets.UTF_8).split("(?<=\":)", -1);
            int at = random.nextInt(parts.length);
            parts[at] = parts[at].replaceFirst("^(\"[^\"]*\"|[-0-9]+|\\[])", values.get(random.nextInt(values.size())));
            readAll(kind, bytes(String.join("", parts)));
        });
    }

    static Stream<byte[]> large() {
        String head = "{\"format\":1,\"instanceId\":\"i\",\"runtimeId\":\"" + RUN
                + "\",\"host\":\"h\",\"home\":\"/\",\"properties\":";
        String many =
                IntStream.range(0, 300_000).mapToObj(i -> "\"" + i + "\":\"\"").collect(Collectors.joining(","));
        String deep = "x".repeat(10_000);
        return Stream.of(
                        // Texts
                        "\0".repeat(20_000_000),
                        head + "{\"a\":\"" + "x".repeat(6_000_000) + "\"}}",
                        head + "{\"a\":\"" + "\\u4f60".repeat(1_200_000) + "\"}}",
                        "{\"format\":1,\"" + "x".repeat(5_000_000) + "\":1}",
                        // Depth
                        "[".repeat(100_000),
                        "{\"a\":".repeat(100_000),
                        head + "{\"a\":".repeat(100_000) + "1" + "}".repeat(100_002),
                        head + "{},\"b\":" + ("{\"" + deep + "\":").repeat(900) + "1" + "}".repeat(901),
                        head + "{},\"b\":" + "[".repeat(900) + "]".repeat(900) + "}",
                        // Number of values
                        head + "{" + many + "}}",
                        head + "{},\"b\":[" + "{},".repeat(1_000_000) + "{}]}",
                        head + "{},\"b\":[" + "1,".repeat(1_000_000) + "1]}",
                        head + "{},\"b\":" + "9".repeat(5_000_000) + "}")
                .flatMap(text -> Stream.of(bytes(text), gzip(bytes(text)), gzip(gzip(bytes(text)))))
                .filter(each -> each.length <= Formats.LIMIT);
    }

    @ParameterizedTest
    @MethodSource("large")
    void largeRecords(byte[] bytes) {
        FUZZ.isRead(0, random -> readAll(NodeKind.MEMBER, bytes));
    }

    /** Each of a thousand parts expands to little. */
    @Test
    void manyCompressedParts() {
        byte[][] parts = new byte[900][];
        Arrays.fill(parts, bytes(" ".repeat(50_000)));
        FUZZ.isRead(0, random -> readAll(NodeKind.MEMBER, gzip(parts)));
    }

    @Test
    void invalidCharacters() {
        byte[] record = StoredBytesTest.bytes(NodeKind.MEMBER);
        int at = new String(record, StandardCharsets.ISO_8859_1).indexOf("a slow one");
        FUZZ.play(2_000, random -> {
            byte[] changed = record.clone();
            for (int i = random.nextInt(3); i >= 0; i--) {
                changed[at + random.nextInt(30)] = (byte) (0x80 + random.nextInt(0x80));
            }
            readAll(NodeKind.MEMBER, changed);
        });
    }

    /** A name is what it says or foreign, and what is read from it leads back to it. */
    @Test
    void names() {
        List<String> valid = List.of(
                NODE,
                "m-0123456789abcdef-1-1--2147483648",
                "12." + NODE,
                "stopped." + NODE + "." + OTHER,
                "beamed_up." + NODE + "." + OTHER,
                Names.entry(9),
                Names.announcement(7, "owner"),
                Names.escaped("50 % / ä"),
                "m-0123456789abcdef-1-1-" + "9".repeat(10_000),
                "9".repeat(10_000) + "." + NODE,
                "stopped.".repeat(2_000) + NODE,
                "\u202e\u2066note\u0085");
        new Fuzz<>(Unreadable.class, ONE_LINE, 16L << 20).play(1_000, random -> {
            String seed = valid.get(random.nextInt(valid.size()));
            String name = random.nextInt(10) == 0 ? seed : mutated(seed, random);
            boolean known = Names.isMember(name) || Names.isEntry(name) || Names.isAnnouncement(name);
            if (Names.isMember(name)) {
                assertThat(name).startsWith(Names.uniquePart(name));
            }
            if (Names.isEntry(name)) {
                assertThat(Names.entry(Names.number(name))).isEqualTo(name);
            }
            Names.parseAcknowledgement(name)
                    .ifPresent(ack -> assertThat(ack.node()).matches(Names::isMember));
            Names.parseLeaveRecord(name)
                    .ifPresent(all -> assertThat(Names.leaveRecord(all)).isEqualTo(name));
            Names.unescaped(name)
                    .ifPresent(text -> assertThat(Names.escaped(text)).isEqualTo(name));
            Names.nodeOfUnknownLeaveRecord(name)
                    .ifPresent(node -> assertThat(node).matches(Names::isMember));
            for (String part : List.of(
                    "", "/members", "/acks", "/history", "/departures", "/announcements", "/data", "/data/s/m.n")) {
                String path = "/sling/clusters/c" + part + "/" + name;
                assertThat(NodeKind.of("/sling", path).words()).isNotEmpty();
                assertThat(NodeKind.foreignSentence(path)).matches(ONE_LINE);
            }
            if (!known) {
                throw new Unreadable("it is foreign");
            }
        });
    }
}
