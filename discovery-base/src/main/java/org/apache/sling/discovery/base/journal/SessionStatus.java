// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.journal;

import java.util.Optional;
import java.util.OptionalLong;
import org.apache.sling.discovery.base.environment.Time;
import org.apache.sling.discovery.base.protocol.Facts.Link;
import org.apache.sling.discovery.commons.report.TopologyReport.Connection;

/** The session with the store and its response times, for display. Written by the engine's thread, read by any. */
public final class SessionStatus {

    private final Time time;
    private volatile Connection connection;
    private volatile long sessionId;

    SessionStatus(Time time) {
        this.time = time;
    }

    /** Returns the session; empty when there is none. */
    public Optional<Connection> connection() {
        return Optional.ofNullable(connection);
    }

    /** Returns whether there is a session and the store can be reached now. */
    public boolean isUsable() {
        return connection().filter(Connection::usable).isPresent();
    }

    /** Returns whether the last reply is so old that the lease is over, although the connection may not be known to be lost yet. */
    public boolean isSilent() {
        long now = time.wall().getAsLong();
        return connection()
                .filter(known -> known.heardMillis().isPresent())
                .filter(known -> known.heardMillis().getAsLong() + known.timeoutMillis() * 2L / 3 <= now)
                .isPresent();
    }

    /** Returns the id of the last session, 0 before the first. */
    public long sessionId() {
        return sessionId;
    }

    void update(Link link) {
        Connection before = connection;
        if (link.session() == 0) {
            connection = null;
        } else if (before == null || sessionId != link.session()) {
            sessionId = link.session();
            connection = new Connection(
                    "0x" + Long.toHexString(sessionId),
                    link.timeoutMillis(),
                    link.usable(),
                    OptionalLong.empty(),
                    OptionalLong.empty());
        } else if (before.usable() != link.usable() || before.timeoutMillis() != link.timeoutMillis()) {
            connection = new Connection(
                    before.session(),
                    link.timeoutMillis(),
                    link.usable(),
                    before.roundTripMillis(),
                    before.heardMillis());
        }
    }

    /** Records a reply of the store.
     *
     * @param startedAt when the request was made, in monotonic milliseconds
     */
    public void recordReply(long startedAt) {
        Connection before = connection;
        long took = time.monotonic().getAsLong() - startedAt;
        if (before != null) {
            connection = new Connection(
                    before.session(),
                    before.timeoutMillis(),
                    before.usable(),
                    OptionalLong.of(took),
                    OptionalLong.of(time.wall().getAsLong() - took));
        }
    }
}
