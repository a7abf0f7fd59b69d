// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.zk.tree;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.util.List;
import org.apache.sling.discovery.commons.model.SharedAnnouncement;
import org.apache.sling.discovery.commons.report.Secrets;
import org.apache.sling.discovery.commons.report.StoreTree.Field;

/** An announcement for display, with its secrets masked. A content that is not JSON is not shown, because its secrets are unknown. */
final class AnnouncementFields {
    private static final ObjectMapper MAPPER = JsonMapper.builder()
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();

    private AnnouncementFields() {}

    static List<Field> of(SharedAnnouncement announcement) {
        return List.of(
                new Field("holder", announcement.holder()),
                new Field("ownerId", announcement.ownerId()),
                new Field("content", RecordFields.shortened(content(announcement.content()))));
    }

    private static String content(String text) {
        try {
            JsonNode json = MAPPER.readTree(text);
            if (json.isContainerNode()) {
                return masked("", json).toString();
            }
        } catch (JsonProcessingException e) {
            // Its length is shown.
        }
        return text.length() + " characters";
    }

    /** Replaces the values in fields whose names are those of secrets, at any depth. */
    private static JsonNode masked(String name, JsonNode value) {
        if (Secrets.isSecret(name)) {
            return TextNode.valueOf(Secrets.MASK);
        }
        if (value instanceof ObjectNode object) {
            object.fields().forEachRemaining(field -> field.setValue(masked(field.getKey(), field.getValue())));
            return object;
        }
        if (value instanceof ArrayNode array) {
            for (int i = 0; i < array.size(); i++) {
                array.set(i, masked(name, array.get(i)));
            }
            return array;
        }
        return value.isTextual() ? TextNode.valueOf(Secrets.masked(name, value.textValue())) : value;
    }
}
