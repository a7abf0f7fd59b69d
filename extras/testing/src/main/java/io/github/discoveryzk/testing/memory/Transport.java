// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.testing.memory;

import io.github.discoveryzk.testing.time.VirtualProcess;
import java.util.Random;

/** The messages between one virtual process and a {@link MemoryEnsemble}: they take random times and stay in order. */
final class Transport {
    private final MemoryEnsemble ensemble;
    private final VirtualProcess process;
    private final Random random;
    private final int latencyMillis;
    private int connection;
    private long lastUp;
    private long lastDown;

    Transport(MemoryEnsemble ensemble, VirtualProcess process, Random random, int latencyMillis) {
        this.ensemble = ensemble;
        this.process = process;
        this.random = random;
        this.latencyMillis = latencyMillis;
    }

    /** Returns the number of the connection; what was sent down on an earlier one is lost. */
    int connection() {
        return connection;
    }

    void nextConnection() {
        connection++;
    }

    /** Delays all further messages, in order, without losing the connection. */
    void stall(long upMillis, long downMillis) {
        lastUp = Math.max(lastUp, ensemble.time.now() + upMillis);
        lastDown = Math.max(lastDown, ensemble.time.now() + downMillis);
    }

    /** Sends to the servers. A message in transit during a cut may still arrive. */
    void up(Runnable action) {
        int sentOn = connection;
        int sentTo = ensemble.restores();
        lastUp = Math.max(lastUp, ensemble.time.now() + latency());
        ensemble.time.after(lastUp - ensemble.time.now(), () -> {
            if (sentTo == ensemble.restores() && (sentOn == connection || random.nextBoolean())) {
                action.run();
            }
        });
    }

    /** Sends to the process, in order, once its server has caught up. */
    void down(long behindMillis, Runnable action) {
        int sentOn = connection;
        ensemble.time.after(behindMillis, () -> {
            lastDown = Math.max(lastDown, ensemble.time.now() + latency());
            process.after(lastDown - ensemble.time.now(), () -> {
                if (sentOn == connection) {
                    action.run();
                }
            });
        });
    }

    long latency() {
        return 1L + random.nextInt(latencyMillis);
    }
}
