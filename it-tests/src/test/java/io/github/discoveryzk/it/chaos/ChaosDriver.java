// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.it.chaos;

import io.github.discoveryzk.it.chaos.Fault.Trait;
import io.github.discoveryzk.it.chaos.recorder.Entry;
import io.github.discoveryzk.it.chaos.recorder.Entry.Disturbance;
import io.github.discoveryzk.it.chaos.recorder.Entry.Window;
import io.github.discoveryzk.it.chaos.recorder.RecordingFile;
import io.github.discoveryzk.it.outside.Limit;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.stream.Stream;
import org.apache.sling.discovery.TopologyEvent;
import org.awaitility.core.ConditionTimeoutException;

/** Runs a fleet, disturbs it round by round, and records the disturbances with their times. */
final class ChaosDriver implements AutoCloseable {

    /** Longer than a lease: an instance that is settled for that time without events will have no further events. */
    private static final Duration CALM = Duration.ofMillis(NodeSettings.MAX_SESSION_MILLIS * 2 / 3 + 100);

    private final Fleet fleet;
    private final RecordingFile windows;
    private int views;
    private Duration recovery = Duration.ZERO;

    private ChaosDriver(Fleet fleet, long begin) throws Exception {
        this.fleet = fleet;
        this.windows = new RecordingFile(fleet.recordings().resolve("windows.log"));
        settle(List.of(), "start", begin, System.nanoTime());
    }

    /** Starts a fleet, and waits until it is settled. */
    static ChaosDriver start(Class<?> test, int size) throws Exception {
        return start(Fleet.folder(test), Collections.nCopies(size, NodeSettings.PLAIN));
    }

    /** Starts a fleet with a container for each of these settings below a folder, and waits until it is settled. */
    static ChaosDriver start(Path folder, List<NodeSettings> settings) throws Exception {
        long begin = System.nanoTime();
        return new ChaosDriver(Fleet.start(folder, settings), begin);
    }

    Fleet fleet() {
        return fleet;
    }

    /** Returns how many views there have been. */
    int views() {
        return views;
    }

    /** Returns how long it took after the end of the last disturbance until all were settled for good. */
    Duration recovery() {
        return recovery;
    }

    /**
     * Begins and ends a disturbance, and waits until all are settled without further events. Returns whether they were in time.
     */
    boolean round(List<Fault> drawn) throws Exception {
        // A fault that changes the tree needs servers at its begin and at its end.
        List<Fault> faults = drawn.stream()
                .sorted(Comparator.comparing(fault -> fault.is(Trait.OF_SERVERS)))
                .toList();
        long begin = System.nanoTime();
        Deque<Fault.End> ends = new ArrayDeque<>();
        try {
            for (Fault fault : faults) {
                ends.push(fault.begin().in(fleet));
            }
            Limit.pass(faults.stream()
                    .map(Fault::hold)
                    .max(Comparator.naturalOrder())
                    .orElse(Duration.ZERO));
            for (Fault.End end : ends) {
                end.run();
            }
        } catch (ConditionTimeoutException e) {
            window(faults, faults + ": " + e.getMessage(), begin, System.nanoTime(), Entry.NEVER);
            return false;
        }
        return settle(faults, faults.toString(), begin, System.nanoTime());
    }

    private boolean settle(List<Fault> faults, String text, long begin, long ended) throws Exception {
        try {
            long settled = fleet.awaitCalm(CALM);
            recovery = Duration.ofNanos(Math.max(0, settled - ended));
            window(faults, text, begin, ended, settled);
            views = fleet.tree().record();
            return true;
        } catch (ConditionTimeoutException e) {
            window(faults, text, begin, ended, Entry.NEVER);
            return false;
        }
    }

    /** Records a window; one without faults may have any consequence. */
    private void window(List<Fault> faults, String text, long begin, long ended, long settled) {
        Stream<TopologyEvent.Type> types =
                faults.isEmpty() ? Fault.ANY.stream() : faults.stream().flatMap(fault -> fault.mayCause().stream());
        windows.add(new Window(
                begin,
                ended,
                settled,
                settled == Entry.NEVER ? settled : System.nanoTime(),
                new Disturbance(
                        faults.stream().map(Fault::kind).sorted().toList(),
                        types.distinct().sorted().toList(),
                        faults.stream().anyMatch(fault -> fault.is(Trait.FOREIGN)),
                        text)));
    }

    /** Stops everything, and returns the recording. */
    Recording finish() throws Exception {
        try {
            long begin = System.nanoTime();
            fleet.nodes().forEach(Node::stopNow);
            long end = System.nanoTime();
            window(List.of(), "end", begin, end, end);
            fleet.tree().record();
        } finally {
            close();
        }
        return Recording.read(fleet.recordings());
    }

    @Override
    public void close() {
        fleet.close();
    }
}
