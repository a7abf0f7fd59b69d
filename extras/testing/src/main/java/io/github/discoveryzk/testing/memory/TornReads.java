// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.testing.memory;

import io.github.discoveryzk.model.StoreSnapshot;
import io.github.discoveryzk.testing.time.VirtualTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Reads of a store that is only notified of changes: several changes may be coalesced, and the view, read a while after the members,
 * may be newer than they are. Replies wait until earlier changes have been read.
 */
final class TornReads {
    private final Transport transport;
    private final VirtualTime time;
    private final Random random;
    private final Supplier<StoreSnapshot> members;
    private final Consumer<StoreSnapshot> view;
    private final List<Runnable> waiting = new ArrayList<>();
    private int longestMillis;
    private boolean reading;
    private boolean stale;

    /**
     * Creates one that is not used.
     *
     * @param members reads all
     * @param view reads the view and shows it with what was read before
     */
    TornReads(
            Transport transport,
            VirtualTime time,
            Random random,
            Supplier<StoreSnapshot> members,
            Consumer<StoreSnapshot> view) {
        this.transport = transport;
        this.time = time;
        this.random = random;
        this.members = members;
        this.view = view;
    }

    /** Uses them from now on, each part in at most that time. */
    void use(int millis) {
        longestMillis = millis;
    }

    boolean areUsed() {
        return longestMillis > 0;
    }

    /** Discards what is in progress: the connection is lost. */
    void clear() {
        reading = false;
        waiting.clear();
    }

    /** Runs a reply when earlier changes are read. */
    void then(Runnable reply) {
        if (reading) {
            waiting.add(reply);
        } else {
            reply.run();
        }
    }

    void read() {
        stale = reading;
        if (!reading) {
            reading = true;
            after(1 + random.nextInt(longestMillis), this::readMembers);
        }
    }

    private void readMembers() {
        stale = false;
        StoreSnapshot read = members.get();
        after(random.nextInt(longestMillis), () -> readView(read));
    }

    private void readView(StoreSnapshot read) {
        view.accept(read);
        reading = false;
        List<Runnable> replies = List.copyOf(waiting);
        waiting.clear();
        replies.forEach(Runnable::run);
        if (stale) {
            read();
        }
    }

    private void after(long millis, Runnable step) {
        int sentOn = transport.connection();
        time.after(millis, () -> {
            if (sentOn == transport.connection()) {
                step.run();
            }
        });
    }
}
