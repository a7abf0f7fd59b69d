// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.zk.tree;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import io.github.discoveryzk.model.FormatRange;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;

/**
 * The formats in which a version reads and writes records. In each format a record is a JSON object, compressed when it is long, with the
 * number of the format in the field {@code format}, so that each version recognizes the formats that it does not know: records in these
 * are unreadable. Unknown fields are ignored.
 *
 * @param range the numbers of the formats
 */
public record Formats(FormatRange range) {
    /** The field of each record that has the number of its format. */
    static final String FIELD = "format";

    /** For nodes that every version reads, whichever other formats it knows: their format is 1. */
    static final Formats LASTING = new Formats(new FormatRange(1, 1));

    /** The formats that this version knows. */
    public static final Formats CURRENT = new Formats(new FormatRange(1, 1));

    /** The largest data of a node. It is below the server's usual limit of 1 MiB per packet; a larger packet would end the connection. */
    public static final int LIMIT = 900 * 1024;

    private static final String NO_RECORD = "it is not a record of this product";
    private static final int COMPRESSED_ABOVE = 4 * 1024;

    /** Compressed data may expand a thousandfold. The largest record that this version writes is a fifth shorter. */
    private static final int MAX_EXPANDED = 4 * 1024 * 1024;

    /** Each value takes many times the memory of its bytes. A history entry of ten thousand members has as many as that. */
    private static final int MAX_TOKENS = 250_000;

    private static final int MAX_DEPTH = 20;
    private static final int MAX_NAME_CHARACTERS = 1_000;

    private static final JsonFactory JSON = JsonFactory.builder()
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxTokenCount(MAX_TOKENS)
                    .maxNestingDepth(MAX_DEPTH)
                    .maxNameLength(MAX_NAME_CHARACTERS)
                    .build())
            .build();

    /** Returns the fields of a new record in the lasting format. */
    static Fields lasting() {
        return Fields.ofFormat(1);
    }

    /** Encodes a record, which names its format. */
    static byte[] write(Fields record) {
        try {
            ByteArrayOutputStream json = new ByteArrayOutputStream();
            try (JsonGenerator generator = JSON.createGenerator(json)) {
                write(record, generator);
            }
            return json.size() > COMPRESSED_ABOVE ? compress(json) : json.toByteArray();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void write(Object value, JsonGenerator generator) throws IOException {
        if (value instanceof Fields fields) {
            generator.writeStartObject();
            for (Map.Entry<String, Object> field : fields.all().entrySet()) {
                generator.writeFieldName(field.getKey());
                write(field.getValue(), generator);
            }
            generator.writeEndObject();
        } else if (value instanceof Collection<?> values) {
            generator.writeStartArray();
            for (Object each : values) {
                write(each, generator);
            }
            generator.writeEndArray();
        } else {
            generator.writePOJO(value);
        }
    }

    private static byte[] compress(ByteArrayOutputStream json) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (OutputStream gzip = new GZIPOutputStream(bytes)) {
            json.writeTo(gzip);
        }
        return bytes.toByteArray();
    }

    /** Decodes a record of a known format, with all fields, including those that this version does not know. */
    Fields read(byte[] bytes) throws Unreadable {
        if (bytes.length == 0) {
            throw new Unreadable("it is empty");
        }
        Object stored;
        try (JsonParser parser = JSON.createParser(isCompressed(bytes) ? expand(bytes) : bytes)) {
            parser.nextToken();
            stored = value(parser);
        } catch (IOException | IllegalArgumentException e) {
            throw new Unreadable(NO_RECORD);
        }
        if (!(stored instanceof Fields fields && fields.all().get(FIELD) instanceof Integer format && format > 0)) {
            throw new Unreadable(NO_RECORD);
        }
        if (!range.contains(format)) {
            throw new Unreadable("it has format " + format + ", and this version knows " + range);
        }
        return fields;
    }

    /** Decodes a record; values that contradict each other make it unreadable. */
    <T> T read(byte[] bytes, Decoder<T> decoder) throws Unreadable {
        try {
            return decoder.apply(read(bytes));
        } catch (IllegalArgumentException e) {
            throw new Unreadable(e.getMessage());
        }
    }

    static boolean isCompressed(byte[] bytes) {
        return bytes.length > 2 && bytes[0] == (byte) 0x1f && bytes[1] == (byte) 0x8b;
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

    private static Object value(JsonParser parser) throws IOException {
        JsonToken token = parser.currentToken();
        if (token == null) {
            throw new EOFException("no value");
        }
        return switch (token) {
            case START_OBJECT -> {
                Fields fields = new Fields();
                while (parser.nextToken() != JsonToken.END_OBJECT) {
                    String name = parser.currentName();
                    parser.nextToken();
                    fields.put(name, value(parser));
                }
                yield fields;
            }
            case START_ARRAY -> {
                List<Object> values = new ArrayList<>();
                while (parser.nextToken() != JsonToken.END_ARRAY) {
                    values.add(value(parser));
                }
                yield values;
            }
            case VALUE_STRING -> parser.getText();
            case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> parser.getNumberValue();
            case VALUE_TRUE, VALUE_FALSE -> parser.getBooleanValue();
            default -> null;
        };
    }

    /** Makes a value of the fields of a record. */
    interface Decoder<T> {
        T apply(Fields fields) throws Unreadable;
    }
}
