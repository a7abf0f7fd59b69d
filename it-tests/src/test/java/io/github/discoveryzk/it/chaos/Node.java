// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.it.chaos;

import static io.github.discoveryzk.it.outside.Limit.awaitThat;

import io.github.discoveryzk.it.chaos.recorder.Entry.Done;
import io.github.discoveryzk.it.chaos.recorder.Entry.Entered;
import io.github.discoveryzk.it.chaos.recorder.Entry.Measured;
import io.github.discoveryzk.it.chaos.recorder.Entry.Received;
import io.github.discoveryzk.it.chaos.recorder.Entry.Returned;
import io.github.discoveryzk.it.chaos.recorder.Entry.Worked;
import io.github.discoveryzk.it.chaos.recorder.Line;
import io.github.discoveryzk.launcher.ContainerProcess;
import io.github.discoveryzk.launcher.ContainerSettings;
import io.github.discoveryzk.launcher.Distribution;
import io.github.discoveryzk.launcher.LaunchException;
import io.github.discoveryzk.launcher.Ports;
import io.github.discoveryzk.testing.server.TcpProxy;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;

/** A container, its proxies to the servers, and what it has recorded so far. Not safe for use by several threads. */
final class Node implements AutoCloseable {

    private static final AtomicInteger STARTED = new AtomicInteger();

    private final String name;
    private final NodeSettings settings;
    private final Path folder;
    private final Distribution distribution;
    private final Run run;
    private final List<TcpProxy> links;

    private ContainerProcess container;
    private String process;
    private long read;
    private Received last;
    private int changes;
    private boolean returned;
    private int keys;
    private String state;
    private final Map<String, Long> measured = new TreeMap<>();
    private int asked;
    private int done;

    /**
     * What all nodes of a run share.
     *
     * @param recordings the folder of all recordings
     * @param recorder the bundle that records
     * @param ensemble the servers
     */
    record Run(Path recordings, Path recorder, Ensemble ensemble) {}

    /** Makes a node that is not running yet; its name is its instance id, its container lives in the folder. */
    Node(String name, NodeSettings settings, Path folder, Distribution distribution, Run run) {
        this.name = name;
        this.settings = settings;
        this.folder = folder;
        this.distribution = distribution;
        this.run = run;
        this.links = run.ensemble().servers().stream()
                .map(server -> new TcpProxy(server.clientPort()))
                .toList();
    }

    /** Makes another node with the same instance id, in its own folder. */
    Node copy(Path elsewhere) {
        return new Node(name, settings, elsewhere, distribution, run);
    }

    /** Its instance id. */
    String name() {
        return name;
    }

    /** Returns the name of its present process in recordings. */
    String process() {
        return process;
    }

    ContainerProcess container() {
        return container;
    }

    /** Returns the proxies to the servers, in the order of the servers. */
    List<TcpProxy> links() {
        return links;
    }

    boolean isRunning() {
        return container != null && container.isAlive();
    }

    /** Starts a process; returns before it has joined. */
    void start() throws LaunchException {
        String servers = links.stream().map(TcpProxy::address).collect(Collectors.joining(","));
        // In a long run the machine may reuse a process id.
        process = name + "-" + STARTED.incrementAndGet();
        container = ContainerProcess.start(
                distribution,
                ContainerSettings.of(folder, Ports.free(), servers)
                        .withDiscovery("sessionTimeoutMillis", settings.sessionTimeoutMillis())
                        .withInstance("settleTimeoutMillis", (long) settings.settleMillis())
                        .withInstance("suspendedPolicy", settings.suspendedPolicy())
                        .withFrameworkProperty("io.github.discoveryzk.instanceId", name)
                        .withFrameworkProperty("chaos.clock.rate", Double.toString(settings.clockRate()))
                        .withFrameworkProperty("chaos.session", Integer.toString(settings.sessionTimeoutMillis()))
                        .withFrameworkProperty("chaos.settle", Integer.toString(settings.settleMillis()))
                        .withFrameworkProperty("chaos.balance", Long.toString(settings.balanceDelayMillis()))
                        .withFrameworkProperty("chaos.process", process)
                        .withFrameworkProperty("chaos.folder", run.recordings().toString())
                        .withBundle(run.recorder()));
        read = 0;
        last = null;
        keys = 0;
        returned = false;
        state = "";
        asked = 0;
        done = 0;
    }

