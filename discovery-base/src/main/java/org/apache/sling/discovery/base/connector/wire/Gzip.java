// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.connector.wire;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32;
import java.util.zip.DataFormatException;
import java.util.zip.GZIPOutputStream;
import java.util.zip.Inflater;
import org.apache.sling.discovery.base.connector.wire.InvalidMessage.Reason;

/**
 * Gzip with a limit. It reads a single member without the optional parts of a header, which no HTTP software writes. The JDK's stream
 * calls itself for each further member, so that a body of many empty ones would exhaust the stack.
 */
final class Gzip {
    /** The first bytes of a body: gzip, deflated, and no optional part. The rest of the header means nothing. */
    private static final byte[] HEADER = {0x1f, (byte) 0x8b, 8, 0};

    private static final int HEADER_BYTES = 10;
    private static final int TRAILER_BYTES = 8;
    private static final int CHUNK = 16 * 1024;

    private Gzip() {}

    static byte[] deflate(byte[] plain) {
        ByteArrayOutputStream out = new ByteArrayOutputStream(plain.length / 4 + 64);
        try (GZIPOutputStream gzip = new GZIPOutputStream(out)) {
            gzip.write(plain);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return out.toByteArray();
    }

    /** Inflates, and ends as soon as there are more bytes than the limit. */
    static byte[] inflate(byte[] bytes, int limit) throws InvalidMessage {
        if (bytes.length < HEADER_BYTES + TRAILER_BYTES
                || !ByteBuffer.wrap(bytes, 0, HEADER.length).equals(ByteBuffer.wrap(HEADER))) {
            throw invalid("it has no plain header of gzip");
        }
        Inflater inflater = new Inflater(true);
        try {
            inflater.setInput(bytes, HEADER_BYTES, bytes.length - HEADER_BYTES);
            byte[] plain = inflate(inflater, limit);
            checkTrailer(
                    ByteBuffer.wrap(bytes, bytes.length - inflater.getRemaining(), inflater.getRemaining()), plain);
            return plain;
        } catch (DataFormatException e) {
            throw invalid("it cannot be inflated");
        } finally {
            inflater.end();
        }
    }

    private static byte[] inflate(Inflater inflater, int limit) throws InvalidMessage, DataFormatException {
        ByteArrayOutputStream plain = new ByteArrayOutputStream();
        byte[] chunk = new byte[CHUNK];
        while (!inflater.finished()) {
            int count = inflater.inflate(chunk);
            if (count == 0 && !inflater.finished()) {
                throw invalid("it ends too early");
            }
            if (plain.size() + count > limit) {
                throw new InvalidMessage(
                        Reason.TOO_LARGE, "the body has more than " + limit + " bytes when it is inflated");
            }
            plain.write(chunk, 0, count);
        }
        return plain.toByteArray();
    }

    private static void checkTrailer(ByteBuffer trailer, byte[] plain) throws InvalidMessage {
        if (trailer.remaining() != TRAILER_BYTES) {
            throw invalid("it has " + trailer.remaining() + " bytes after the content instead of " + TRAILER_BYTES);
        }
        CRC32 checksum = new CRC32();
        checksum.update(plain);
        trailer.order(ByteOrder.LITTLE_ENDIAN);
        if (trailer.getInt() != (int) checksum.getValue() || trailer.getInt() != plain.length) {
            throw invalid("its checksum or length is wrong");
        }
    }

    private static InvalidMessage invalid(String why) {
        return new InvalidMessage(Reason.ENCODING, "the body cannot be read as gzip: " + why);
    }
}
