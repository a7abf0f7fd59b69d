// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.zk.server.ensemble;

import io.github.discoveryzk.spi.ThreadsAndClocks;
import java.io.IOException;
import java.util.concurrent.TimeUnit;

/** The server of this container while it runs: whether it serves, and when its files are purged. */
@ThreadsAndClocks
final class RunningServer implements AutoCloseable {
    private static final long PURGE_NANOS = TimeUnit.HOURS.toNanos(1);

    private final Entry entry;
    private final Members members;
    private final DataFolder folder;
    private final String whyNoVote;
    private final EmbeddedServer server;
    private boolean serving;
    private long purgedNanos = System.nanoTime() - PURGE_NANOS;

    private RunningServer(Entry entry, Members members, DataFolder folder, String whyNoVote, EmbeddedServer server) {
        this.entry = entry;
        this.members = members;
        this.folder = folder;
        this.whyNoVote = whyNoVote;
        this.server = server;
    }

    /**
     * Starts the server.
     *
     * @param whyNoVote the end of the sentence of a server that waits; empty if it may vote
     */
    static RunningServer start(Entry entry, Members members, DataFolder folder, String whyNoVote)
            throws IOException, InterruptedException {
        try {
            return new RunningServer(
                    entry, members, folder, whyNoVote, EmbeddedServer.start(members.servers(), folder));
        } catch (IOException e) {
            folder.forgetUnused();
            throw e;
        }
    }

    /** Fails with the reason if ZooKeeper has ended by itself. */
    void checkRuns() throws IOException {
        if (!server.runs()) {
            throw new IOException(
                    "ZooKeeper has ended by itself. Its message stands above in the log; look at the disk of "
                            + folder.path() + " first.");
        }
    }

    /** Finds out whether the server serves, and purges its files once an hour; returns what it does, as a sentence. */
    String look() throws IOException {
        Servers servers = members.servers();
        boolean served = serving;
        serving = server.hasQuorum() && (serving || members.answer(entry).serves());
        if (serving && !served) {
            folder.rememberServed(servers);
        }
        if (System.nanoTime() - purgedNanos >= PURGE_NANOS) {
            purgedNanos = System.nanoTime();
            folder.purge();
        }
        return serving
                ? servers.named(entry, "serves") + "."
                : servers.named(entry, "runs") + " and waits for a majority of the servers " + servers.connectString()
                        + "." + whyNoVote;
    }

    /** Says whether it served at the last look. */
    boolean isServing() {
        return serving;
    }

    @Override
    public void close() {
        server.close();
    }
}
