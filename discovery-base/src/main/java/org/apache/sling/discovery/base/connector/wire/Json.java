// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.connector.wire;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import java.io.IOException;
import org.apache.sling.discovery.base.connector.wire.InvalidMessage.Reason;

/** The JSON of messages: ASCII when it is written, and without a key or number of any length when it is read. */
final class Json {
    static final JsonFactory FACTORY = new JsonFactoryBuilder()
            .enable(JsonWriteFeature.ESCAPE_NON_ASCII)
            // Names of peers would be kept in a table that all messages share.
            .disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES)
            .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
            .streamReadConstraints(StreamReadConstraints.builder()
                    // Each announcement within another one is two levels deeper.
                    .maxNestingDepth(250)
                    .maxNameLength(WireLimits.MAX_NAME_CHARACTERS)
                    .maxStringLength(WireLimits.DEFAULT.bodyBytes())
                    .maxNumberLength(40)
                    .build())
            .build();

    private Json() {}

    /**
     * Reads a text that is one JSON value.
     *
     * @throws InvalidMessage when it is no JSON, or the reading throws it
     */
    static <T> T read(String text, Reading<T> reading) throws InvalidMessage {
        try (JsonParser parser = FACTORY.createParser(text)) {
            return read(parser, reading);
        } catch (IOException e) {
            throw invalid(e);
        }
    }

    static <T> T read(JsonParser parser, Reading<T> reading) throws IOException {
        parser.nextToken();
        T result = reading.read(parser);
        if (parser.nextToken() != null) {
            throw new InvalidMessage(Reason.MALFORMED, "there is more after the end of the object" + place(parser));
        }
        return result;
    }

    static InvalidMessage invalid(IOException e) {
        if (e instanceof InvalidMessage invalid) {
            return invalid;
        }
        String text = e instanceof JsonProcessingException problem ? problem.getOriginalMessage() : e.getMessage();
        return e instanceof StreamConstraintsException
                ? new InvalidMessage(Reason.TOO_LARGE, text)
                : new InvalidMessage(Reason.MALFORMED, "it is not JSON: " + text);
    }

    /** Returns the place in the text; the keys on the way to it come from the peer. */
    static String place(JsonParser parser) {
        String pointer = parser.getParsingContext().pathAsPointer().toString();
        return " (at " + (pointer.isEmpty() ? "/" : Excerpt.printable(pointer, 150)) + ", character "
                + parser.currentLocation().getCharOffset() + ")";
    }

    /** Reads a value; the parser stands at its first token before and at its last one after. */
    interface Reading<T> {
        T read(JsonParser parser) throws IOException;
    }
}
