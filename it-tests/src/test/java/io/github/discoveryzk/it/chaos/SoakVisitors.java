// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.it.chaos;

import io.github.discoveryzk.it.chaos.recorder.Entry.Failure;
import io.github.discoveryzk.it.chaos.recorder.Entry.Measured;
import io.github.discoveryzk.it.chaos.recorder.Measurement;
import io.github.discoveryzk.it.chaos.recorder.RecordingFile;
import io.github.discoveryzk.it.cluster.PlainInstance;
import io.github.discoveryzk.zk.ZooKeeperStoreConfig;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Pattern;

/**
 * The main class of a process of a soak in which an instance joins or leaves each second, each with a new id. It ends with its parent
 * process, however that ends.
 */
public final class SoakVisitors {

    static final String PROCESS = "visitors";
    static final String COUNT = "joins and leaves";

    private static final int PRESENT = 3;
    private static final long MEASURED_TICKS = Measurement.PERIOD_MILLIS / 1_000;
    private static final Pattern GRAMMAR = Pattern.compile(
            "(TOPOLOGY_INIT (PROPERTIES_CHANGED |TOPOLOGY_CHANGING TOPOLOGY_CHANGED )*(TOPOLOGY_CHANGING )?)?");

    private final ZooKeeperStoreConfig servers;
    private final RecordingFile file;
    private final Deque<PlainInstance> present = new ArrayDeque<>();

    private SoakVisitors(String connectString, Path recordings) throws IOException {
        servers = ZooKeeperStoreConfig.of(connectString).withSessionTimeout(NodeSettings.SESSION_MILLIS);
        file = new RecordingFile(recordings.resolve(PROCESS + ".log"));
    }

    /** Starts the process, whose output goes to a file beside the recordings. */
    static Process start(Fleet fleet) throws IOException {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx256m",
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-Dorg.slf4j.simpleLogger.defaultLogLevel=warn",
                        "-cp",
                        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                        SoakVisitors.class.getName(),
                        fleet.ensemble().connectString(),
                        fleet.recordings().toString())
                .redirectErrorStream(true)
                .redirectOutput(
                        fleet.recordings().resolveSibling("visitors.out").toFile())
                .start();
    }

    /**
     * Lets instances join and leave until the process ends.
     *
     * @param arguments the addresses of the servers, and the folder of recordings
     */
    public static void main(String[] arguments) {
        EnsembleServer.endWithParent();
        try {
            new SoakVisitors(arguments[0], Path.of(arguments[1])).run();
        } catch (IOException | RuntimeException e) {
            e.printStackTrace();
        }
        Runtime.getRuntime().halt(1);
    }

    private void run() throws IOException {
        long begin = System.nanoTime();
        for (long tick = 1; ; tick++) {
            if (present.size() <= PRESENT) {
                present.add(join("visitor-" + tick));
            } else {
                leave(present.remove());
            }
            if (tick % MEASURED_TICKS == 0) {
                Measurement.record(PROCESS, file);
                file.add(new Measured(PROCESS, System.nanoTime(), COUNT, tick));
            }
            long next = begin + TimeUnit.SECONDS.toNanos(tick);
            for (long left = next - System.nanoTime(); left > 0; left = next - System.nanoTime()) {
                LockSupport.parkNanos(left);
            }
        }
    }

    private PlainInstance join(String id) {
        PlainInstance visitor = new PlainInstance(id, servers);
        visitor.start();
        return visitor;
    }

    private void leave(PlainInstance visitor) {
        visitor.close();
        StringBuilder events = new StringBuilder();
        visitor.types().forEach(type -> events.append(type).append(' '));
        if (!GRAMMAR.matcher(events).matches()) {
            file.add(new Failure(PROCESS, System.nanoTime(), visitor.id() + " had the events " + events));
        }
    }
}
