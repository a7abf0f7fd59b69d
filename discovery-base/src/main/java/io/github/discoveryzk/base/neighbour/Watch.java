// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.base.neighbour;

import io.github.discoveryzk.base.environment.Machine;
import io.github.discoveryzk.base.protocol.Facts.Suspect;
import io.github.discoveryzk.model.ForeignText;
import io.github.discoveryzk.model.Member;
import io.github.discoveryzk.model.ProcessInfo;
import io.github.discoveryzk.model.Reason;
import io.github.discoveryzk.model.ReasonCode;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.nio.channels.AsynchronousSocketChannel;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Watches a neighbour by one connection at a time. The neighbour is a suspect if a connection on which it had greeted ends without a goodbye,
 * and a following one is refused or answered by another process, until it greets again. Any other failure says nothing. Confined to the
 * {@link SharedThread}.
 */
final class Watch {

    private static final Logger LOG = LoggerFactory.getLogger(Watch.class);
    private static final long UNREACHABLE_MILLIS = 10_000;

    /** The system repeats a packet that is not answered after a second: what ends earlier is refused. */
    private static final long REFUSAL_MILLIS = 900;

    /** Long enough for the system to close all sockets of a process; not for a connection that ends again and again. */
    private static final long FIRST_CHECK_MILLIS = 50;

    private static final long FIRST_RETRY_MILLIS = 1_000;
    private static final long LAST_RETRY_MILLIS = 60_000;

    final Member member;

    /** The neighbour has not greeted since its last goodbye; has greeted; that connection has ended without one; another was refused since. */
    private enum State {
        UNKNOWN,
        GREETED,
        BROKEN,
        REFUSED
    }

    private final ProcessInfo process;
    private final Machine machine;
    private final SharedThread thread;
    private final LongSupplier clock;
    private final BooleanSupplier refusalIsProof;
    private final Runnable onChange;
    private Optional<Connection> connection = Optional.empty();
    private Optional<String> running = Optional.empty();
    private long delay;
    private long broken = Long.MIN_VALUE / 2;
    private boolean closed;

    private volatile State state;
    private volatile long since;

    /** Begins to watch a member from a machine. What is given is called when {@link #suspect} may return something else. */
    Watch(
            Member member,
            Machine machine,
            SharedThread thread,
            LongSupplier clock,
            BooleanSupplier refusalIsProof,
            Runnable onChange) {
        this.member = member;
        this.process = member.record().process();
        this.machine = machine;
        this.thread = thread;
        this.clock = clock;
        this.refusalIsProof = refusalIsProof;
        this.onChange = onChange;
        enter(State.UNKNOWN);
        thread.executor.execute(this::connect);
    }

    private void enter(State next) {
        long now = clock.getAsLong();
        boolean again = now - broken < UNREACHABLE_MILLIS;
        delay = next == State.BROKEN && !again ? FIRST_CHECK_MILLIS : FIRST_RETRY_MILLIS;
        broken = next == State.BROKEN ? now : broken;
        since = now;
        state = next;
    }

    boolean isOf(Member other) {
        return other.node().equals(member.node())
                && other.record().process().endpoint().equals(process.endpoint());
    }

    boolean isConnected() {
        return state == State.GREETED;
    }

    Optional<Suspect> suspect() {
        boolean refused = state == State.REFUSED;
        boolean ended = refused && refusalIsProof.getAsBoolean()
                || (refused || state == State.BROKEN)
                        && running.filter(machine::hasEnded).isPresent();
        return ended || refused ? Optional.of(new Suspect(member.node(), ended, since)) : Optional.empty();
    }

    /** Returns why the crash of this neighbour is noticed later than it could be. May be called by any thread. */
    Optional<Reason> problem() {
        return isConnected() || clock.getAsLong() - since < UNREACHABLE_MILLIS
                ? Optional.empty()
                : Optional.of(Reason.of(ReasonCode.NOT_WATCHED, member.instanceId(), process.endpoint()));
    }

    /** Returns empty for a name, which would have to be looked up, and for an address that means this machine but was written on another. */
    private Optional<InetSocketAddress> address() {
        return ForeignText.endpoint(process.endpoint())
                .filter(endpoint -> !endpoint.getAddress().isLoopbackAddress()
                        || machine.id().orElse("").equals(process.machine()));
    }

    /** Returns the name of the process that has greeted, if this machine shows it by the pid and start time of its record. */
    private Optional<String> running() {
        boolean here = machine.id().filter(process.machine()::equals).isPresent();
        return here ? machine.process(process.pid()).filter(process.processName()::equals) : Optional.empty();
    }

    private void connect() {
        Optional<InetSocketAddress> address = address();
        if (closed || address.isEmpty()) {
            return;
        }
        try {
            Connection next = new Connection(AsynchronousSocketChannel.open(thread.channels));
            connection = Optional.of(next);
            next.connect(address.get(), Conversation.GREETING + process.runtimeId() + "\n");
        } catch (IOException | RuntimeException e) {
            LOG.debug("No connection is possible", e);
            retry(false);
        }
    }

    private void retry(boolean isRefused) {
        if (isRefused && state == State.BROKEN) {
            state = State.REFUSED;
        }
        thread.executor.schedule(this::connect, delay, TimeUnit.MILLISECONDS);
        delay = Math.min(2 * delay, LAST_RETRY_MILLIS);
        onChange.run();
    }

    void close() {
        closed = true;
        connection.ifPresent(each -> each.end(""));
    }

    private final class Connection extends Conversation {
        private final long start = clock.getAsLong();
        private boolean greeted;

        Connection(AsynchronousSocketChannel channel) {
            super(channel);
        }

        @Override
        void received(String text) {
            if (text.equals(SAME)) {
                greeted = true;
                enter(State.GREETED);
                running = running();
                LOG.info("Watches {} at {}", member.instanceId(), process.endpoint());
                onChange.run();
            } else if (text.equals(SAME + BYE)) {
                end("");
                enter(State.UNKNOWN);
                retry(false);
            } else if (text.equals(OTHER)) {
                end("");
                retry(true);
            } else if (!(SAME + BYE).startsWith(text) && !OTHER.startsWith(text)) {
                failed(new IOException("the reply is not that of a neighbour"), null);
            }
        }

        @Override
        void lost(Throwable why) {
            LOG.debug("{}", process.endpoint(), why);
            if (greeted) {
                LOG.info("The connection to {} ended without a goodbye: {}", member.instanceId(), why.toString());
                enter(State.BROKEN);
            }
            retry(!greeted && why instanceof ConnectException && clock.getAsLong() - start < REFUSAL_MILLIS);
        }
    }
}
