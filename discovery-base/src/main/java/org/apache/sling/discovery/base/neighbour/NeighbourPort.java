// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.neighbour;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.SelectionKey;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.LinkedHashSet;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The port at which an instance listens for the members that watch it. A stranger learns nothing else, and takes no more than the
 * connections, bytes and time that are limited here.
 */
final class NeighbourPort {

    /** Two members watch an instance, and a few more while the view changes. */
    static final int CONNECTIONS = 32;

    static final long GREETING_MILLIS = 3_000;

    private static final int ACCEPTED_IN_A_TURN = 32;
    private static final int BACKLOG = 128;
    private static final long PAUSE_MILLIS = 1_000;
    private static final Logger LOG = LoggerFactory.getLogger(NeighbourPort.class);

    private final ServerSocketChannel channel = ServerSocketChannel.open();
    private final InetSocketAddress address;
    private final SelectorThread thread;
    private final String runtimeId;
    private final Set<Visitor> visitors = new LinkedHashSet<>();

    /** Listens. May be called by any thread. */
    NeighbourPort(InetSocketAddress at, SelectorThread thread, String runtimeId) throws IOException {
        this.thread = thread;
        this.runtimeId = runtimeId;
        try {
            channel.bind(at, BACKLOG);
            address = (InetSocketAddress) channel.getLocalAddress();
        } catch (IOException | RuntimeException e) {
            channel.close();
            throw e;
        }
        thread.execute(() -> register(thread));
    }

    private void register(SelectorThread selector) {
        try {
            selector.register(channel, SelectionKey.OP_ACCEPT, this::accept);
        } catch (IOException e) {
            LOG.debug("Closed before it was used", e);
        }
    }

    InetSocketAddress address() {
        return address;
    }

    private void accept(SelectionKey key) {
        try {
            for (int i = 0; i < ACCEPTED_IN_A_TURN; i++) {
                SocketChannel accepted = channel.accept();
                if (accepted == null) {
                    return;
                }
                admit(new Visitor(accepted));
            }
        } catch (IOException e) {
            // Such as too many open files: what waits stays ready, and this thread must not try again without a pause.
            LOG.debug("No connection can be accepted", e);
            key.interestOps(0);
            thread.schedule(PAUSE_MILLIS, () -> {
                if (key.isValid()) {
                    key.interestOps(SelectionKey.OP_ACCEPT);
                }
            });
        }
    }

    /** The oldest stranger makes room, then the oldest of all: neighbours greet immediately, and connect again. */
    private void admit(Visitor next) {
        if (visitors.size() == CONNECTIONS) {
            visitors.stream()
                    .filter(each -> !each.known)
                    .findFirst()
                    .or(() -> visitors.stream().findFirst())
                    .ifPresent(Visitor::leave);
        }
        visitors.add(next);
        next.accept(thread);
        thread.schedule(GREETING_MILLIS, () -> {
            if (!next.known) {
                next.leave();
            }
        });
    }

    /** Says goodbye to all and listens no more. */
    void close() {
        Set.copyOf(visitors).forEach(Visitor::leave);
        try {
            channel.close();
        } catch (IOException e) {
            LOG.debug("Closed", e);
        }
    }

    /** What has connected: a stranger until it sends the runtime id of this instance. */
    private final class Visitor extends Conversation {
        private boolean known;

        Visitor(SocketChannel accepted) {
            super(accepted);
        }

        @Override
        void received(String text) {
            boolean greets = !known && text.startsWith(GREETING);
            known = known || greets && text.startsWith(runtimeId + " ", GREETING.length());
            if (greets && known) {
                send(SAME);
            } else if (greets) {
                visitors.remove(this);
                end(OTHER);
            } else if (!known || !text.equals(BEAT)) {
                leave();
            }
        }

        @Override
        void lost(Exception why) {
            visitors.remove(this);
        }

        private void leave() {
            visitors.remove(this);
            end(known ? BYE : "");
        }
    }
}
