// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.it.chaos;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.zip.GZIPInputStream;

/** Records each view of the history once, before the servers delete the oldest. */
final class ChainRecorder {

    private static final int GZIP = 0x1f;

    private final ObjectMapper json = new ObjectMapper();
    private final Path file;
    private final Set<String> known = new HashSet<>();
    private final Map<Long, List<String>> members = new HashMap<>();

    ChainRecorder(Path folder) {
        this.file = folder.resolve(Recording.VIEWS);
    }

    /** Returns how many views there have been. */
    int size() {
        return known.size();
    }

    boolean knows(String name) {
        return known.contains(name);
    }

    /** Adds an entry of the history, after that of the view before it. */
    void add(String name, byte[] entry) throws IOException {
        Files.writeString(file, line(json(entry)) + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        known.add(name);
    }

    private String line(JsonNode view) {
        List<String> all = members(view);
        members.put(view.path("number").asLong(), all);
        String members = String.join(",", all);
        long age = System.currentTimeMillis() - view.path("published").asLong();
        return String.join(
                "\t",
                view.path("number").asText(),
                view.path("previous").asText(),
                view.path("token").asText(),
                members,
                view.path("cause").asText().replaceAll("\\s+", " "),
                Long.toString(System.nanoTime() - TimeUnit.MILLISECONDS.toNanos(age)));
    }

    /** Returns the members of a view, made from those of the view before and the difference. */
    private List<String> members(JsonNode view) {
        int size = view.path("size").asInt();
        List<String> joined = new ArrayList<>();
        view.path("joined").forEach(member -> joined.add(member(member)));
        List<String> all = new ArrayList<>();
        if (joined.size() < size) {
            all.addAll(members.getOrDefault(view.path("previous").asLong(), List.of()));
            view.path("removed").forEach(member -> all.remove(member(member)));
        }
        all.addAll(joined);
        if (all.size() != size) {
            throw new IllegalStateException(
                    "view " + view.path("number") + " does not follow the views before it: " + view);
        }
        return all;
    }

    private static String member(JsonNode member) {
        return member.path("node").asText() + "=" + member.path("id").asText();
    }

    /** Reads the data that discovery has written into a node. */
    JsonNode json(byte[] bytes) throws IOException {
        return json.readTree(plain(bytes));
    }

    private static byte[] plain(byte[] bytes) throws IOException {
        if (bytes.length == 0 || bytes[0] != GZIP) {
            return bytes;
        }
        try (InputStream expanded = new GZIPInputStream(new ByteArrayInputStream(bytes))) {
            return expanded.readAllBytes();
        }
    }
}
