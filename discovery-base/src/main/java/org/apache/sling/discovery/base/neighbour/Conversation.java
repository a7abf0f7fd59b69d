// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.neighbour;

import java.io.EOFException;
import java.io.IOException;
import java.net.SocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;

/** One end of a connection on which two neighbours exchange short lines. Confined to the {@link SelectorThread}; nothing blocks. */
abstract class Conversation {

    /** Begins the first line, before the runtime id that is expected and the member node of the instance that connects. */
    static final String GREETING = "discovery 1 ";

    static final String SAME = "same";
    static final String OTHER = "other";

    /** The last line before a connection is closed on purpose. */
    static final String BYE = "bye";

    /** The line that keeps a connection in use: a single byte. */
    static final String BEAT = "";

    private static final int LIMIT = 256;

    private final SocketChannel channel;
    private final StringBuilder line = new StringBuilder();
    private boolean ended;

    Conversation(SocketChannel channel) {
        this.channel = channel;
    }

    abstract void received(String text) throws IOException;

    /** The connection was not established, or has ended otherwise than by {@link #end}. */
    abstract void lost(Exception why);

    /** Begins on a connection that was accepted. */
    final void accept(SelectorThread thread) {
        attempt(() -> {
            channel.setOption(StandardSocketOptions.SO_KEEPALIVE, true);
            thread.register(channel, SelectionKey.OP_READ, ready -> attempt(this::read));
        });
    }

    /** Establishes the connection and sends a line. */
    final void connect(SocketAddress address, String greeting, SelectorThread thread) {
        attempt(() -> {
            channel.setOption(StandardSocketOptions.SO_KEEPALIVE, true);
            SelectionKey key = thread.register(
                    channel,
                    0,
                    ready -> attempt(() -> {
                        if (ready.isConnectable()) {
                            channel.finishConnect();
                            greet(ready, greeting);
                        } else {
                            read();
                        }
                    }));
            if (channel.connect(address)) {
                greet(key, greeting);
            } else {
                key.interestOps(SelectionKey.OP_CONNECT);
            }
        });
    }

    private void greet(SelectionKey key, String greeting) throws IOException {
        key.interestOps(SelectionKey.OP_READ);
        write(greeting);
    }

    private void read() throws IOException {
        ByteBuffer buffer = ByteBuffer.allocate(LIMIT);
        if (channel.read(buffer) < 0) {
            throw new EOFException("the other end has closed the connection");
        }
        buffer.flip();
        while (buffer.hasRemaining() && !ended) {
            char each = (char) (buffer.get() & 0xff);
            if (each != '\n') {
                line.append(each);
            } else {
                String text = line.toString();
                line.setLength(0);
                received(text);
            }
        }
        if (line.length() > LIMIT) {
            throw new IOException("a line has more than " + LIMIT + " bytes");
        }
    }

    private void write(String text) throws IOException {
        channel.write(ByteBuffer.wrap((text + "\n").getBytes(StandardCharsets.ISO_8859_1)));
    }

    /** Sends a line. It is lost if the other end has not read for so long that the buffers are full. */
    final void send(String text) {
        attempt(() -> write(text));
    }

    /** Closes the connection, after a last line unless that is empty. */
    final void end(String last) {
        if (!ended) {
            ended = true;
            attempt(() -> {
                if (!last.isEmpty()) {
                    write(last);
                    // What is left unread makes the system reset the connection, and the last line may be lost.
                    channel.read(ByteBuffer.allocate(LIMIT));
                }
            });
            attempt(channel::close);
        }
    }

    final boolean hasEnded() {
        return ended;
    }

    private interface Attempt {
        void run() throws IOException;
    }

    private void attempt(Attempt what) {
        try {
            what.run();
        } catch (IOException | RuntimeException e) {
            if (!ended) {
                end("");
                lost(e);
            }
        }
    }
}
