// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.webconsole.json;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.SerializableString;
import com.fasterxml.jackson.core.io.CharacterEscapes;
import com.fasterxml.jackson.core.io.SerializedString;
import io.github.discoveryzk.webconsole.content.Escape;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.Collection;
import java.util.Locale;
import java.util.Map;

/**
 * Writes records, maps, collections, texts, numbers and truth values as JSON. It escapes characters of markup and characters
 * that are invisible on a terminal; a parser restores them.
 */
final class JsonWriter {
    private static final JsonFactory FACTORY =
            new JsonFactoryBuilder().characterEscapes(new Harmless()).build();

    private JsonWriter() {}

    static String write(ReportFields fields, Object value) {
        StringWriter text = new StringWriter();
        try (JsonGenerator out = FACTORY.createGenerator(text)) {
            write(fields, out, value);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return text.toString();
    }

    private static void write(ReportFields all, JsonGenerator out, Object value) throws IOException {
        if (value instanceof Record fields) {
            write(all, out, all.of(fields));
        } else if (value instanceof Map<?, ?> fields) {
            out.writeStartObject();
            for (Map.Entry<?, ?> field : fields.entrySet()) {
                out.writeFieldName(field.getKey().toString());
                write(all, out, field.getValue());
            }
            out.writeEndObject();
        } else if (value instanceof Collection<?> elements) {
            out.writeStartArray();
            for (Object element : elements) {
                write(all, out, element);
            }
            out.writeEndArray();
        } else if (value instanceof Number number) {
            out.writeNumber(number.longValue());
        } else if (value instanceof Boolean flag) {
            out.writeBoolean(flag);
        } else {
            // The generator writes null as a JSON null.
            out.writeString(value == null ? null : value.toString());
        }
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
