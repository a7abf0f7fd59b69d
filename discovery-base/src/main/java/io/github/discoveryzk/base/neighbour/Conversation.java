// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.base.neighbour;

import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.SocketOption;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousSocketChannel;
import java.nio.channels.CompletionHandler;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One end of a connection between neighbours, on which each sends very little. Confined to the {@link SharedThread}; nothing blocks. */
abstract class Conversation implements CompletionHandler<Integer, Void> {

    /** Precedes the runtime id that is expected, in the only line of the instance that connects. */
    static final String GREETING = "discovery 1 ";

    static final String SAME = "same\n";
    static final String OTHER = "other\n";

    /** Follows {@link #SAME} before the connection is closed on purpose. */
    static final String BYE = "bye\n";

    private static final Logger LOG = LoggerFactory.getLogger(Conversation.class);
    private static final int LIMIT = 256;
    private static final int KEEP_ALIVE_SECONDS = 15;
    private static final Set<String> KEEP_ALIVE = Set.of("TCP_KEEPIDLE", "TCP_KEEPINTERVAL");

    private final AsynchronousSocketChannel channel;
    private final ByteBuffer buffer = ByteBuffer.allocate(LIMIT);
    private boolean ended;

    /** The address of the end that has connected. */
    String peer = "";

    /** The system keeps the connection in use, so that no device in between forgets it. */
    @SuppressWarnings("unchecked") // Where the system has these options they are numbers.
    Conversation(AsynchronousSocketChannel channel) {
        this.channel = channel;
        try {
            if (channel.getRemoteAddress() instanceof InetSocketAddress remote) {
                peer = remote.getAddress().getHostAddress();
            }
            channel.setOption(StandardSocketOptions.SO_KEEPALIVE, true);
            for (SocketOption<?> option : channel.supportedOptions()) {
                if (KEEP_ALIVE.contains(option.name())) {
                    channel.setOption((SocketOption<Integer>) option, KEEP_ALIVE_SECONDS);
                }
            }
        } catch (IOException e) {
            LOG.debug("The connection has ended, which the first read shows", e);
        }
    }

    /** Accepts all that has arrived since the beginning. */
    abstract void received(String text);

    /** The connection was not established, or has ended otherwise than by {@link #end}. */
    void lost(Throwable why) {}

    final void connect(SocketAddress address, String greeting) {
        channel.connect(address, null, new CompletionHandler<>() {
            @Override
            public void completed(Void connected, Object same) {
                send(greeting);
                read();
            }

            @Override
            public void failed(Throwable why, Object same) {
                Conversation.this.failed(why, null);
            }
        });
    }

    final void read() {
        channel.read(buffer, null, this);
    }

    @Override
    public final void completed(Integer count, Void same) {
        if (count < 0 || !buffer.hasRemaining()) {
            failed(new EOFException(count < 0 ? "closed by the other end" : "more than is allowed"), null);
            return;
        }
        received(new String(buffer.array(), 0, buffer.position(), StandardCharsets.ISO_8859_1));
        if (!ended) {
            read();
        }
    }

    @Override
    public final void failed(Throwable why, Void same) {
        if (!ended) {
            end("");
            lost(why);
        }
    }

    /** Sends what fits into the buffers of the system, as each of these texts does. */
    final void send(String text) {
        channel.write(ByteBuffer.wrap(text.getBytes(StandardCharsets.ISO_8859_1)));
    }

    /** Closes the connection, after a last text unless that is empty. */
    void end(String last) {
        if (!ended && !last.isEmpty()) {
            send(last);
        }
        ended = true;
        close(channel);
    }

    static void close(Closeable channel) {
        try {
            channel.close();
        } catch (IOException e) {
            LOG.debug("Closed", e);
        }
    }
}
