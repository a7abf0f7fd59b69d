// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.zk.server.ensemble;

import io.github.discoveryzk.spi.ThreadsAndClocks;
import io.github.discoveryzk.zk.server.ensemble.Answer.Kind;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;

/** Holds the client port of a server that waits, and answers each request by what it waits for. Its thread ends when it is closed. */
@ThreadsAndClocks
final class Placeholder implements AutoCloseable {
    private static final int WORD = 4;
    private static final int LIMIT_MILLIS = 1_000;

    private final ServerSocket socket;
    private final Thread thread;
    private volatile Kind kind;
    private long heldBackNanos = System.nanoTime();

    Placeholder(Entry entry, Kind kind) throws IOException {
        this.kind = kind;
        socket = new ServerSocket();
        socket.setReuseAddress(true);
        socket.bind(new InetSocketAddress(entry.host(), entry.client()));
        thread = new Thread(this::answerAll, "discovery-zk-server-waiting");
        thread.setDaemon(true);
        thread.start();
    }

    Kind kind() {
        return kind;
    }

    void change(Kind other) {
        kind = other;
    }

    /** Records that it is not right to join now. */
    void holdBack() {
        heldBackNanos = System.nanoTime();
    }

    /** Returns for how long it has been right to join. */
    long joiningMillis() {
        return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - heldBackNanos);
    }

    private void answerAll() {
        while (!socket.isClosed()) {
            try (Socket client = socket.accept()) {
                client.setSoTimeout(LIMIT_MILLIS);
                client.getInputStream().readNBytes(WORD);
                client.getOutputStream().write(Answer.waiting(kind).getBytes(StandardCharsets.US_ASCII));
            } catch (IOException e) {
                // The client has gone, or this is closed.
            }
        }
    }

    @Override
    public void close() {
        try {
            socket.close();
            thread.join(2 * LIMIT_MILLIS);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
