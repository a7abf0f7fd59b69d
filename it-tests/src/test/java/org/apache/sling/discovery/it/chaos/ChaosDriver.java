// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.it.chaos;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.sling.discovery.TopologyEvent;
import org.apache.sling.discovery.it.chaos.Recording.Disturbance;
import org.apache.sling.discovery.it.chaos.Recording.Window;
import org.awaitility.core.ConditionTimeoutException;

/** Runs a fleet, disturbs it round by round, and records the disturbances with their times. */
final class ChaosDriver implements AutoCloseable {

    /** Longer than a lease: an instance that is settled for that time without events will have no further events. */
    private static final Duration CALM = Duration.ofMillis(NodeSettings.LONGEST_SESSION_MILLIS * 2 / 3 + 100);

    private final Fleet fleet;
    private final Path windows;
    private int views;
    private Duration recovery = Duration.ZERO;

    private ChaosDriver(Fleet fleet, long begin) throws Exception {
        this.fleet = fleet;
        this.windows = fleet.recordings().resolve(Recording.WINDOWS);
        settle(List.of(), "start", "the start", begin, System.nanoTime());
    }

    /** Starts a fleet below a folder, and waits until it is settled. */
    static ChaosDriver start(Path folder, int size) throws Exception {
        long begin = System.nanoTime();
        return new ChaosDriver(Fleet.start(folder, size), begin);
    }

    /** Starts a fleet with a container for each of these settings, and waits until it is settled. */
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
        List<Fault> faults =
                drawn.stream().sorted(Comparator.comparing(Fault::isOfServers)).toList();
        long begin = System.nanoTime();
        List<Fault.End> ends = new ArrayList<>();
        try {
            for (Fault fault : faults) {
                ends.add(fault.begin(fleet));
            }
            Limits.pass(faults.stream()
                    .map(Fault::hold)
                    .max(Comparator.naturalOrder())
                    .orElse(Duration.ZERO));
            Collections.reverse(ends);
            for (Fault.End end : ends) {
                end.run();
            }
        } catch (ConditionTimeoutException e) {
            window(faults, kind(faults), faults + ": " + e.getMessage(), begin, System.nanoTime(), Recording.NEVER);
            return false;
        }
        return settle(faults, kind(faults), faults.toString(), begin, System.nanoTime());
    }

    private static String kind(List<Fault> faults) {
        return faults.stream().map(Fault::kind).sorted().collect(Collectors.joining(Disturbance.AND));
    }

    private boolean settle(List<Fault> faults, String kind, String text, long begin, long ended) throws Exception {
        try {
            long settled = fleet.awaitCalm(CALM);
            recovery = Duration.ofNanos(Math.max(0, settled - ended));
            window(faults, kind, text, begin, ended, settled);
            views = fleet.tree().record();
            return true;
        } catch (ConditionTimeoutException e) {
            window(faults, kind, text, begin, ended, Recording.NEVER);
            return false;
        }
    }

    /** Records a window; one without faults may have any consequence. */
    private void window(List<Fault> faults, String kind, String text, long begin, long ended, long settled) {
        Stream<TopologyEvent.Type> types =
                faults.isEmpty() ? Fault.ANY.stream() : faults.stream().flatMap(fault -> fault.mayCause().stream());
        Window window = new Window(
                begin,
                ended,
                settled,
                settled == Recording.NEVER ? settled : System.nanoTime(),
                new Disturbance(
                        kind,
                        types.distinct().sorted().toList(),
                        faults.stream().anyMatch(Fault::isForeign),
                        text.replaceAll("\\s+", " ")));
        try {
            Files.writeString(windows, Line.text(window) + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Stops everything, and returns the recording. */
    Recording finish() throws Exception {
        try {
            long begin = System.nanoTime();
            fleet.nodes().forEach(Node::stopNow);
            long end = System.nanoTime();
            window(List.of(), "end", "the end", begin, end, end);
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
