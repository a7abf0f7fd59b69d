// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.zk.tree;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/** Writes and reads {@link Fields} as JSON. */
final class Json {
    private static final JsonFactory FACTORY = new JsonFactory();

    private Json() {}

    static byte[] write(Fields fields) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (JsonGenerator generator = FACTORY.createGenerator(bytes)) {
            write(fields, generator);
        }
        return bytes.toByteArray();
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

    /** Reads one value, which need not be an object. */
    static Object read(byte[] json) throws IOException {
        try (JsonParser parser = FACTORY.createParser(json)) {
            parser.nextToken();
            return read(parser);
        }
    }

    private static Object read(JsonParser parser) throws IOException {
        JsonToken token = parser.currentToken();
        if (token == null) {
            throw new EOFException("no value");
        }
        return switch (token) {
            case START_OBJECT -> readFields(parser);
            case START_ARRAY -> readList(parser);
            case VALUE_STRING -> parser.getText();
            case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> parser.getNumberValue();
            case VALUE_TRUE, VALUE_FALSE -> parser.getBooleanValue();
            default -> null;
        };
    }

    private static Fields readFields(JsonParser parser) throws IOException {
        Fields fields = new Fields();
        while (parser.nextToken() != JsonToken.END_OBJECT) {
            String name = parser.currentName();
            parser.nextToken();
            fields.put(name, read(parser));
        }
        return fields;
    }

    private static List<Object> readList(JsonParser parser) throws IOException {
        List<Object> values = new ArrayList<>();
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            values.add(read(parser));
        }
        return values;
    }
}
