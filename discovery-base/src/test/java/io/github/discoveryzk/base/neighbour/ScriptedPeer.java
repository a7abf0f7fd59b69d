// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.base.neighbour;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** The port of a neighbour whose every reply the test decides. */
final class ScriptedPeer implements AutoCloseable {

    /** What those that connected have sent, a line each. */
    final List<String> greetings = new ArrayList<>();

    private final ServerSocket server;

    ScriptedPeer(int port) {
        try {
            server = new ServerSocket();
            server.setReuseAddress(true);
            server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    int port() {
        return server.getLocalPort();
    }

    String endpoint() {
        return "127.0.0.1:" + port();
    }

    /** Accepts the next connection, reads the greeting, and replies. */
    Socket reply(String text) {
        try {
            Socket socket = server.accept();
            greetings.add(
                    new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.ISO_8859_1))
                            .readLine());
            socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
            return socket;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Ends a connection as a crash does. */
    static void reset(Socket socket) {
        try {
            socket.setSoLinger(true, 0);
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        stop();
    }

    /** Refuses connections from now on. */
    void stop() {
        try {
            server.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
