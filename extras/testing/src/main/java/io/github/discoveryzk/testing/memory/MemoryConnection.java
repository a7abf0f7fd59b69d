// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.testing.memory;

import io.github.discoveryzk.testing.time.VirtualProcess;
import java.util.OptionalLong;

/** The connection of a store in memory, and its session: how they are lost, and how they come back. */
public abstract class MemoryConnection {
    private static final long RETRY_MILLIS = 100;

    final MemoryEnsemble ensemble;
    final VirtualProcess process;
    final Transport transport;
    final int lagMillis;
    private int timeoutMillis;
    private int granted;
    private boolean opened;
    private boolean closed;
    private boolean reachable = true;
    private boolean ready;
    private boolean connecting;
    private boolean abandoned;
    private OptionalLong strandedAt = OptionalLong.empty();
    private long refusedUntil = Long.MIN_VALUE;
    private long session;

    MemoryConnection(
            MemoryEnsemble ensemble, VirtualProcess process, Transport transport, int timeoutMillis, int lagMillis) {
        this.ensemble = ensemble;
        this.process = process;
        this.transport = transport;
        this.timeoutMillis = timeoutMillis;
        this.lagMillis = lagMillis;
    }

    /** Called in the process when the connection is lost. */
    abstract void lost();

    /** Called at the servers when there is a connection; {@code expired} says whether the session before it has ended. */
    abstract void established(boolean expired, int grantedMillis);

    /** Sets another timeout that the servers grant from the next connection on. */
    public void renegotiate(int otherTimeoutMillis) {
        timeoutMillis = otherTimeoutMillis;
    }

    public int timeoutMillis() {
        return timeoutMillis;
    }

    /** Returns the present or last session of this store, 0 before the first. */
    public long session() {
        return session;
    }

    /** Delays all further messages, in order, without losing the connection. */
    public void stall(long upMillis, long downMillis) {
        transport.stall(upMillis, downMillis);
    }

    /** Returns whether the process knows that it is connected. */
    boolean isReady() {
        return ready;
    }

    boolean isClosed() {
        return closed;
    }

    boolean isStranded() {
        return strandedAt.isPresent();
    }

    /** Returns the time of the state from which the server answers. */
    long answersFrom() {
        return strandedAt.orElse(ensemble.time.now() - lagMillis);
    }

    final void openOnce() {
        if (opened || closed) {
            throw new IllegalStateException("a store is opened once and not after it was closed");
        }
        opened = true;
        connect();
    }

    /** Sends to the servers, if they can be reached. */
    void up(Runnable action) {
        if (reachable) {
            transport.up(action);
        }
    }

    /** Sends to the servers what only counts if this connection is still there. */
    void upOnThis(Runnable action) {
        int sentOn = transport.connection();
        up(() -> {
            if (sentOn == transport.connection()) {
                action.run();
            }
        });
    }

    /** Sends to the process. */
    void down(long behindMillis, Runnable action) {
        transport.down(behindMillis, () -> emit(action));
    }

    void emit(Runnable call) {
        if (!closed) {
            call.run();
        }
    }

    /** Ends the connection and its session; returns whether it was open. */
    final boolean end() {
        if (closed) {
            return false;
        }
        closed = true;
        ready = false;
        transport.nextConnection();
        ensemble.unwatch(this);
        if (reachable && session != 0) {
            long ending = session;
            ensemble.time.after(transport.latency(), () -> ensemble.end(ending));
        } else {
            ensemble.startExpiry(session, granted);
        }
        return true;
    }

    /** Loses the connection; the process notices after a while. */
    public void cut(long noticedAfterMillis) {
        if (reachable) {
            reachable = false;
            strandedAt = OptionalLong.empty();
            transport.nextConnection();
            ensemble.unwatch(this);
            ensemble.startExpiry(session, granted);
            int lost = transport.connection();
            process.after(noticedAfterMillis, () -> notice(lost));
        }
    }

    /**
     * Cuts the server off from the others without its knowledge: it still answers reads and pings from its old state, and
     * nothing else passes, while the others wait for the session to expire.
     */
    public void strand() {
        if (reachable && ready && !isStranded()) {
            strandedAt = OptionalLong.of(ensemble.time.now() - lagMillis);
            ensemble.unwatch(this);
            ensemble.startExpiry(session, granted);
        }
    }

    /**
     * Loses the connection to servers that are restored to an older state: they refuse the client, which has seen later transactions, until
     * it opens a new session after the given time.
     */
    public void refuse(long millis, long noticedAfterMillis) {
        cut(noticedAfterMillis);
        abandoned = session != 0;
        refusedUntil = ensemble.time.now() + millis;
        ensemble.time.after(millis, this::restore);
    }

    /** Ends a cut. */
    public void restore() {
        if (ensemble.time.now() < refusedUntil) {
            return;
        }
        if (isStranded()) {
            strandedAt = OptionalLong.empty();
            lose();
            connect();
        }
        if (!reachable) {
            reachable = true;
            connect();
        }
    }

    /** Makes the process silent on a standing connection, as if it were paused or killed. */
    public void fallSilent() {
        ensemble.startExpiry(session, granted);
    }

    /** Ends the silence of a process. */
    public void speakAgain() {
        if (!closed && reachable && !isStranded() && session != 0 && !abandoned && ensemble.isAlive(session)) {
            ensemble.suspendExpiry(session);
        }
    }

    /** Its server closes the connection when the session has ended; the client opens another session. */
    void ended(long ended) {
        if (ended == session && reachable && !isStranded()) {
            down(lagMillis, () -> {
                lose();
                connect();
            });
        }
    }

    /** Makes the client abandon its session and open another one, while the servers wait for the old one to expire. */
    public void abandonSession() {
        if (reachable && ready) {
            lose();
            ensemble.startExpiry(session, granted);
            abandoned = true;
            connect();
        }
    }

    private void lose() {
        transport.nextConnection();
        ensemble.unwatch(this);
        notice(transport.connection());
    }

    private void notice(int lost) {
        if (lost == transport.connection() && !closed && opened) {
            ready = false;
            lost();
        }
    }

    private void connect() {
        if (!connecting && opened) {
            connecting = true;
            ensemble.time.after(transport.latency(), this::establish);
        }
    }

    private void establish() {
        connecting = false;
        if (closed || process.isDead() || !reachable) {
            return;
        }
        if (process.isPaused()) {
            connecting = true;
            ensemble.time.after(RETRY_MILLIS, this::establish);
            return;
        }
        notice(transport.connection());
        boolean expired = session != 0 && (abandoned || !ensemble.isAlive(session));
        abandoned = false;
        if (session == 0 || expired) {
            session = ensemble.newSession();
        }
        ensemble.suspendExpiry(session);
        transport.nextConnection();
        granted = timeoutMillis;
        established(expired, granted);
    }

    /** Called in the process when it has been notified of the connection. */
    final void beReady() {
        ready = true;
    }
}
