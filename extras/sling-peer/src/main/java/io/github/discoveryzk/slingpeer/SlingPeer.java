// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.slingpeer;

import java.io.EOFException;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.PrintStream;
import java.util.Map;

/**
 * A cluster of Sling in a process of its own: the standard input has commands, the standard output their answers, both serialized
 * maps of types that every Java has. The first command is the configuration. The end of the input leaves the cluster in order, so
 * that a process whose test has gone does not stay.
 */
public final class SlingPeer {

    private SlingPeer() {}

    /**
     * Serves commands until the input ends.
     *
     * @param arguments none
     */
    @SuppressWarnings("CatchAndPrintStackTrace") // The error output is its log.
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

    private static void serve() throws IOException, ClassNotFoundException {
        PrintStream out = System.out;
        // What a library prints must not appear among the answers.
        System.setOut(System.err);
        ObjectOutputStream answers = new ObjectOutputStream(out);
        answers.flush();
        ObjectInputStream commands = new ObjectInputStream(System.in);
        SlingCluster cluster = new SlingCluster(read(commands));
        try {
            for (Map<String, ?> answer = Map.of(); ; answer = run(cluster, read(commands))) {
                answers.writeObject(answer);
                answers.flush();
            }
        } catch (EOFException e) {
            cluster.close();
        }
    }

    @SuppressWarnings("unchecked")
    private static Map<String, ?> read(ObjectInputStream commands) throws IOException, ClassNotFoundException {
        return (Map<String, ?>) commands.readObject();
    }

    private static Map<String, ?> run(SlingCluster cluster, Map<String, ?> command) {
        try {
            return cluster.run(command);
        } catch (Exception | LinkageError e) {
            e.printStackTrace();
            return Map.of("failed", e.toString());
        }
    }
}
