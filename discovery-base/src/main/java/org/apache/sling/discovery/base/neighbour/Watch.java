// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.neighbour;

import java.io.IOException;
import java.net.ConnectException;
import java.nio.channels.SocketChannel;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.apache.sling.discovery.base.environment.Machine;
import org.apache.sling.discovery.base.protocol.Suspect;
import org.apache.sling.discovery.commons.report.TopologyReport.Watched;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Watches a neighbour by one connection at a time. The neighbour is a suspect if a connection on which it had greeted ends without a goodbye,
 * and a following one is refused or answered by another process, until it greets again. Any other failure is no information.
 */
final class Watch {

    private static final Logger LOG = LoggerFactory.getLogger(Watch.class);
    private static final long ANSWER_MILLIS = 3_000;
    private static final long BEAT_MILLIS = 5_000;

    /** The system repeats a packet that is not answered after a second: what ends earlier is refused. */
    private static final long REFUSAL_MILLIS = 900;

    /** Long enough for the system to close all sockets of a process, and for connections that end each time. */
    private static final long FIRST_CHECK_MILLIS = 50;

    private static final long FIRST_RETRY_MILLIS = 1_000;
    private static final long LAST_RETRY_MILLIS = 60_000;

    private final Neighbour neighbour;
    private final String greeting;
    private final SelectorThread thread;
    private final LongSupplier wall;
    private final Runnable onChange;
    private Optional<Connection> connection = Optional.empty();
    private Optional<String> processStart = Optional.empty();
    private Watched shown;
    private long delay = FIRST_RETRY_MILLIS;
    private boolean warned;
    private boolean closed;

    /** The last connection on which the neighbour has greeted has ended without a goodbye, and since then a connection was refused. */
    private boolean alarmed;

    private boolean refused;

    Watch(Neighbour neighbour, String ownNode, SelectorThread thread, LongSupplier wall, Runnable onChange) {
        this.neighbour = neighbour;
        this.greeting = Conversation.GREETING + neighbour.runtimeId() + " " + ownNode;
        this.thread = thread;
        this.wall = wall;
        this.onChange = onChange;
        show(false);
    }

    Neighbour neighbour() {
        return neighbour;
    }

    Watched shown() {
        return shown;
    }

    private void show(boolean connected) {
        shown = new Watched(neighbour.instanceId(), neighbour.endpoint(), connected, wall.getAsLong());
    }

    Optional<Suspect> suspect() {
        boolean ended = alarmed
                && processStart
                        .filter(start -> Machine.hasEnded(neighbour.pid(), start))
                        .isPresent();
        return ended || refused ? Optional.of(new Suspect(neighbour.node(), ended)) : Optional.empty();
    }

    void connect() {
        if (closed || neighbour.address().isEmpty()) {
            retry(false);
            return;
        }
        try {
            Connection next = new Connection(SocketChannel.open());
            connection = Optional.of(next);
            thread.schedule(ANSWER_MILLIS, next::checkAnswer);
            next.connect(neighbour.address().get(), greeting, thread);
        } catch (IOException e) {
            LOG.debug("No connection is possible", e);
            retry(false);
        }
    }

    private void retry(boolean isRefused) {
        if (closed) {
            return;
        }
        if (alarmed && isRefused && !refused) {
            LOG.info("The connection to {} at {} has ended, and the next one is refused", shown.id(), shown.endpoint());
        }
        refused = alarmed && (refused || isRefused);
        if (!warned && wall.getAsLong() - shown.sinceMillis() >= Neighbours.UNREACHABLE_MILLIS) {
            warned = true;
            LOG.warn("{}", Neighbours.unreachable(shown).sentence(id -> id));
        }
        thread.schedule(delay, this::connect);
        delay = Math.min(2 * delay, LAST_RETRY_MILLIS);
        onChange.run();
    }

    void close() {
        closed = true;
        connection.ifPresent(each -> each.end(Conversation.BYE));
    }

    private final class Connection extends Conversation {
        private final long since = thread.millis();

        Connection(SocketChannel channel) {
            super(channel);
        }

        @Override
        void received(String text) throws IOException {
            if (text.equals(SAME) && !shown.connected()) {
                show(true);
                alarmed = false;
                refused = false;
                processStart = neighbour.pid() == 0 ? Optional.empty() : Machine.startOf(neighbour.pid());
                thread.schedule(BEAT_MILLIS, this::beat);
                if (warned) {
                    LOG.info("{} at {} answers", shown.id(), shown.endpoint());
                }
                warned = false;
                onChange.run();
            } else if (text.equals(OTHER) && !shown.connected()) {
                end("");
                retry(true);
            } else if (text.equals(BYE) && shown.connected()) {
                end("");
                show(false);
                delay = FIRST_RETRY_MILLIS;
                retry(false);
            } else {
                throw new IOException("the reply is not that of a neighbour");
            }
        }

        private void checkAnswer() {
            if (!hasEnded() && !shown.connected()) {
                end("");
                retry(false);
            }
        }

        private void beat() {
            if (!hasEnded()) {
                send(BEAT);
                thread.schedule(BEAT_MILLIS, this::beat);
            }
        }

        @Override
        void lost(Exception why) {
            LOG.debug("{} at {}", shown.id(), shown.endpoint(), why);
            if (!shown.connected()) {
                retry(why instanceof ConnectException && thread.millis() - since < REFUSAL_MILLIS);
                return;
            }
            show(false);
            alarmed = true;
            delay = FIRST_CHECK_MILLIS;
            retry(false);
        }
    }
}
