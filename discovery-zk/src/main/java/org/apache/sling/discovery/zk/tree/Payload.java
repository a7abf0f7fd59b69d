// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.zk.tree;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Optional;
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
    private static final int READ_AT_MOST = 16 * 1024 * 1024;

    private final Formats formats;

    Payload(Formats formats) {
        this.formats = formats;
    }

    FormatRange formats() {
        return formats.range();
    }

    /** The components of a record. */
    public interface Wire {
        /** Returns the number of the format of the record. */
        int format();
    }

    /** Encodes a record in its format. */
    public byte[] write(Wire wire) {
        try {
            byte[] json = Json.MAPPER.writeValueAsBytes(
                    formats.isPlain(wire.format())
                            ? wire
                            : formats.encode(Json.MAPPER.<ObjectNode>valueToTree(wire), wire.format()));
            return json.length > COMPRESSED_ABOVE ? compress(json) : json;
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Decodes a record of a known format. Components that it lacks are null or 0, so the caller checks them. */
    public <T extends Wire> T read(byte[] bytes, Class<T> type) throws Unreadable {
        byte[] json = json(bytes);
        Optional<T> plain = readPlain(json, type);
        return plain.isPresent() ? plain.get() : readFields(json, type);
    }

    /** Decodes a record whose fields are stored as they are. Empty when it is another record, or none. */
    private <T extends Wire> Optional<T> readPlain(byte[] json, Class<T> type) {
        try {
            return Optional.ofNullable(Json.MAPPER.readValue(json, type))
                    .filter(wire -> formats.isPlain(wire.format()));
        } catch (IOException | IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    private <T> T readFields(byte[] json, Class<T> type) throws Unreadable {
        try {
            return Json.MAPPER.treeToValue(parseJson(json), type);
        } catch (IOException | IllegalArgumentException e) {
            throw new Unreadable("it is not a record of this product");
        }
    }

    /** Returns all fields of a record, including those that this version does not know. */
    public JsonNode parse(byte[] bytes) throws Unreadable {
        return parseJson(json(bytes));
    }

    private JsonNode parseJson(byte[] json) throws Unreadable {
        try {
            JsonNode tree = Json.MAPPER.readTree(json);
            JsonNode format = tree.path(Formats.FIELD);
            if (!format.isInt() || format.intValue() < 1 || !tree.isObject()) {
                throw new Unreadable("it is not a record of this product");
            }
            return formats.decode((ObjectNode) tree);
        } catch (IOException | IllegalArgumentException e) {
            throw new Unreadable("it is not a record of this product");
        }
    }

    private static byte[] json(byte[] bytes) throws Unreadable {
        if (bytes.length == 0) {
            throw new Unreadable("it is empty");
        }
        try {
            return isCompressed(bytes) ? expand(bytes) : bytes;
        } catch (IOException e) {
            throw new Unreadable("it is not a record of this product");
        }
    }

    private static boolean isCompressed(byte[] bytes) {
        return bytes.length > 2 && bytes[0] == (byte) 0x1f && bytes[1] == (byte) 0x8b;
    }

    private static byte[] compress(byte[] json) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(bytes)) {
            gzip.write(json);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    private static byte[] expand(byte[] bytes) throws IOException, Unreadable {
        try (GZIPInputStream gzip = new GZIPInputStream(new ByteArrayInputStream(bytes))) {
            byte[] json = gzip.readNBytes(READ_AT_MOST);
            if (gzip.read() >= 0) {
                throw new Unreadable("it is longer than " + READ_AT_MOST + " bytes when expanded");
            }
            return json;
        }
    }

    /** Loaded by the first record that is written or read, because that takes long. */
    private static final class Json {
        static final ObjectMapper MAPPER = JsonMapper.builder()
                .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
                .serializationInclusion(JsonInclude.Include.NON_NULL)
                .build();
    }
}
