// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.benchmarks;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.apache.sling.discovery.zk.ZooKeeperStoreConfig;
import org.apache.sling.discovery.zk.tree.Paths;

/** Members in this process. Their threads are in a thread group of their own, so that their processor time can be told. */
@ThreadsAndClocks
final class LocalGroup implements Group {
    private static final Path COUNTERS = Path.of("/proc/self/io");
    private static final int ACTORS = 64;
    private static final int ACT_SECONDS = 120;
    private static final Paths PATHS = ZooKeeperStoreConfig.of("127.0.0.1").paths();

    private final Contestant contestant;
    private final String connectString;
    private final Recorder recorder = new Recorder();
    private final Usage.Decisions decisions = new Usage.Decisions();
    private final Map<String, Member> members = new ConcurrentHashMap<>();
    private final ThreadGroup threads;
    /** The processor time of each thread as it was seen last, so that the time of a thread that has ended is not lost. */
    private final Map<Long, Long> threadTimes = new ConcurrentHashMap<>();

    private final ExecutorService actors;
    private final LightViews lightViews = new LightViews(PATHS.view());
    /** For all light members. */
    private final ScheduledExecutorService timer;

    LocalGroup(Contestant contestant, String connectString) {
        this.contestant = contestant;
        this.connectString = connectString;
        threads = new ThreadGroup(contestant.key());
        actors = Executors.newFixedThreadPool(ACTORS, task -> thread(task, "actor"));
        timer = Executors.newSingleThreadScheduledExecutor(task -> thread(task, "timer"));
    }

    private Thread thread(Runnable task, String name) {
        Thread thread = new Thread(threads, task, name);
        thread.setDaemon(true);
        return thread;
    }

    @Override
    public void begin(int size, Optional<String> value, List<String> ids) {
        recorder.begin(size, value, ids);
    }

    @Override
    public void connect(List<String> ids) throws Exception {
        // Light members find the nodes that real ones have made.
        connectAll(ids.stream().filter(Predicate.not(MemberIds::isLight)).toList());
        connectAll(ids.stream().filter(MemberIds::isLight).toList());
    }

    private void connectAll(List<String> ids) throws Exception {
        run(ids, id -> {
            Member member = MemberIds.isLight(id)
                    ? new LightMember(id, connectString, recorder, PATHS, lightViews, timer)
                    : contestant.member(id, connectString, recorder, decisions);
            members.put(id, member);
            member.connect();
        });
    }

    @Override
    public long start(String id) throws Exception {
        long start = System.nanoTime();
        Member member = contestant.member(id, connectString, recorder, decisions);
        members.put(id, member);
        member.start();
        return start;
    }

    @Override
    public long join(List<String> ids) throws Exception {
        long start = System.nanoTime();
        for (String id : ids) {
            members.get(id).join();
        }
        return start;
    }

    @Override
    public long leave(List<String> ids) throws Exception {
        long start = System.nanoTime();
        run(ids, id -> members.remove(id).leave());
        return start;
    }

    @Override
    public long change(String id, String value) throws Exception {
        long start = System.nanoTime();
        members.get(id).change(value);
        return start;
    }

    @Override
    public Recorder.Told await(long limitMillis) throws InterruptedException {
        return recorder.await(limitMillis);
    }

    @Override
    public Optional<String> leader() {
        return recorder.leader();
    }

    private void run(List<String> ids, Action action) throws Exception {
        List<Future<?>> all = new ArrayList<>();
        for (String id : ids) {
            all.add(actors.submit(() -> {
                action.run(id);
                return null;
            }));
        }
        for (Future<?> one : all) {
            one.get(ACT_SECONDS, TimeUnit.SECONDS);
        }
    }

    @Override
    public Usage usage() {
        ThreadMXBean all = ManagementFactory.getThreadMXBean();
        Thread[] own = new Thread[2 * threads.activeCount() + 16];
        int count = threads.enumerate(own, true);
        int live = 0;
        for (int i = 0; i < count; i++) {
            long id = own[i].getId();
            threadTimes.merge(id, all.getThreadCpuTime(id), Math::max);
            live += own[i].getName().equals("actor") ? 0 : 1;
        }
        long threadNanos =
                threadTimes.values().stream().mapToLong(nanos -> nanos).sum();
        long process =
                ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getProcessCpuTime();
        return new Usage(process, threadNanos, live, bytes(), decisions.count.sum(), decisions.nanos.sum());
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

    @Override
    public long heap() {
        System.gc();
        System.gc();
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }

    @Override
    public void close() throws IOException {
        try {
            leave(List.copyOf(members.keySet()));
        } catch (Exception e) {
            throw new IOException("A member of " + contestant.title() + " does not leave", e);
        } finally {
            actors.shutdown();
            timer.shutdownNow();
        }
    }

    private interface Action {
        void run(String id) throws Exception;
    }
}
