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
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import java.util.zip.GZIPInputStream;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.ZooKeeper;

/** Writes down the history of views that the servers keep, before they forget the oldest. */
final class ChainRecorder {

    private static final String HISTORY = "/sling/discovery/clusters/default/history";
    private static final int SESSION_MILLIS = 10_000;
    private static final int GZIP = 0x1f;

    private final ObjectMapper json = new ObjectMapper();
    private final String connectString;
    private final Path file;
    private final Set<String> known = new HashSet<>();

    ChainRecorder(String connectString, Path folder) {
        this.connectString = connectString;
        this.file = folder.resolve(RecordingReader.VIEWS);
    }

    /** Adds what is new, and returns how many views there have been. */
    int record() throws IOException, InterruptedException {
        CountDownLatch connected = new CountDownLatch(1);
        ZooKeeper client = new ZooKeeper(connectString, SESSION_MILLIS, event -> connected.countDown());
        try {
            connected.await(Limits.LIMIT.toMillis(), TimeUnit.MILLISECONDS);
            List<String> lines = new ArrayList<>();
            List<String> names = new ArrayList<>(client.getChildren(HISTORY, false));
            names.sort(null);
            for (String name : names) {
                if (known.add(name)) {
                    lines.add(line(client.getData(HISTORY + "/" + name, false, null)));
                }
            }
            Files.write(file, lines, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
            return known.size();
        } catch (KeeperException e) {
            throw new IOException(e);
        } finally {
            client.close();
        }
    }

    private String line(byte[] bytes) throws IOException {
        JsonNode view = json.readTree(plain(bytes)).path("view");
        String members = StreamSupport.stream(view.path("members").spliterator(), false)
                .map(member ->
                        member.path("node").asText() + "=" + member.path("id").asText())
                .collect(Collectors.joining(","));
        return String.join(
                "\t",
                view.path("number").asText(),
                view.path("previous").asText(),
                view.path("token").asText(),
                members,
                view.path("cause").asText().replaceAll("\\s+", " "));
    }

    private static byte[] plain(byte[] bytes) throws IOException {
        if (bytes[0] != GZIP) {
            return bytes;
        }
        try (InputStream expanded = new GZIPInputStream(new ByteArrayInputStream(bytes))) {
            return expanded.readAllBytes();
        }
    }
}
