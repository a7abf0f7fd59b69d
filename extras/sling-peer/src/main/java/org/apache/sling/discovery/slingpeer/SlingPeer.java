// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.slingpeer;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import javax.json.Json;
import javax.json.JsonObject;
import javax.json.JsonReader;

/**
 * A cluster of Sling in a process of its own: each line of the standard input is a command, each line of the standard output its
 * answer, both JSON. The first command is the configuration. The end of the input leaves the cluster in order, so that a process
 * whose test has gone does not stay.
 */
public final class SlingPeer {

    private SlingPeer() {}

    /**
     * Serves commands until the input ends.
     *
     * @param arguments none
     */
    public static void main(String[] arguments) {
        int status = 1;
        try {
            serve();
            status = 0;
        } catch (Exception | LinkageError e) {
            e.printStackTrace();
        } finally {
            // The threads of the HTTP servers would keep the process.
            Runtime.getRuntime().halt(status);
        }
    }

    private static void serve() throws IOException {
        PrintStream answers = System.out;
        // What a library prints must not appear among the answers.
        System.setOut(System.err);
        BufferedReader commands = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        String configuration = commands.readLine();
        if (configuration == null) {
            return;
        }
        SlingCluster cluster = new SlingCluster(new PeerConfig(read(configuration)));
        answer(answers, Json.createObjectBuilder().build());
        for (String line = commands.readLine(); line != null; line = commands.readLine()) {
            answer(answers, run(cluster, read(line)));
        }
        cluster.close();
    }

    private static JsonObject run(SlingCluster cluster, JsonObject command) {
        try {
            return cluster.run(command);
        } catch (Exception | LinkageError e) {
            e.printStackTrace();
            return Json.createObjectBuilder().add("failed", e.toString()).build();
        }
    }

    private static JsonObject read(String line) {
        try (JsonReader reader = Json.createReader(new StringReader(line))) {
            return reader.readObject();
        }
    }

    private static void answer(PrintStream answers, JsonObject answer) {
        byte[] line = (answer + "\n").getBytes(StandardCharsets.UTF_8);
        answers.write(line, 0, line.length);
        answers.flush();
    }
}
