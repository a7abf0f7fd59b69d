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
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import java.util.zip.GZIPInputStream;

/** Records each view of the history once, before the servers delete the oldest. */
final class ChainRecorder {

    private static final int GZIP = 0x1f;

    private final ObjectMapper json = new ObjectMapper();
    private final Path file;
    private final Set<String> known = new HashSet<>();

    ChainRecorder(Path folder) {
        this.file = folder.resolve(RecordingReader.VIEWS);
    }

    /** Returns how many views there have been. */
    int size() {
        return known.size();
    }

    boolean knows(String name) {
        return known.contains(name);
    }

    /** Adds an entry of the history. */
    void add(String name, byte[] entry) throws IOException {
        Files.writeString(file, line(json(entry)) + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        known.add(name);
    }

    private static String line(JsonNode entry) {
        JsonNode view = entry.path("view");
        String members = StreamSupport.stream(view.path("members").spliterator(), false)
                .map(member ->
                        member.path("node").asText() + "=" + member.path("id").asText())
                .collect(Collectors.joining(","));
        long age = System.currentTimeMillis() - entry.path("published").asLong();
        return String.join(
                "\t",
                view.path("number").asText(),
                view.path("previous").asText(),
                view.path("token").asText(),
                members,
                view.path("cause").asText().replaceAll("\\s+", " "),
                Long.toString(System.nanoTime() - TimeUnit.MILLISECONDS.toNanos(age)));
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
