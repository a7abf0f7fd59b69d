// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.it.outside;

import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;

/** One connection of a sender who writes what it likes, from an address of this machine that it chooses. */
public final class RawPeer implements Closeable {

    /** The server closed the connection and wrote no reply that could be read. */
    public static final int CLOSED = 0;

    private static final int PROBE_MILLIS = 1;

    private final Socket socket = new Socket();
    private boolean answered;

    /** The first byte of the reply if it was read already, and -1 otherwise. */
    private int first = -1;

    public RawPeer(String from, int port) throws IOException {
        socket.bind(new InetSocketAddress(InetAddress.getByName(from), 0));
        socket.connect(new InetSocketAddress("127.0.0.1", port), (int) Limit.millis());
        socket.setSoTimeout((int) Limit.millis());
        socket.setTcpNoDelay(true);
    }

    /** Writes bytes; false when the server no longer takes them. */
    public boolean write(byte[] bytes) {
        try {
            socket.getOutputStream().write(bytes);
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    public boolean write(String latin) {
        return write(latin.getBytes(StandardCharsets.ISO_8859_1));
    }

    /** Says whether a reply has begun or the connection has ended. */
    public boolean isAnswered() throws IOException {
        if (answered) {
            return true;
        }
        socket.setSoTimeout(PROBE_MILLIS);
        try {
            first = socket.getInputStream().read();
            answered = true;
        } catch (SocketTimeoutException e) {
            return false;
        } catch (SocketException e) {
            answered = true;
        } finally {
            socket.setSoTimeout((int) Limit.millis());
        }
        return true;
    }

    /** Reads the reply to its end. */
    public Reply read() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try {
            InputStream in = socket.getInputStream();
            if (first >= 0) {
                bytes.write(first);
            }
            byte[] chunk = new byte[8_192];
            for (int count = in.read(chunk); count >= 0; count = in.read(chunk)) {
                bytes.write(chunk, 0, count);
            }
        } catch (SocketException e) {
            // What came before the connection was reset counts.
        }
        return Reply.parse(bytes.toString(StandardCharsets.ISO_8859_1));
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }

    /** A reply; its status is {@link #CLOSED} if there was none. */
    public record Reply(int status, String body) {

        private static Reply parse(String text) {
            String[] parts = text.split("\r\n\r\n", 2);
            return parts[0].matches("(?s)HTTP/1.1 \\d{3}.*")
                    ? new Reply(Integer.parseInt(parts[0].substring(9, 12)), parts.length > 1 ? parts[1] : "")
                    : new Reply(CLOSED, "");
        }
    }
}
