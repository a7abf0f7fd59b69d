// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.base.journal;

import io.github.discoveryzk.base.environment.Time;
import io.github.discoveryzk.base.protocol.Facts.Link;
import io.github.discoveryzk.report.StoreConnection;
import java.util.Optional;
import java.util.OptionalLong;

/** The session with the store and its response times, for display. Written by the engine's thread, read by any. */
public final class Session {

    private final Time time;
    private volatile String address = "the store";
    private volatile long id;
    private volatile Optional<StoreConnection> connection = Optional.empty();

    Session(Time time) {
        this.time = time;
    }

    /** Sets the address of the cluster, for display. */
    public void describe(String clusterAddress) {
        address = clusterAddress;
    }

    public String address() {
        return address;
    }

    /** Returns the session; empty when there is none. */
    public Optional<StoreConnection> connection() {
        return connection;
    }

    /** Returns whether there is a session and the store can be reached now. */
    public boolean isUsable() {
        return connection.filter(StoreConnection::usable).isPresent();
    }

    /** Returns whether the last reply is so old that the lease is over, although the connection may not be known to be lost yet. */
    public boolean isSilent() {
        long now = time.wall().getAsLong();
        return connection
                .filter(known -> known.heardMillis().isPresent())
                .filter(known -> known.heardMillis().getAsLong() + known.timeoutMillis() * 2L / 3 <= now)
                .isPresent();
    }

    /** Returns the id of the last session, 0 before the first. */
    public long id() {
        return id;
    }

    void update(Link link) {
        Optional<StoreConnection> same = connection.filter(known -> link.session() == id);
        if (link.session() == 0) {
            connection = Optional.empty();
        } else {
            id = link.session();
            connection = Optional.of(new StoreConnection(
                    "0x" + Long.toHexString(id),
                    link.timeoutMillis(),
                    link.usable(),
                    same.map(StoreConnection::roundTripMillis).orElse(OptionalLong.empty()),
                    same.map(StoreConnection::heardMillis).orElse(OptionalLong.empty())));
        }
    }

    /**
     * Records a reply of the store.
     *
     * @param startedAt when the request was made, in monotonic milliseconds
     */
    public void recordReply(long startedAt) {
        long took = time.monotonic().getAsLong() - startedAt;
        connection = connection.map(known -> new StoreConnection(
                known.session(),
                known.timeoutMillis(),
                known.usable(),
                OptionalLong.of(took),
                OptionalLong.of(time.wall().getAsLong() - took)));
    }
}
