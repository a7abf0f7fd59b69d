// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.it.chaos;

import io.github.discoveryzk.base.DiscoveryInstance;
import io.github.discoveryzk.base.environment.Execution;
import io.github.discoveryzk.base.environment.InstanceIdentity;
import io.github.discoveryzk.base.environment.Time;
import io.github.discoveryzk.model.ProcessInfo;
import io.github.discoveryzk.spi.SettlingPolicy;
import io.github.discoveryzk.zk.ZooKeeperStore;
import io.github.discoveryzk.zk.ZooKeeperStoreConfig;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.sling.discovery.InstanceDescription;
import org.apache.sling.discovery.TopologyEvent;

/** A member in a process of its own, which reports the events of its listener with the time of the system's monotonic clock. */
final class CrashMember {

    static final int SESSION_MILLIS = 10_000;

    final String id;
    private final Process process;
    private final Path log;
    private final List<Event> events = new CopyOnWriteArrayList<>();

    /** An event at a member; {@code order} has the ids of the members of a view that is current, separated by commas. */
    record Event(String type, long nanos, String order) {}

    /**
     * Starts a member.
     *
     * @param provable whether its record names this process; if it names another one, the end of the process cannot be proven
     * @param port where it listens for others; 0 for any
     * @param elsewhere the endpoints of others, and those that it is shown in their place
     */
    CrashMember(
            String id,
            String servers,
            int leaseMillis,
            boolean provable,
            int port,
            Map<String, String> elsewhere,
            Path log)
            throws IOException {
        this.id = id;
        this.log = log;
        this.process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx64m",
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                        CrashMember.class.getName(),
                        id,
                        servers,
                        Integer.toString(leaseMillis),
                        provable ? "" : Long.toString(ProcessHandle.current().pid()),
                        Integer.toString(port),
                        elsewhere.entrySet().stream()
                                .map(each -> each.getKey() + "=" + each.getValue())
                                .collect(Collectors.joining(",")))
                .redirectError(log.toFile())
                .start();
        Thread reader = new Thread(this::read, "events of " + id);
        reader.setDaemon(true);
        reader.start();
    }

    private void read() {
        try (BufferedReader output = process.inputReader()) {
            for (String line = output.readLine(); line != null; line = output.readLine()) {
                String[] words = line.split(" ", -1);
                events.add(new Event(words[0], Long.parseLong(words[1]), words[2]));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    long pid() {
        return process.pid();
    }

    List<Event> events() {
        return events;
    }

    /** Returns the ids of the last view if it is current, in order. */
    String order() {
        return events.isEmpty() ? "" : events.get(events.size() - 1).order();
    }

    /** Returns how many times it has begun to watch that member, or any if the id is empty. */
    long watches(String other) {
        return log().filter(line -> line.contains("Watches " + other)).count();
    }

    /** Says whether the last state that it has logged is the settled one. */
    boolean isSettled() {
        return log().filter(line -> line.contains(" - " + id + " "))
                .reduce((before, last) -> last)
                .filter(line -> line.contains(" SETTLED: "))
                .isPresent();
    }

    private Stream<String> log() {
        try {
            return Files.readAllLines(log).stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Begins to stop the member cleanly. */
    void stop() throws IOException {
        process.getOutputStream().close();
    }

    /** Ends the process without a goodbye. */
    void kill() {
        process.destroyForcibly();
    }

    /**
     * Is a member until the process is ended, or its input is: then it leaves.
     *
     * @param arguments the id, the connect string, the lease in milliseconds, the pid to name or nothing, the port, and the
     *     endpoints of others
     */
    public static void main(String[] arguments) throws IOException {
        InstanceIdentity own = InstanceIdentity.ofThisProcess(arguments[0], Time.SYSTEM);
        ProcessInfo process = own.process();
        long pid = arguments[3].isEmpty() ? process.pid() : Long.parseLong(arguments[3]);
        SettlingPolicy policy = SettlingPolicy.DEFAULT;
        SettlingPolicy leased = new SettlingPolicy(
                policy.settleTimeoutMillis(),
                policy.quietMillis(),
                policy.regroupMillis(),
                policy.stepInMillis(),
                policy.suspended(),
                policy.quarantine(),
                policy.minInstances(),
                Integer.parseInt(arguments[2]));
        Map<String, String> elsewhere = Stream.of(arguments[5].split(","))
                .filter(each -> !each.isEmpty())
                .map(each -> each.split("="))
                .collect(Collectors.toMap(each -> each[0], each -> each[1]));
        DiscoveryInstance instance = new DiscoveryInstance(
                new InstanceIdentity(
                        arguments[0],
                        new ProcessInfo(
                                process.runtimeId(), process.host(), pid, process.home(), process.startedMillis())),
                new ElsewhereStore(
                        new ZooKeeperStore(ZooKeeperStoreConfig.of(arguments[1]).withSessionTimeout(SESSION_MILLIS)),
                        arguments[0],
                        elsewhere),
                () -> leased,
                Execution.ofThreads(arguments[0]));
        instance.listenForNeighbours(Integer.parseInt(arguments[4]), Optional.empty(), false);
        instance.addListener(CrashMember::print);
        instance.start();
        System.in.transferTo(OutputStream.nullOutputStream());
        instance.leave().join();
        instance.close();
        System.exit(0);
    }

    private static void print(TopologyEvent event) {
        String order = event.getNewView() == null
                ? ""
                : event.getNewView().getLocalInstance().getClusterView().getInstances().stream()
                        .map(InstanceDescription::getSlingId)
                        .collect(Collectors.joining(","));
        System.out.println(event.getType() + " " + System.nanoTime() + " " + order);
    }
}
