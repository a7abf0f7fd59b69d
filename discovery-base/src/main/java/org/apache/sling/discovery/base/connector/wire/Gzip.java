// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.connector.wire;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.zip.CRC32;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.GZIPOutputStream;
import java.util.zip.Inflater;
import org.apache.sling.discovery.base.connector.wire.InvalidMessage.Reason;

/**
 * Gzip with limits. It reads a single member: the JDK's stream calls itself for each further one, so that a body of many empty
 * members would exhaust the stack.
 */
final class Gzip {
    private static final int HEADER = 10;
    private static final int TRAILER = 8;
    private static final int DEFLATED = 8;
    private static final int HEADER_CHECKSUM = 2;
    private static final int EXTRA = 4;
    private static final int NAME = 8;
    private static final int COMMENT = 16;
    private static final int RESERVED = 0xE0;

    /** Below this length a message may be as repetitive as it likes. */
    private static final int FREE_OF_RATIO = 64 * 1024;

    private static final int CHUNK = 16 * 1024;

    private final byte[] bytes;
    private int position;

    private Gzip(byte[] bytes) {
        this.bytes = bytes;
    }

    /** Deflates, but not to so few bytes that a peer with the same limits would refuse to inflate them. */
    static byte[] deflate(byte[] plain, WireLimits limits) {
        byte[] deflated = deflate(plain);
        return plain.length <= greatest(deflated, limits) ? deflated : deflate(plain, Deflater.NO_COMPRESSION);
    }

    private static long greatest(byte[] deflated, WireLimits limits) {
        return Math.min(limits.bodyBytes(), Math.max(FREE_OF_RATIO, (long) deflated.length * limits.ratio()));
    }

    static byte[] deflate(byte[] plain) {
        return deflate(plain, Deflater.DEFAULT_COMPRESSION);
    }

    private static byte[] deflate(byte[] plain, int level) {
        ByteArrayOutputStream out = new ByteArrayOutputStream(plain.length / 4 + 64);
        try (GZIPOutputStream gzip = new GZIPOutputStream(out) {
            {
                def.setLevel(level);
            }
        }) {
            gzip.write(plain);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return out.toByteArray();
    }

    /** Inflates, and ends as soon as a limit is exceeded. */
    static byte[] inflate(byte[] bytes, WireLimits limits) throws InvalidMessage {
        Gzip gzip = new Gzip(bytes);
        gzip.skipHeader();
        return gzip.inflate(limits);
    }

    private void skipHeader() throws InvalidMessage {
        if (bytes.length < HEADER + TRAILER
                || at(0) != 0x1f
                || at(1) != 0x8b
                || at(2) != DEFLATED
                || (at(3) & RESERVED) != 0) {
            throw invalid("it has no header of gzip");
        }
        int flags = at(3);
        position = HEADER;
        if ((flags & EXTRA) != 0) {
            require(2);
            int length = at(position) | at(position + 1) << 8;
            position += 2;
            require(length);
            position += length;
        }
        if ((flags & NAME) != 0) {
            skipText();
        }
        if ((flags & COMMENT) != 0) {
            skipText();
        }
        if ((flags & HEADER_CHECKSUM) != 0) {
            require(2);
            position += 2;
        }
    }

    private byte[] inflate(WireLimits limits) throws InvalidMessage {
        long greatest = greatest(bytes, limits);
        Inflater inflater = new Inflater(true);
        try {
            inflater.setInput(bytes, position, bytes.length - position);
            ByteArrayOutputStream plain = new ByteArrayOutputStream();
            byte[] chunk = new byte[CHUNK];
            while (!inflater.finished()) {
                int count = inflater.inflate(chunk);
                if (count == 0 && !inflater.finished()) {
                    throw invalid("it ends too early");
                }
                if (plain.size() + count > greatest) {
                    throw new InvalidMessage(
                            Reason.TOO_LARGE,
                            "the body of " + bytes.length + " bytes in gzip has more than " + greatest
                                    + " bytes when it is inflated; the limit is " + limits.bodyBytes()
                                    + " bytes, and " + limits.ratio() + " times the length in gzip");
                }
                plain.write(chunk, 0, count);
            }
            position = bytes.length - inflater.getRemaining();
            byte[] result = plain.toByteArray();
            checkTrailer(result);
            return result;
        } catch (DataFormatException e) {
            throw invalid("it cannot be inflated");
        } finally {
            inflater.end();
        }
    }

    private void checkTrailer(byte[] plain) throws InvalidMessage {
        if (bytes.length - position != TRAILER) {
            throw invalid("it has " + (bytes.length - position) + " bytes after the content instead of " + TRAILER);
        }
        CRC32 checksum = new CRC32();
        checksum.update(plain);
        if (number() != checksum.getValue() || number() != plain.length) {
            throw invalid("its checksum or length is wrong");
        }
    }

    private long number() {
        byte[] four = Arrays.copyOfRange(bytes, position, position + 4);
        position += 4;
        return (four[0] & 0xFFL) | (four[1] & 0xFFL) << 8 | (four[2] & 0xFFL) << 16 | (four[3] & 0xFFL) << 24;
    }

    private void skipText() throws InvalidMessage {
        do {
            require(1);
        } while (bytes[position++] != 0);
    }

    private void require(int count) throws InvalidMessage {
        if (bytes.length - position < count) {
            throw invalid("its header ends too early");
        }
    }

    private int at(int index) {
        return bytes[index] & 0xFF;
    }

    private static InvalidMessage invalid(String why) {
        return new InvalidMessage(Reason.ENCODING, "the body cannot be read as gzip: " + why);
    }
}
