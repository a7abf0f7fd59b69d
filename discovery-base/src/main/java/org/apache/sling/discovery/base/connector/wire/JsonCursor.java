// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.connector.wire;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import java.io.IOException;
import java.io.InputStream;
import java.util.HashSet;
import java.util.Set;
import org.apache.sling.discovery.base.connector.wire.InvalidMessage.Reason;

/**
 * Reads one JSON text of unknown origin from the beginning to the end. It builds no tree, and what nothing asks for is skipped
 * without being kept.
 */
final class JsonCursor {
    /** Each announcement within another one is two levels deeper; an instance and what is unknown in it need some more. */
    private static final int LEVELS_OF_ANNOUNCEMENT = 2;

    private static final int OTHER_LEVELS = 20;
    private static final int LONGEST_NUMBER = 40;

    private final JsonParser parser;

    private JsonCursor(JsonParser parser) {
        this.parser = parser;
    }

    /** Reads a text that is one object. */
    static void read(String text, WireLimits limits, Reading reading) throws InvalidMessage {
        try (JsonParser parser = factory(limits).createParser(text)) {
            read(parser, reading);
        } catch (IOException e) {
            throw unreadable(e);
        }
    }

    /** Reads a stream that is one object in UTF-8. */
    static void read(InputStream stream, WireLimits limits, Reading reading) throws InvalidMessage {
        try (JsonParser parser = factory(limits).createParser(stream)) {
            read(parser, reading);
        } catch (IOException e) {
            throw unreadable(e);
        }
    }

    private static InvalidMessage unreadable(IOException e) {
        return new InvalidMessage(Reason.MALFORMED, "the text cannot be read: " + e.getMessage());
    }

    private static void read(JsonParser parser, Reading reading) throws InvalidMessage {
        JsonCursor cursor = new JsonCursor(parser);
        cursor.next();
        reading.read(cursor);
        if (cursor.next() != null) {
            throw cursor.malformed("there is more after the end of the object");
        }
    }

    private static JsonFactory factory(WireLimits limits) {
        return new JsonFactoryBuilder()
                // Names of peers would be kept in a table that all messages share.
                .disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES)
                .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
                .streamReadConstraints(StreamReadConstraints.builder()
                        .maxNestingDepth(limits.depth() * LEVELS_OF_ANNOUNCEMENT + OTHER_LEVELS)
                        .maxNameLength(limits.nameCharacters())
                        .maxStringLength(limits.valueCharacters())
                        .maxNumberLength(LONGEST_NUMBER)
                        .build())
                .build();
    }

    /** Reads an object. Keys that the field does not know are skipped; a key that it knows must not come twice. */
    void object(Field field) throws InvalidMessage {
        require(JsonToken.START_OBJECT, "an object");
        Set<String> known = new HashSet<>();
        while (next() != JsonToken.END_OBJECT) {
            String name = name();
            next();
            if (!field.read(name)) {
                skip();
            } else if (!known.add(name)) {
                throw malformed("the key " + Excerpt.quoted(name) + " comes twice");
            }
        }
    }

    void array(Element element) throws InvalidMessage {
        require(JsonToken.START_ARRAY, "an array");
        while (next() != JsonToken.END_ARRAY) {
            element.read();
        }
    }

    String text() throws InvalidMessage {
        require(JsonToken.VALUE_STRING, "a text");
        try {
            return parser.getText();
        } catch (IOException e) {
            throw failure(e);
        }
    }

    long number() throws InvalidMessage {
        require(JsonToken.VALUE_NUMBER_INT, "a whole number");
        try {
            return parser.getLongValue();
        } catch (IOException e) {
            throw failure(e);
        }
    }

    boolean flag() throws InvalidMessage {
        if (parser.currentToken() != JsonToken.VALUE_TRUE && parser.currentToken() != JsonToken.VALUE_FALSE) {
            throw malformed("true or false is expected, not " + parser.currentToken());
        }
        return parser.currentToken() == JsonToken.VALUE_TRUE;
    }

    boolean isNull() {
        return parser.currentToken() == JsonToken.VALUE_NULL;
    }

    InvalidMessage malformed(String text) {
        return new InvalidMessage(Reason.MALFORMED, text + where());
    }

    InvalidMessage tooLarge(String text) {
        return new InvalidMessage(Reason.TOO_LARGE, text + where());
    }

    private void skip() throws InvalidMessage {
        try {
            parser.skipChildren();
        } catch (IOException e) {
            throw failure(e);
        }
    }

    private String name() throws InvalidMessage {
        try {
            return parser.currentName();
        } catch (IOException e) {
            throw failure(e);
        }
    }

    private JsonToken next() throws InvalidMessage {
        try {
            return parser.nextToken();
        } catch (IOException e) {
            throw failure(e);
        }
    }

    private void require(JsonToken wanted, String what) throws InvalidMessage {
        if (parser.currentToken() != wanted) {
            throw malformed(what + " is expected, not " + parser.currentToken());
        }
    }

    private InvalidMessage failure(IOException e) {
        String text = e instanceof com.fasterxml.jackson.core.JsonProcessingException problem
                ? problem.getOriginalMessage()
                : e.getMessage();
        return e instanceof StreamConstraintsException ? tooLarge(text) : malformed("it is not JSON: " + text);
    }

    /** Returns the place in the text; the keys on the way to it come from the peer. */
    private String where() {
        String pointer = parser.getParsingContext().pathAsPointer().toString();
        return " (at " + (pointer.isEmpty() ? "/" : Excerpt.printable(pointer, 150)) + ", character "
                + parser.currentLocation().getCharOffset() + ")";
    }

    /** Reads a whole text. */
    interface Reading {
        void read(JsonCursor json) throws InvalidMessage;
    }

    /** Reads the value of a key, or returns false if it does not know the key. */
    interface Field {
        boolean read(String name) throws InvalidMessage;
    }

    /** Reads an element of an array. */
    interface Element {
        void read() throws InvalidMessage;
    }
}