    /** Sends a command to the process; see {@code Commands} of the recorder. */
    void command(String text) throws IOException {
        asked++;
        Files.writeString(
                run.recordings().resolve(process + ".commands"),
                text + "\n",
                StandardOpenOption.CREATE,
                StandardOpenOption.APPEND);
    }

    /** Waits until the process has executed all commands. */
    void awaitDone() {
        awaitThat(name + " has executed its commands", () -> {
            readOn();
            return done == asked;
        });
    }

    /** Waits until a controller may stop the next container. */
    void awaitReady() throws IOException {
        command("ready");
        awaitDone();
    }

    /** Makes its listener take that long to return from CHANGING; zero lets it return immediately. */
    void slow(Duration each) throws IOException {
        command("slow " + each.toMillis());
        awaitDone();
    }

    /** Waits until discovery in the process is in a state. */
    void awaitState(String wanted) {
        awaitThat(process + " is " + wanted, () -> {
            readOn();
            return state.equals(wanted);
        });
    }

    /** Kills the process, and waits until it no longer exists. */
    void kill() {
        container.kill();
        awaitEnd();
    }

    /** Stops the process; does not wait. */
    void stop() {
        container.stop();
    }

    /** Stops the process and waits for it; kills it when that takes too long. */
    void stopNow() {
        container.close();
    }

    /** Waits until the process has ended. */
    void awaitEnd() {
        container.onExit().join();
    }

    Pause pause() throws IOException {
        return Pause.of(container.pid());
    }

    /** Returns the last event, if its listener has returned from it and it was not CHANGING. */
    Optional<Received> settledIn() {
        return last().filter(received -> returned && !received.isChanging());
    }

    /** Returns the last event of its listener. */
    Optional<Received> last() {
        readOn();
        return Optional.ofNullable(last);
    }

    /** Returns on how many keys its process has worked last. */
    int keys() {
        readOn();
        return keys;
    }

    /** Returns how often its listener has received CHANGING. */
    int changes() {
        readOn();
        return changes;
    }

    /** Returns what was measured last in its process, after the command {@code measure}. */
    Map<String, Long> measured() {
        readOn();
        return Map.copyOf(measured);
    }

    /** Returns what the process has recorded last, for a test that failed. */
    String describe() {
        readOn();
        String event = last == null ? "no event" : last.type() + " of view " + last.view() + " with " + last.ids();
        return process + (isRunning() ? " runs" : " does not run") + ", is " + state + ", last had " + event
                + (returned ? "" : ", from which its listener has not returned");
    }

    private void readOn() {
        Path file = run.recordings().resolve(process + ".log");
        if (!Files.exists(file)) {
            return;
        }
        try (RandomAccessFile content = new RandomAccessFile(file.toFile(), "r")) {
            byte[] bytes = new byte[(int) (content.length() - read)];
            content.seek(read);
            content.readFully(bytes);
            String text = new String(bytes, StandardCharsets.UTF_8);
            String whole = text.substring(0, text.lastIndexOf('\n') + 1);
            read += whole.getBytes(StandardCharsets.UTF_8).length;
            whole.lines().map(Line::read).forEach(this::take);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void take(Record entry) {
        if (entry instanceof Received call && call.by().isMain()) {
            last = call;
            changes += call.isChanging() ? 1 : 0;
            returned = false;
        } else if (entry instanceof Returned call) {
            returned |= call.by().isMain();
        } else if (entry instanceof Entered entered) {
            state = entered.name();
        } else if (entry instanceof Worked worked) {
            keys = worked.keys().size();
        } else if (entry instanceof Done) {
            done++;
        } else if (entry instanceof Measured value) {
            measured.put(value.what(), value.value());
        }
    }

    @Override
    public void close() {
        if (container != null) {
            container.close();
        }
        links.forEach(TcpProxy::close);
    }
}
