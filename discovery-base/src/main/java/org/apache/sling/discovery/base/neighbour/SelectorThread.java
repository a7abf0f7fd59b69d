// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.neighbour;

import java.io.IOException;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import org.apache.sling.discovery.base.environment.Time;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one thread of all connections to neighbours, shared by the instances of this process. It ends after the last {@link #release}, when it
 * has run the tasks before it. It calls all methods but these two and {@link #execute}.
 */
@ThreadsAndClocks
final class SelectorThread {

    private static final Logger LOG = LoggerFactory.getLogger(SelectorThread.class);

    private static SelectorThread shared;
    private static int users;

    private final Selector selector = Selector.open();
    private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
    private final PriorityQueue<Timer> timers = new PriorityQueue<>(Comparator.comparingLong(Timer::at));
    private volatile boolean released;

    private SelectorThread() throws IOException {}

    /** What is done with a channel that is ready. */
    interface Ready extends Consumer<SelectionKey> {}

    private record Timer(long at, Runnable task) {}

    static synchronized SelectorThread acquire() throws IOException {
        if (users == 0) {
            shared = new SelectorThread();
            Thread thread = new Thread(shared::run, "discovery-neighbours");
            thread.setDaemon(true);
            thread.setContextClassLoader(SelectorThread.class.getClassLoader());
            thread.start();
        }
        users++;
        return shared;
    }

    static synchronized void release() {
        users--;
        if (users == 0) {
            shared.released = true;
            shared.selector.wakeup();
            shared = null;
        }
    }

    void execute(Runnable task) {
        tasks.add(task);
        selector.wakeup();
    }

    void schedule(long delayMillis, Runnable task) {
        timers.add(new Timer(millis() + delayMillis, task));
    }

    long millis() {
        return Time.SYSTEM.monotonic().getAsLong();
    }

    /** Adds a channel; what is ready is called each time. */
    SelectionKey register(SelectableChannel channel, int operations, Ready ready) throws IOException {
        channel.configureBlocking(false);
        return channel.register(selector, operations, ready);
    }

    private void run() {
        try (selector) {
            while (!released || !tasks.isEmpty()) {
                turn();
            }
        } catch (IOException e) {
            LOG.warn("The connections to neighbours have ended: crashes are noticed after the session timeout", e);
        }
    }

    private void turn() throws IOException {
        long wait =
                timers.isEmpty() ? Long.MAX_VALUE : Math.max(1, timers.peek().at() - millis());
        // A wake-up before this makes it return immediately.
        selector.select(key -> attempt(() -> ((Ready) key.attachment()).accept(key)), wait);
        for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
            attempt(task);
        }
        while (!timers.isEmpty() && timers.peek().at() <= millis()) {
            attempt(timers.poll().task());
        }
    }

    private static void attempt(Runnable task) {
        try {
            task.run();
        } catch (RuntimeException | Error e) { // The other connections must not end with this one.
            LOG.warn("A connection to a neighbour failed", e);
        }
    }
}
