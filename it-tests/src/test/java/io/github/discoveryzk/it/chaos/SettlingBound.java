// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.it.chaos;

import io.github.discoveryzk.it.chaos.Recording.Rest;
import io.github.discoveryzk.it.chaos.recorder.Entry;
import io.github.discoveryzk.it.chaos.recorder.Entry.Received;
import io.github.discoveryzk.it.chaos.recorder.Entry.Started;
import io.github.discoveryzk.it.chaos.recorder.Entry.Window;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * How long an instance may take to be settled once everything is calm: the longest session timeout and settle timeout of all
 * processes, and the times defined here. The only definition of this bound.
 *
 * @param sessionTimeoutMillis the longest session timeout
 * @param settleMillis the longest settle timeout, which is never used below the longest session timeout
 */
record SettlingBound(long sessionTimeoutMillis, long settleMillis) {

    /** The slowest allowed clock, relative to the clock of the machine. */
    private static final double SLOWEST = 1 / NodeSettings.MIN_RATE;

    /** Servers end sessions on their ticks only. */
    private static final long TICK_MILLIS = Ensemble.TICK_MILLIS;

    /** ZooKeeper's client waits up to a second before it tries the next server. */
    private static final long RECONNECT_MILLIS = 1_000;

    /** The next candidate does the coordinator's work a second later when the one before it does not. */
    private static final long STEP_IN_MILLIS = 1_000;

    static SettlingBound of(Recording recording) {
        List<Started> starts = recording.all(Started.class);
        long session =
                starts.stream().mapToLong(Started::sessionTimeoutMillis).max().orElse(NodeSettings.SESSION_MILLIS);
        long settle = starts.stream().mapToLong(Started::settleMillis).max().orElse(NodeSettings.SETTLE_MILLIS);
        return new SettlingBound(session, Math.max(session, settle));
    }

    /**
     * The time until a member was settled for good after a disturbance.
     *
     * @param nanos the time since everything was calm
     * @param standstill for how many nanoseconds of them processes did not run although the test had not paused them
     */
    record Settling(Window window, String process, long nanos, long standstill) {}

    /** Returns the settling times, for each window that has ended and each member of its last view. */
    static List<Settling> settlings(Recording recording) {
        return recording.all(Window.class).stream()
                .filter(window -> window.settled() != Entry.NEVER)
                .flatMap(window -> settlings(window, recording))
                .toList();
    }

    private static Stream<Settling> settlings(Window window, Recording recording) {
        long calm = calm(window, recording);
        Map<String, Received> settled = new HashMap<>();
        Received newest = null;
        for (Received call : recording.calls()) {
            if (call.by().isMain() && call.call().settles() && call.entered() <= window.settled()) {
                settled.put(call.by().process(), call);
                newest = newest == null || call.view() >= newest.view() ? call : newest;
            }
        }
        List<String> members = newest == null ? List.of() : newest.processes();
        return members.stream()
                .map(settled::get)
                .filter(Objects::nonNull)
                .map(call -> new Settling(
                        window,
                        call.by().process(),
                        Math.max(0, call.entered() - calm),
                        recording.standstill(calm, call.entered())));
    }

    /** Returns when the last fault had ended, all processes had been started, and none was in quarantine. */
    private static long calm(Window window, Recording recording) {
        return Stream.of(
                        Stream.of(window.ended()),
                        recording.all(Started.class).stream().map(Started::at),
                        recording.all(Rest.class).stream().map(Rest::to))
                .flatMap(times -> times)
                .filter(time -> window.begin() <= time && time <= window.settled())
                .max(Long::compare)
                .orElse(window.ended());
    }

    /** Returns how long an attempt to reach one of several servers may last. */
    private long attemptMillis() {
        return sessionTimeoutMillis / Ensemble.SIZE;
    }

    long nanos() {
        double millis = (sessionTimeoutMillis + settleMillis) * SLOWEST
                + TICK_MILLIS
                + RECONNECT_MILLIS
                + attemptMillis()
                + STEP_IN_MILLIS;
        return TimeUnit.MILLISECONDS.toNanos((long) millis);
    }

    @Override
    public String toString() {
        return TimeUnit.NANOSECONDS.toMillis(nanos()) + " ms for session timeout " + sessionTimeoutMillis
                + " and settle timeout " + settleMillis;
    }
}
