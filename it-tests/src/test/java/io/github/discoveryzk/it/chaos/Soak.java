// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.it.chaos;

import static io.github.discoveryzk.it.outside.Limit.awaitThat;

import io.github.discoveryzk.it.chaos.recorder.Entry.Measured;
import io.github.discoveryzk.it.chaos.recorder.RecordingFile;
import io.github.discoveryzk.it.outside.Limit;
import io.github.discoveryzk.testing.server.TcpProxy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** What happens in a soak, second by second, to a fleet of which all containers but the last one stay. */
final class Soak {

    /** The servers together, as a process. */
    static final String SERVERS = "servers";

    /** The number of containers that stay. */
    static final int STAYING = 3;

    /** In each of these periods a container has other properties, another one other listeners, and a third one no connection. */
    private static final int PERIOD = 12;
    /** Each of these seconds the last container ends or starts. */
    private static final int RESTART = 10;
    /** In one of so many periods the connection is missed for longer than a session. */
    private static final int LONG_CUT = 4;

    private final Fleet fleet;
    private final Consumer<String> progress;
    private final Process visitors;
    private final RecordingFile file;
    private final Map<String, Long> servers = new HashMap<>();
    private int restored = Integer.MAX_VALUE;

    Soak(Fleet fleet, Consumer<String> progress) throws IOException {
        this.fleet = fleet;
        this.progress = progress;
        this.visitors = SoakVisitors.start(fleet);
        this.file = new RecordingFile(fleet.recordings().resolve("servers.log"));
    }

    void run(Duration duration) throws Exception {
        for (Node node : staying()) {
            node.command("measure");
        }
        // Their arrival does not count as growth.
        Path visited = fleet.recordings().resolve(SoakVisitors.PROCESS + ".log");
        awaitThat("visitors come and go", () -> Files.exists(visited) && Files.size(visited) > 0);
        long begin = System.nanoTime();
        for (int second = 1; second <= duration.toSeconds(); second++) {
            long left = begin + Duration.ofSeconds(second).toNanos() - System.nanoTime();
            Limit.pass(Duration.ofNanos(Math.max(0, left)));
            disturb(second);
            if (second % 3 == 0) {
                measure();
            }
            if (second % 10 == 0) {
                fleet.tree().record();
                progress.accept("%4d s  %s".formatted(second, describe()));
            }
            if (!visitors.isAlive()) {
                throw new IllegalStateException("the visitors have ended: see visitors.out beside the recordings");
            }
        }
    }

    private void disturb(int second) throws Exception {
        int period = second / PERIOD;
        switch (second % PERIOD) {
            case 1 -> staying(period).command("properties 4 1000");
            case 4 -> staying(period + 1).command("listeners 6 5 500");
            case 7 -> {
                staying(period + 2).links().forEach(TcpProxy::cut);
                int missing = period % LONG_CUT == LONG_CUT - 1 ? NodeSettings.SESSION_MILLIS / 1_000 + 2 : 1;
                restored = second + missing;
            }
            default -> {}
        }
        if (second >= restored) {
            restore();
        }
        if (second % RESTART == 0) {
            endOrStart(fleet.node(STAYING), second % (4 * RESTART) == RESTART);
        }
    }

    private static void endOrStart(Node node, boolean killed) throws Exception {
        if (!node.isRunning()) {
            node.start();
        } else if (killed) {
            node.kill();
        } else {
            node.stop();
        }
    }

    private void restore() {
        staying().forEach(node -> node.links().forEach(TcpProxy::restore));
        restored = Integer.MAX_VALUE;
    }

    private void measure() throws Exception {
        List<Map<String, Long>> all =
                fleet.ensemble().servers().stream().map(ServerProcess::numbers).toList();
        long kept = fleet.tree().kept();
        record("watches", sum(all, "watch_count"));
        record("connections", sum(all, "num_alive_connections"));
        record("open files", sum(all, "open_file_descriptor_count"));
        record("sessions", max(all, "global_sessions"));
        record("ephemeral znodes", max(all, "ephemerals_count"));
        record("znodes", max(all, "znode_count") - kept);
        record("znodes of the history", kept);
    }

    private static long sum(List<Map<String, Long>> all, String name) {
        return all.stream().mapToLong(one -> one.getOrDefault(name, 0L)).sum();
    }

    private static long max(List<Map<String, Long>> all, String name) {
        return all.stream().mapToLong(one -> one.getOrDefault(name, 0L)).max().orElse(0);
    }

    private void record(String what, long value) {
        servers.put(what, value);
        file.add(new Measured(SERVERS, System.nanoTime(), what, value));
    }

    private String describe() {
        List<String> parts = new ArrayList<>();
        staying().forEach(node -> parts.add(node.name() + " " + node.measured()));
        return String.join("; ", parts) + "; servers " + servers;
    }

    private List<Node> staying() {
        return fleet.nodes().subList(0, STAYING);
    }

    private Node staying(int index) {
        return fleet.node(index % STAYING);
    }

    /** Ends the visitors, and all disturbances. */
    void end() throws Exception {
        visitors.destroy();
        visitors.onExit().join();
        restore();
        Node last = fleet.node(STAYING);
        if (!last.isRunning()) {
            last.start();
        }
        for (Node node : staying()) {
            node.awaitDone();
        }
        file.close();
    }
}
