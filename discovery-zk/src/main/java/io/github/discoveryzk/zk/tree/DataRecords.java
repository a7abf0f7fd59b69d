// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.zk.tree;

import io.github.discoveryzk.model.DataRecord;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalLong;

/** Encodes and decodes shared data. Its record is read by every version. */
public final class DataRecords {
    /** The largest shared data of a node, as it is stored, in bytes. */
    public static final int LIMIT = 64 * 1024;

    private DataRecords() {}

    /**
     * Encodes shared data.
     *
     * @throws TooLarge when it is larger than its limit, or nested too deeply or of too many parts to be read again
     */
    public static byte[] write(DataRecord record) throws TooLarge {
        byte[] bytes = Formats.write(Formats.lasting()
                .put("type", record.kind())
                .put("value", stored(record.value()))
                .put("writer", record.writer())
                .put("token", record.token().stream().boxed().findFirst())
                .put("owner", record.owner()));
        if (bytes.length > LIMIT) {
            throw new TooLarge(
                    "It takes " + bytes.length + " bytes, but shared data may take only " + LIMIT + " in a node.");
        }
        boolean parts = record.value() instanceof Collection || record.value() instanceof Map;
        // A single value can only be too long, and only if it is compressed.
        if (parts || Formats.isCompressed(bytes)) {
            try {
                read(bytes);
            } catch (Unreadable e) {
                throw new TooLarge("No member could read it: " + e.getMessage() + ".");
            }
        }
        return bytes;
    }

    private static Object stored(Object value) {
        if (value instanceof Map<?, ?> map) {
            Fields fields = new Fields();
            map.forEach((key, each) -> fields.put((String) key, stored(each)));
            return fields;
        }
        return value instanceof Collection<?> all
                ? all.stream().map(DataRecords::stored).toList()
                : value;
    }

    /** Decodes shared data. */
    public static DataRecord read(byte[] bytes) throws Unreadable {
        return Formats.LASTING.read(
                bytes,
                fields -> new DataRecord(
                        fields.text("type"),
                        value(fields.all().get("value")),
                        fields.text("writer"),
                        fields.findNumber("token").map(OptionalLong::of).orElse(OptionalLong.empty()),
                        fields.find("owner")));
    }

    private static Object value(Object stored) {
        if (stored instanceof Fields fields) {
            Map<String, Object> map = new LinkedHashMap<>();
            fields.all().forEach((key, each) -> map.put(key, value(each)));
            return map;
        } else if (stored instanceof Collection<?> all) {
            return all.stream().map(DataRecords::value).toList();
        } else if (stored instanceof Integer number) {
            return number.longValue();
        } else if (stored instanceof Long || stored instanceof String || stored instanceof Boolean) {
            return stored;
        }
        throw new IllegalArgumentException(
                "its value has a part that is not a text, whole number, truth value, list or map");
    }
}
