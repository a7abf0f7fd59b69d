// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.base.neighbour;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.AsynchronousServerSocketChannel;
import java.nio.channels.AsynchronousSocketChannel;
import java.nio.channels.CompletionHandler;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * The port at which an instance listens for the members that watch it. A stranger learns nothing else, and takes no more than the
 * connections, bytes and time that are limited here.
 */
final class NeighbourPort implements CompletionHandler<AsynchronousSocketChannel, Void> {

    /** Three members watch an instance, and a few more while the view changes. */
    static final int CONNECTIONS = 32;

    static final long GREETING_MILLIS = 3_000;

    private static final int BACKLOG = 128;
    private static final long PAUSE_MILLIS = 1_000;

    final InetSocketAddress at;
    final InetSocketAddress address;
    private final AsynchronousServerSocketChannel channel;
    private final SharedThread thread;
    private final String greeting;
    private final Set<Visitor> visitors = new LinkedHashSet<>();

    /** Listens. May be called by any thread. */
    NeighbourPort(InetSocketAddress at, SharedThread thread, String runtimeId) throws IOException {
        this.at = at;
        this.thread = thread;
        this.greeting = Conversation.GREETING + runtimeId + "\n";
        this.channel = AsynchronousServerSocketChannel.open(thread.channels);
        try {
            channel.bind(at, BACKLOG);
            address = (InetSocketAddress) channel.getLocalAddress();
        } catch (IOException | RuntimeException e) {
            channel.close();
            throw e;
        }
        channel.accept(null, this);
    }

    @Override
    public void completed(AsynchronousSocketChannel accepted, Void same) {
        if (!channel.isOpen()) {
            Conversation.close(accepted);
            return;
        }
        Visitor next = new Visitor(accepted);
        visitors.add(next);
        if (visitors.size() > CONNECTIONS) {
            makeRoom(next);
        }
        next.read();
        thread.executor.schedule(next::leaveIfStranger, GREETING_MILLIS, TimeUnit.MILLISECONDS);
        channel.accept(null, this);
    }

    /**
     * The oldest stranger makes room, because neighbours greet immediately; without one the oldest connection from the address that has
     * most, first of all from that of the next one. So visitors at one address displace no neighbour at another. The next one never makes
     * room: a neighbour that was displaced comes back.
     */
    private void makeRoom(Visitor next) {
        List<Visitor> others = visitors.stream().filter(each -> each != next).toList();
        others.stream()
                .filter(each -> !each.known)
                .findFirst()
                .orElseGet(() -> Collections.max(
                        others,
                        Comparator.comparingLong(this::crowd).thenComparing(each -> each.peer.equals(next.peer))))
                .leave();
    }

    private long crowd(Visitor one) {
        return visitors.stream().filter(each -> each.peer.equals(one.peer)).count();
    }

    /** It is closed, or there are too many open files: then it must not try again without a pause. */
    @Override
    public void failed(Throwable why, Void same) {
        if (channel.isOpen()) {
            thread.executor.schedule(() -> channel.accept(null, this), PAUSE_MILLIS, TimeUnit.MILLISECONDS);
        }
    }

    /** Says goodbye to all and listens no more. */
    void close() {
        Set.copyOf(visitors).forEach(Visitor::leave);
        Conversation.close(channel);
    }

    /** What has connected: a stranger until it sends the runtime id of this instance. */
    private final class Visitor extends Conversation {
        private boolean known;

        Visitor(AsynchronousSocketChannel accepted) {
            super(accepted);
        }

        @Override
        void received(String text) {
            if (text.startsWith(greeting)) {
                if (!known) {
                    known = true;
                    send(SAME);
                }
                if (text.length() > greeting.length()) {
                    leave();
                }
            } else if (text.contains("\n")) {
                end(text.startsWith(GREETING) ? OTHER : "");
            }
        }

        @Override
        void end(String last) {
            visitors.remove(this);
            super.end(last);
        }

        void leave() {
            end(known ? BYE : "");
        }

        void leaveIfStranger() {
            if (!known) {
                leave();
            }
        }
    }
}
