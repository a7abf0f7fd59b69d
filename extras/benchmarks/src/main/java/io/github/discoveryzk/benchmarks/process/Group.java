// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.benchmarks.process;

import com.sun.management.OperatingSystemMXBean;
import io.github.discoveryzk.benchmarks.member.BenchmarkData;
import io.github.discoveryzk.benchmarks.member.BenchmarkMember;
import io.github.discoveryzk.benchmarks.member.Contestant;
import io.github.discoveryzk.benchmarks.member.Recorder;
import io.github.discoveryzk.benchmarks.member.WorkRecord;
import io.github.discoveryzk.spi.ThreadsAndClocks;
import java.io.IOException;
import java.io.Serializable;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The members of one process. Times are those of {@link System#nanoTime}, which all processes of a machine share. */
@ThreadsAndClocks
public final class Group implements AutoCloseable {

    private static final Path COUNTERS = Path.of("/proc/self/io");
    private static final int MAX_ACTORS = 64;
    private static final int STATE = 3;
    private static final int INODE = 9;
    private static final long WRITE_MILLIS = 10;
    private static final int ACT_SECONDS = 120;

    private final Contestant contestant;
    private final String connectString;
    private final Recorder recorder = new Recorder();
    private final Map<String, BenchmarkMember> members = new ConcurrentHashMap<>();
    private final ScheduledExecutorService writer = Executors.newSingleThreadScheduledExecutor();
    private Future<?> writing;

    public Group(Contestant contestant, String connectString) {
        this.contestant = contestant;
        this.connectString = connectString;
    }

    /** Returns what records the notifications of the members. */
    public Recorder recorder() {
        return recorder;
    }

    /** Connects new members; returns when all of them are connected. */
    public void connect(List<String> ids) throws Exception {
        run(ids, id -> {
            BenchmarkMember member = contestant.member(id, connectString, recorder);
            members.put(id, member);
            member.connect();
        });
    }

    /** Announces connected members, and returns when that began; the greatest number if there are none. */
    public long join(List<String> ids) throws Exception {
        long start = ids.isEmpty() ? Long.MAX_VALUE : System.nanoTime();
        for (String id : ids) {
            members.get(id).join();
        }
        return start;
    }

    /** Makes members leave, all at the same time; returns when that began. */
    public long leave(List<String> ids) throws Exception {
        long start = System.nanoTime();
        run(ids, id -> members.remove(id).leave());
        return start;
    }

    /** Changes the property of a member; returns when that began. */
    public long change(String id, String value) throws Exception {
        long start = System.nanoTime();
        members.get(id).change(value);
        return start;
    }

    /** Opens the shared data of members; returns when all have read them. */
    public void open(List<String> ids) throws Exception {
        run(ids, id -> members.get(id).data());
    }

    /** Makes a member write the shared value, or all entries of the shared map; returns when that began. */
    public long write(String id, String value, boolean all) throws Exception {
        BenchmarkData data = members.get(id).data();
        long start = System.nanoTime();
        if (all) {
            data.writeAll(value);
        } else {
            data.write(value);
        }
        return start;
    }

    /** Makes members handle keys; returns before they have any. */
    public void work(List<String> ids) throws Exception {
        run(ids, id -> members.get(id).work());
    }

    /** Makes members give up their keys, all at the same time. */
    public void endWork(List<String> ids) throws Exception {
        run(ids, id -> members.get(id).endWork());
    }

    /** Returns the record of who has which key, as a member has it. */
    public WorkRecord workRecord(String id) {
        return members.get(id).workRecord();
    }

    /** Makes one of the members write the shared value a hundred times a second, until {@link #stopWriting}. */
    public void startWriting() {
        AtomicInteger writes = new AtomicInteger();
        writing = writer.scheduleAtFixedRate(
                () -> {
                    try {
                        members.values().iterator().next().data().write("write" + writes.incrementAndGet());
                    } catch (Exception e) {
                        // The member has left during the write; the next one goes on.
                    }
                },
                0,
                WRITE_MILLIS,
                TimeUnit.MILLISECONDS);
    }

    public void stopWriting() {
        writing.cancel(false);
    }

    private static void run(List<String> ids, Action action) throws Exception {
        if (ids.size() == 1) {
            action.run(ids.get(0));
        } else if (!ids.isEmpty()) {
            ExecutorService actors = Executors.newFixedThreadPool(Math.min(MAX_ACTORS, ids.size()));
            Stream<Callable<Void>> tasks = ids.stream().map(id -> () -> {
                action.run(id);
                return null;
            });
            try {
                for (Future<Void> one : actors.invokeAll(tasks.toList(), ACT_SECONDS, TimeUnit.SECONDS)) {
                    one.get();
                }
            } finally {
                actors.shutdown();
            }
        }
    }

    public Usage usage() {
        return new Usage(
                ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getProcessCpuTime(),
                bytes(),
                connections(),
                ManagementFactory.getThreadMXBean().getThreadCount());
    }

    /** Returns how many connections there are whose local port is none at which a process listens: those that were opened here. */
    private static long connections() {
        try (Stream<Path> files = Files.list(Path.of("/proc/self/fd"))) {
            Set<String> own = new HashSet<>();
            for (Path file : files.toList()) {
                if (Files.isSymbolicLink(file)) {
                    own.add(Files.readSymbolicLink(file).toString());
                }
            }
            List<String[]> sockets = new ArrayList<>();
            for (String table : List.of("tcp", "tcp6")) {
                Files.readAllLines(Path.of("/proc/self/net", table)).stream()
                        .map(line -> line.trim().split("\\s+"))
                        .forEach(sockets::add);
            }
            Set<String> listening = sockets.stream()
                    .filter(socket -> socket[STATE].equals("0A"))
                    .map(Group::localPort)
                    .collect(Collectors.toSet());
            return sockets.stream()
                    .filter(socket -> socket[STATE].equals("01"))
                    .filter(socket -> own.contains("socket:[" + socket[INODE] + "]"))
                    .filter(socket -> !listening.contains(localPort(socket)))
                    .count();
        } catch (IOException e) {
            return 0;
        }
    }

    private static String localPort(String[] socket) {
        return socket[1].substring(socket[1].indexOf(':'));
    }

    private static long bytes() {
        try {
            return Files.readAllLines(COUNTERS).stream()
                    .filter(line -> line.startsWith("rchar:") || line.startsWith("wchar:"))
                    .mapToLong(line -> Long.parseLong(line.substring(line.indexOf(' ') + 1)))
                    .sum();
        } catch (IOException e) {
            return 0;
        }
    }

    /** Makes all members leave. */
    @Override
    public void close() throws IOException {
        writer.shutdown();
        try {
            leave(List.copyOf(members.keySet()));
        } catch (Exception e) {
            throw new IOException("A member of " + contestant + " does not leave", e);
        }
    }

    private interface Action {
        void run(String id) throws Exception;
    }

    /**
     * What a group in another process is asked. It travels there by serialization, so it must not hold anything else.
     *
     * @param <T> the type of the answer
     */
    public interface Question<T extends Serializable> extends Serializable {
        T ask(Group group) throws Exception;
    }
}
