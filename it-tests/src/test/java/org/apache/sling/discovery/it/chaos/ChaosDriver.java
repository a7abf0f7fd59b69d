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
import org.awaitility.core.ConditionTimeoutException;

/** Runs a fleet, disturbs it round by round, and writes down what it did and when. */
final class ChaosDriver implements AutoCloseable {

    /** Longer than a lease: who is settled for so long and hears nothing has nothing left to hear of. */
    private static final Duration CALM = Duration.ofMillis(Fleet.SESSION_MILLIS * 2 / 3 + 100);

    private final Fleet fleet;
    private final ChainRecorder chain;
    private final Path windows;
    private int views;

    private ChaosDriver(Fleet fleet, long begin) throws Exception {
        this.fleet = fleet;
        this.chain = new ChainRecorder(fleet.ensemble().connectString(), fleet.recordings());
        this.windows = fleet.recordings().resolve(RecordingReader.WINDOWS);
        settle("start", "the start", begin, System.nanoTime(), false);
    }

    /** Starts a fleet below a folder, and waits until it is settled. */
    static ChaosDriver start(Path folder, int size) throws Exception {
        long begin = System.nanoTime();
        return new ChaosDriver(Fleet.start(folder, size), begin);
    }

    Fleet fleet() {
        return fleet;
    }

    /** How many views there have been. */
    int views() {
        return views;
    }

    /** Disturbs, ends that, and waits until all are settled and nothing more comes. Returns whether they were in time. */
    boolean round(List<Fault> faults) throws Exception {
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
            window(kind(faults), faults + ": " + e.getMessage(), begin, System.nanoTime(), Recording.NEVER, false);
            return false;
        }
        return settle(
                kind(faults),
                faults.toString(),
                begin,
                System.nanoTime(),
                faults.stream().allMatch(Fault::isHarmless));
    }

    private static String kind(List<Fault> faults) {
        return faults.stream().map(Fault::kind).sorted().collect(Collectors.joining(" + "));
    }

    private boolean settle(String kind, String text, long begin, long ended, boolean harmless) throws Exception {
        try {
            window(kind, text, begin, ended, fleet.awaitCalm(CALM), harmless);
            views = chain.record();
            return true;
        } catch (ConditionTimeoutException e) {
            window(kind, text, begin, ended, Recording.NEVER, harmless);
            return false;
        }
    }

    private void window(String kind, String text, long begin, long ended, long settled, boolean harmless) {
        String line = String.join(
                "\t",
                kind,
                Long.toString(begin),
                Long.toString(ended),
                Long.toString(settled),
                Long.toString(settled == Recording.NEVER ? settled : System.nanoTime()),
                Boolean.toString(harmless),
                text);
        try {
            Files.writeString(windows, line + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Stops everything, and returns all that was written down. */
    Recording finish() throws Exception {
        try {
            long begin = System.nanoTime();
            fleet.nodes().forEach(Node::stopNow);
            long end = System.nanoTime();
            window("end", "the end", begin, end, end, false);
            chain.record();
        } finally {
            close();
        }
        return RecordingReader.read(fleet.recordings());
    }

    @Override
    public void close() {
        fleet.close();
    }
}
