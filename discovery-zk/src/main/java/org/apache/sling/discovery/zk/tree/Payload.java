// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.zk.tree;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.UUID;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.apache.sling.discovery.commons.model.FormatRange;

/**
 * Encodes records as JSON with a format number, compressed when it is long. Unknown fields are ignored; a record in an unknown format
 * is unreadable.
 */
public final class Payload {
    /** For nodes that every version reads, whichever other formats it knows. */
    public static final Payload LASTING = new Payload(Formats.CURRENT);

    /** The largest data of a node. It is below the server's usual limit of 1 MiB per packet; a larger packet would end the connection. */
    public static final int LIMIT = 900 * 1024;

    private static final int COMPRESSED_ABOVE = 4 * 1024;
    private static final int MAX_EXPANDED = 16 * 1024 * 1024;

    private final Formats formats;

    Payload(Formats formats) {
        this.formats = formats;
    }

    FormatRange formats() {
        return formats.range();
    }

    /** Returns the fields of a new record in the format that all versions read. */
    public static Fields lasting() {
        return Fields.ofFormat(Formats.LASTING);
    }

    /** Encodes a record in the format that it names. */
    public byte[] write(Fields record) {
        try {
            byte[] json = Json.write(formats.encode(record));
            return json.length > COMPRESSED_ABOVE ? compress(json) : json;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Decodes a record of a known format, with all fields, including those that this version does not know. */
    public Fields read(byte[] bytes) throws Unreadable {
        if (bytes.length == 0) {
            throw new Unreadable("it is empty");
        }
        try {
            return formats.decode(Json.read(isCompressed(bytes) ? expand(bytes) : bytes));
        } catch (IOException | IllegalArgumentException e) {
            throw new Unreadable(Formats.NO_RECORD);
        }
    }

    /** Decodes the id of a cluster, which every version reads. */
    public static String clusterId(byte[] bytes) throws Unreadable {
        return LASTING.read(bytes, fields -> UUID.fromString(fields.text("id")).toString());
    }

    /** Decodes a record; values that contradict each other make it unreadable. */
    <T> T read(byte[] bytes, Decoder<T> decoder) throws Unreadable {
        try {
            return decoder.decode(read(bytes));
        } catch (IllegalArgumentException e) {
            throw new Unreadable(e.getMessage());
        }
    }

    /** Makes a value of the fields of a record. */
    interface Decoder<T> {
        T decode(Fields fields) throws Unreadable;
    }

    private static boolean isCompressed(byte[] bytes) {
        return bytes.length > 2 && bytes[0] == (byte) 0x1f && bytes[1] == (byte) 0x8b;
    }

    private static byte[] compress(byte[] json) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(bytes)) {
            gzip.write(json);
        }
        return bytes.toByteArray();
    }

    private static byte[] expand(byte[] bytes) throws IOException, Unreadable {
        try (GZIPInputStream gzip = new GZIPInputStream(new ByteArrayInputStream(bytes))) {
            byte[] json = gzip.readNBytes(MAX_EXPANDED);
            if (gzip.read() >= 0) {
                throw new Unreadable("it is longer than " + MAX_EXPANDED + " bytes when expanded");
            }
            return json;
        }
    }
}
