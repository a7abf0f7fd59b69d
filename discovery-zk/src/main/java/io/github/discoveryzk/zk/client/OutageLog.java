// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.zk.client;

import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * Writes the log lines of an outage: a warning when the connection is lost, another one each minute, and a line when it is back.
 * A first connection gets a warning when it takes long. ZooKeeper's own client writes a warning with a stack trace each second,
 * which is why its logger is best switched off. All methods are called on the store's thread.
 */
final class OutageLog {
    private static final long FIRST_MILLIS = 5_000;
    private static final long REPEAT_MILLIS = 60_000;

    private final String servers;
    private final LongSupplier clock;
    private final Consumer<String> warning;
    private final Consumer<String> information;
    private boolean out;
    private boolean warned;
    private long since;
    private long next;

    /**
     * Creates a log without an outage.
     *
     * @param servers the servers, for display
     * @param clock monotonic milliseconds
     * @param warning writes a warning
     * @param information writes a line that needs no attention
     */
    OutageLog(String servers, LongSupplier clock, Consumer<String> warning, Consumer<String> information) {
        this.servers = servers;
        this.clock = clock;
        this.warning = warning;
        this.information = information;
    }

    /** Begins to wait for the first connection. */
    void open() {
        begin(FIRST_MILLIS);
    }

    /** Records the loss of the connection. */
    void lost() {
        if (!out) {
            begin(REPEAT_MILLIS);
            warned = true;
            warning.accept("The connection to ZooKeeper at " + servers + " is lost; this instance keeps trying.");
        }
    }

    private void begin(long millis) {
        out = true;
        warned = false;
        since = clock.getAsLong();
        next = since + millis;
    }

    /** Writes the warning that is due; to be called every few seconds. */
    void remind() {
        if (out && clock.getAsLong() >= next) {
            next += REPEAT_MILLIS;
            warned = true;
            warning.accept("There has been no connection to ZooKeeper at " + servers + " for " + duration()
                    + "; this instance keeps trying. Check whether the servers run and have a quorum, the network, and"
                    + " the address; the logger org.apache.zookeeper.ClientCnxn reports each attempt.");
        }
    }

    /** Records that there is a connection. */
    void connected() {
        if (out && warned) {
            information.accept("The connection to ZooKeeper at " + servers + " is back after " + duration() + ".");
        }
        out = false;
    }

    private String duration() {
        long seconds = (clock.getAsLong() - since) / 1_000;
        return seconds < 120 ? seconds + " s" : seconds / 60 + " min";
    }
}
