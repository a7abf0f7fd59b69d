// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.zk.tree;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.apache.sling.discovery.commons.model.FormatRange;

/**
 * The formats in which a version reads and writes records. In each format a record is a JSON object, compressed when it is long, with the
 * number of the format in the field {@code format}, so that each version recognizes the formats that it does not know: records in these
 * are unreadable. Unknown fields are ignored.
 */
public final class Formats {
    /** The field of each record that has the number of its format. */
    static final String FIELD = "format";

    /** For nodes that every version reads, whichever other formats it knows: their format is 1. */
    static final Formats LASTING = new Formats(List.of(Layout.plain(1)));

    /** The formats that this version knows. */
    public static final Formats CURRENT = new Formats(List.of(Layout.plain(1)));

    /** The largest data of a node. It is below the server's usual limit of 1 MiB per packet; a larger packet would end the connection. */
    public static final int LIMIT = 900 * 1024;

    private static final String NO_RECORD = "it is not a record of this product";
    private static final int COMPRESSED_ABOVE = 4 * 1024;
    private static final int MAX_EXPANDED = 16 * 1024 * 1024;

    private final TreeMap<Integer, Layout> layouts = new TreeMap<>();

    /** Creates formats of layouts with successive numbers, of which there is at least one. */
    public Formats(List<Layout> known) {
        known.forEach(layout -> layouts.put(layout.number(), layout));
    }

    FormatRange range() {
        return new FormatRange(layouts.firstKey(), layouts.lastKey());
    }

    /** Returns the fields of a new record in the lasting format. */
    static Fields lasting() {
        return Fields.ofFormat(1);
    }

    /** Encodes a record in the format that it names. */
    byte[] write(Fields record) {
        Object format = record.all().get(FIELD);
        try {
            byte[] json = Json.write(layouts.get(format).store().apply(record).put(FIELD, format));
            return json.length > COMPRESSED_ABOVE ? compress(json) : json;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Decodes a record of a known format, with all fields, including those that this version does not know. */
    Fields read(byte[] bytes) throws Unreadable {
        if (bytes.length == 0) {
            throw new Unreadable("it is empty");
        }
        Object stored;
        try {
            stored = Json.read(isCompressed(bytes) ? expand(bytes) : bytes);
        } catch (IOException | IllegalArgumentException e) {
            throw new Unreadable(NO_RECORD);
        }
        if (!(stored instanceof Fields fields && fields.all().get(FIELD) instanceof Integer format && format > 0)) {
            throw new Unreadable(NO_RECORD);
        }
        if (!range().contains(format)) {
            throw new Unreadable("it has format " + format + ", and this version knows " + range());
        }
        return layouts.get(format).restore().apply(fields).put(FIELD, format);
    }

    /** Decodes a record; values that contradict each other make it unreadable. */
    <T> T read(byte[] bytes, Decoder<T> decoder) throws Unreadable {
        try {
            return decoder.apply(read(bytes));
        } catch (IllegalArgumentException e) {
            throw new Unreadable(e.getMessage());
        }
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

    /** Makes a value of the fields of a record. */
    public interface Decoder<T> {
        T apply(Fields fields) throws Unreadable;
    }

    /**
     * One format.
     *
     * @param number its number
     * @param store encodes the fields of a record
     * @param restore decodes the fields of a record
     */
    public record Layout(int number, UnaryOperator<Fields> store, Decoder<Fields> restore) {
        /** Returns a format in which the fields are stored as they are. */
        public static Layout plain(int number) {
            return new Layout(number, fields -> fields, stored -> stored);
        }
    }
}
