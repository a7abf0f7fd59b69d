// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.webconsole.json;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.SerializableString;
import com.fasterxml.jackson.core.io.CharacterEscapes;
import com.fasterxml.jackson.core.io.SerializedString;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.apache.sling.discovery.webconsole.format.Escape;

/**
 * Writes one JSON value. It escapes characters of markup and characters that are invisible on a terminal; a parser
 * restores them. An absent value is {@code null}.
 */
final class JsonObjectWriter {
    private static final JsonFactory FACTORY =
            new JsonFactoryBuilder().characterEscapes(new Harmless()).build();

    private final JsonGenerator out;

    private JsonObjectWriter(JsonGenerator out) {
        this.out = out;
    }

    /** Returns an object with the fields that the content writes. */
    static String object(Content content) {
        return value(json -> json.braced(content));
    }

    /** Returns an array of objects. */
    static <T> String list(List<T> elements, Fields<T> fields) {
        return value(json -> json.elements(elements, fields));
    }

    private static String value(Content content) {
        StringWriter text = new StringWriter();
        try (JsonGenerator out = FACTORY.createGenerator(text)) {
            content.write(new JsonObjectWriter(out));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return text.toString();
    }

    JsonObjectWriter text(String name, String value) throws IOException {
        out.writeStringField(name, value);
        return this;
    }

    JsonObjectWriter text(String name, Optional<String> value) throws IOException {
        out.writeFieldName(name);
        // The generator writes null as a JSON null.
        out.writeString(value.orElse(null));
        return this;
    }

    JsonObjectWriter number(String name, long value) throws IOException {
        out.writeNumberField(name, value);
        return this;
    }

    JsonObjectWriter number(String name, OptionalLong value) throws IOException {
        if (value.isPresent()) {
            out.writeNumberField(name, value.getAsLong());
        } else {
            out.writeNullField(name);
        }
        return this;
    }

    JsonObjectWriter flag(String name, boolean value) throws IOException {
        out.writeBooleanField(name, value);
        return this;
    }

    JsonObjectWriter object(String name, Content content) throws IOException {
        out.writeFieldName(name);
        braced(content);
        return this;
    }

    <T> JsonObjectWriter object(String name, Optional<T> value, Fields<T> fields) throws IOException {
        if (value.isPresent()) {
            return object(name, json -> fields.write(json, value.get()));
        }
        out.writeNullField(name);
        return this;
    }

    <T> JsonObjectWriter list(String name, List<T> elements, Fields<T> fields) throws IOException {
        out.writeFieldName(name);
        elements(elements, fields);
        return this;
    }

    JsonObjectWriter texts(String name, List<String> texts) throws IOException {
        out.writeArrayFieldStart(name);
        for (String text : texts) {
            out.writeString(text);
        }
        out.writeEndArray();
        return this;
    }

    JsonObjectWriter texts(String name, Map<String, String> texts) throws IOException {
        out.writeObjectFieldStart(name);
        for (Map.Entry<String, String> text : new TreeMap<>(texts).entrySet()) {
            out.writeStringField(text.getKey(), text.getValue());
        }
        out.writeEndObject();
        return this;
    }

    private void braced(Content content) throws IOException {
        out.writeStartObject();
        content.write(this);
        out.writeEndObject();
    }

    private <T> void elements(List<T> elements, Fields<T> fields) throws IOException {
        out.writeStartArray();
        for (T element : elements) {
            braced(json -> fields.write(json, element));
        }
        out.writeEndArray();
    }

    /** Writes fields. */
    interface Content {
        void write(JsonObjectWriter json) throws IOException;
    }

    /** Writes the fields of a value. */
    interface Fields<T> {
        void write(JsonObjectWriter json, T value) throws IOException;
    }

    /** Escapes each surrogate, because a single one cannot be encoded in UTF-8. */
    private static final class Harmless extends CharacterEscapes {
        private static final long serialVersionUID = 1L;

        @Override
        public int[] getEscapeCodesForAscii() {
            int[] codes = standardAsciiEscapesForJSON();
            for (char c : new char[] {'<', '>', '&', '\'', 0x7F}) {
                codes[c] = ESCAPE_STANDARD;
            }
            return codes;
        }

        @Override
        public SerializableString getEscapeSequence(int c) {
            boolean escaped = c >= 0x80 && c < 0xA0 || Character.isSurrogate((char) c) || Escape.isDeceptive(c);
            return escaped ? new SerializedString(String.format(Locale.ROOT, "\\u%04X", c)) : null;
        }
    }
}
