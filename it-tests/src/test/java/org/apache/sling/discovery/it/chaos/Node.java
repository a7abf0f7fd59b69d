// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.it.chaos;

import static org.apache.sling.discovery.it.chaos.Limits.awaitThat;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.apache.sling.discovery.it.chaos.Recording.Entered;
import org.apache.sling.discovery.it.chaos.Recording.Received;
import org.apache.sling.discovery.it.chaos.Recording.Returned;
import org.apache.sling.discovery.launcher.ContainerProcess;
import org.apache.sling.discovery.launcher.ContainerSettings;
import org.apache.sling.discovery.launcher.Distribution;
import org.apache.sling.discovery.launcher.LaunchException;
import org.apache.sling.discovery.launcher.Ports;
import org.apache.sling.discovery.testing.server.TcpProxy;

/** A container, its proxies to the servers, and what it has recorded so far. Not safe for use by several threads. */
final class Node implements AutoCloseable {

    private static final AtomicInteger STARTED = new AtomicInteger();

    private final String name;
    private final NodeSettings settings;
    private final Path folder;
    private final Path recordings;
    private final Path recorder;
    private final Distribution distribution;
    private final Ensemble ensemble;
    private final List<TcpProxy> links = new ArrayList<>();
    private ContainerProcess container;
    private String process;
    private long read;
    private Received last;
    private boolean returned;
    private String state;
    private int asked;
    private int done;

    /**
     * Makes a node that is not running yet.
     *
     * @param name its instance id
     * @param settings its settings
     * @param folder the folder of the container
     * @param recordings the folder of its recording
     * @param recorder the bundle that records
     * @param distribution the distribution that it runs
     * @param ensemble the servers
     */
    Node(
            String name,
            NodeSettings settings,
            Path folder,
            Path recordings,
            Path recorder,
            Distribution distribution,
            Ensemble ensemble) {
        this.name = name;
        this.settings = settings;
        this.folder = folder;
        this.recordings = recordings;
        this.recorder = recorder;
        this.distribution = distribution;
        this.ensemble = ensemble;
        ensemble.servers().forEach(server -> links.add(new TcpProxy(server.clientPort())));
    }

    /** Makes another node with the same instance id, in its own folder. */
    Node copy(Path elsewhere) {
        return new Node(name, settings, elsewhere, recordings, recorder, distribution, ensemble);
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
        return List.copyOf(links);
    }

    boolean isRunning() {
        return container != null && container.isAlive();
    }

    /** Starts a process; returns before it has joined. */
    void start() throws LaunchException {
        String servers = links.stream().map(link -> "127.0.0.1:" + link.port()).collect(Collectors.joining(","));
        // In a long run the machine may reuse a process id.
        process = name + "-" + STARTED.incrementAndGet();
        container = ContainerProcess.start(
                distribution,
                ContainerSettings.of(folder, Ports.free(), servers)
                        .withDiscovery("sessionTimeoutMillis", settings.sessionTimeoutMillis())
                        .withDiscovery("settleTimeoutMillis", (long) settings.settleMillis())
                        .withDiscovery("suspendedPolicy", settings.suspendedPolicy())
                        .withFrameworkProperty("org.apache.sling.discovery.instanceId", name)
                        .withFrameworkProperty("chaos.clock.rate", Double.toString(settings.clockRate()))
                        .withFrameworkProperty("chaos.settings", settings.toString())
                        .withFrameworkProperty("chaos.process", process)
                        .withFrameworkProperty("chaos.folder", recordings.toString())
                        .withBundle(recorder));
        read = 0;
        last = null;
        returned = false;
        state = "";
        asked = 0;
        done = 0;
    }

    /** Sends a command to the process; see {@code Commands} of the recorder. */
    void command(String text) throws IOException {
        asked++;
        Files.writeString(
                recordings.resolve(process() + ".commands"),
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

    /** Waits until discovery in the process is in a state. */
    void awaitState(String wanted) {
        awaitThat(process() + " is " + wanted, () -> {
            readOn();
            return state.equals(wanted);
        });
    }

    /** Kills the process, and waits until it does not exist any more. */
    void kill() {
        container.kill();
        container.onExit().join();
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

    /** Makes its listener take the given number of milliseconds to return from CHANGING, or {@code hang}. */
    void slow(String how) throws IOException {
        Files.writeString(control(), how);
    }

    /** Lets its listener return at once. */
    void release() throws IOException {
        Files.deleteIfExists(control());
    }

    private Path control() {
        return recordings.resolve(name + ".control");
    }

    /** Returns the last event, if its listener has returned from it and it was not CHANGING. */
    Optional<Received> settledIn() {
        readOn();
        return Optional.ofNullable(last).filter(received -> returned && !received.isChanging());
    }

    /** Returns what the process has recorded last, for a test that failed. */
    String describe() {
        readOn();
        String event = last == null ? "no event" : last.type() + " of view " + last.view() + " with " + last.ids();
        return process() + (isRunning() ? " runs" : " does not run") + ", is " + state + ", last had " + event
                + (returned ? "" : ", from which its listener has not returned");
    }

    /** Returns the last event of its listener. */
    Optional<Received> last() {
        readOn();
        return Optional.ofNullable(last);
    }

    private void readOn() {
        Path file = recordings.resolve(process() + ".tsv");
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
            whole.lines().map(Line::of).forEach(this::take);
        } catch (IOException e) {
            throw new IllegalStateException("cannot read " + file, e);
        }
    }

    private void take(Line line) {
        Line values = line.after(process());
        switch (line.kind()) {
            case "enter" -> {
                Received call = values.as(Received.class);
                if (call.by().isMain()) {
                    last = call;
                    returned = false;
                }
            }
            case "return" -> returned |= values.as(Returned.class).by().isMain();
            case "state" -> state = values.as(Entered.class).name();
            case "did" -> done++;
            default -> {}
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
