// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.it.chaos;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.apache.sling.discovery.it.chaos.Recording.Heard;
import org.apache.sling.discovery.launcher.ContainerProcess;
import org.apache.sling.discovery.launcher.ContainerSettings;
import org.apache.sling.discovery.launcher.Distribution;
import org.apache.sling.discovery.launcher.LaunchException;
import org.apache.sling.discovery.launcher.Ports;

/** A container, its proxies to the servers, and what it has recorded so far. Not safe for use by several threads. */
final class Node implements AutoCloseable {

    private final String name;
    private final Path folder;
    private final Path recordings;
    private final Path recorder;
    private final Distribution distribution;
    private final List<TcpProxy> links = new ArrayList<>();
    private ContainerProcess container;
    private long read;
    private Heard last;
    private boolean returned;

    Node(String name, Path folder, Path recordings, Path recorder, Distribution distribution, Ensemble ensemble) {
        this.name = name;
        this.folder = folder;
        this.recordings = recordings;
        this.recorder = recorder;
        this.distribution = distribution;
        ensemble.servers().forEach(server -> links.add(new TcpProxy(server.clientPort())));
    }

    /** Its instance id. */
    String name() {
        return name;
    }

    /** The name of its present process in recordings. */
    String process() {
        return name + "-" + container.pid();
    }

    ContainerProcess container() {
        return container;
    }

    /** The ways to the servers, in the order of the servers. */
    List<TcpProxy> links() {
        return List.copyOf(links);
    }

    boolean runs() {
        return container != null && container.isAlive();
    }

    /** Starts a process; returns before it has joined. */
    void start() throws LaunchException {
        String servers = links.stream().map(link -> "127.0.0.1:" + link.port()).collect(Collectors.joining(","));
        container = ContainerProcess.start(
                distribution,
                ContainerSettings.of(folder.resolve(name), Ports.free(), servers)
                        .withDiscovery("sessionTimeoutMillis", Fleet.SESSION_MILLIS)
                        .withDiscovery("settleTimeoutMillis", (long) Fleet.SETTLE_MILLIS)
                        .withFrameworkProperty("org.apache.sling.discovery.instanceId", name)
                        .withFrameworkProperty("chaos.folder", recordings.toString())
                        .withBundle(recorder));
        read = 0;
        last = null;
        returned = false;
    }

    /** Kills the process, and waits until the machine has forgotten it. */
    void kill() {
        container.kill();
        container.onExit().join();
    }

    /** Asks the process to end; does not wait. */
    void stop() {
        container.stop();
    }

    /** Asks the process to end and waits for it; kills it when that takes too long. */
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

    /** From now on its listener takes so many milliseconds to return from CHANGING, or {@code hang}s. */
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

    /** The event that its listener has heard and returned from last, if that was not CHANGING. */
    Optional<Heard> settledIn() {
        readOn();
        return Optional.ofNullable(last)
                .filter(heard -> returned && !heard.type().equals(Heard.CHANGING));
    }

    /** The event that its listener has heard last. */
    Optional<Heard> last() {
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
            whole.lines().map(line -> line.split("\t", -1)).forEach(this::take);
        } catch (IOException e) {
            throw new IllegalStateException("cannot read " + file, e);
        }
    }

    private void take(String[] line) {
        if (line[0].equals("enter")) {
            last = RecordingReader.heard(process(), line);
            returned = false;
        } else if (line[0].equals("return")) {
            returned = true;
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
