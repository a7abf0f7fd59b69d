// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.webconsole.testing;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.networknt.schema.JsonNodePath;
import com.networknt.schema.JsonSchema;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.SpecVersion;
import com.networknt.schema.ValidationMessage;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Set;

/** The schema as the bundle publishes it, applied by a validator that knows nothing of this project. */
public final class PublishedSchema {
    private static final ObjectMapper MAPPER = new ObjectMapper(JsonFactory.builder()
            .streamReadConstraints(
                    StreamReadConstraints.builder().maxNameLength(1_000_000).build())
            .build());
    private static final JsonNode CONTENT = content();

    private PublishedSchema() {}

    /** Parses a document that must be valid by the schema, or by the named definition in it. */
    public static JsonNode valid(String json, String definition) {
        JsonNode parsed = parse(json);
        assertThat(problems(parsed, definition)).as(json).isEmpty();
        return parsed;
    }

    /** Parses a document that must be valid by the schema. */
    public static JsonNode valid(String json) {
        return valid(json, "");
    }

    public static Set<ValidationMessage> problems(JsonNode json, String definition) {
        JsonSchema schema = JsonSchemaFactory.getInstance(SpecVersion.VersionFlag.V202012)
                .getSchema(SchemaLocation.of(CONTENT.get("$id").asText()), CONTENT);
        return (definition.isEmpty() ? schema : schema.getRefSchema(definitionOf(definition))).validate(json);
    }

    public static JsonNode parse(String json) {
        try {
            return MAPPER.readTree(json);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public static JsonNode schema() {
        return CONTENT;
    }

    /** Consumers ignore fields that they do not know; tests do not. */
    private static void makeStrict(JsonNode schema) {
        if (schema.path("type").asText().equals("object")
                && schema.has("properties")
                && schema instanceof ObjectNode object) {
            object.put("additionalProperties", false);
        }
        schema.forEach(PublishedSchema::makeStrict);
    }

    private static JsonNodePath definitionOf(String name) {
        return SchemaLocation.Fragment.of("/$defs/" + name);
    }

    private static JsonNode content() {
        try (InputStream in = PublishedSchema.class.getResourceAsStream("/res/topology.schema.json")) {
            JsonNode schema = MAPPER.readTree(in);
            makeStrict(schema);
            return schema;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
