// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.benchmarks;

import io.github.discoveryzk.benchmarks.member.Contestant;
import io.github.discoveryzk.benchmarks.member.Recorder;
import io.github.discoveryzk.benchmarks.member.Recorder.Notified;
import io.github.discoveryzk.benchmarks.member.WorkRecord;
import io.github.discoveryzk.benchmarks.process.Group;
import io.github.discoveryzk.benchmarks.process.GroupProcess;
import io.github.discoveryzk.benchmarks.process.Servers;
import io.github.discoveryzk.benchmarks.process.Usage;
import io.github.discoveryzk.benchmarks.result.Quantity;
import java.io.IOException;
import java.io.Serializable;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;

/** The cluster of one contestant: its servers and its members, in one or several processes. */
final class MeasuredCluster implements AutoCloseable {

    private static final double NANOS_OF_MILLI = 1e6;

    private final Contestant contestant;
    private final int size;
    private final int real;
    private final Servers servers;
    private final Path folder;
    private final String build;
    private final List<GroupProcess> groups = new ArrayList<>();
    /** The members in the order in which they were made. */
    private final Set<String> members = new LinkedHashSet<>();

    private int next;
    private int changes;

    private MeasuredCluster(Contestant contestant, int size, int real, Servers servers, Path folder, String build) {
        this.folder = folder;
        this.build = build;
        this.contestant = contestant;
        this.size = size;
        this.real = real;
        this.servers = servers;
    }

    /** Starts a cluster without members. */
    static MeasuredCluster start(Contestant contestant, Plan plan, int size, Path folder) throws Exception {
        Files.createDirectories(folder);
        MeasuredCluster cluster = new MeasuredCluster(
                contestant,
                size,
                contestant == Contestant.DISCOVERY ? plan.real(size) : size,
                contestant.usesServers() ? Servers.start(plan.servers, folder) : Servers.none(),
                folder,
                contestant == Contestant.OTHER ? plan.other : "");
        try {
            for (int i = 0; i < plan.processes; i++) {
                cluster.groups.add(cluster.process("members" + i));
            }
            return cluster;
        } catch (Exception e) {
            cluster.close();
            throw e;
        }
    }

    private GroupProcess process(String name) throws IOException {
        return new GroupProcess(build, contestant, servers.connectString(), folder.resolve(name + ".log"));
    }

    /** Returns the number of members that it has between the changes. */
    int size() {
        return size;
    }

    private boolean hasLight() {
        return real < size;
    }

    /** Makes the members, the most senior ones first and then as many at the same time as the machine bears. */
    void fill() throws Exception {
        int made = hasLight() ? real : 1;
        join(connect(made, made));
        while (made < size) {
            int count = Math.min(contestant.atOnce(), size - made);
            join(connect(count, hasLight() ? 0 : count));
            made += count;
        }
    }

    /** Starts to write shared data, if the contestant does so while it is measured; returns when it has done so for a while. */
    void startWriting() throws Exception {
        if (contestant.isWriting()) {
            groups.get(0).ask(group -> {
                group.startWriting();
                return null;
            });
            Progress.pause(1);
        }
    }

    void stopWriting() throws Exception {
        if (contestant.isWriting()) {
            groups.get(0).ask(group -> {
                group.stopWriting();
                return null;
            });
        }
    }

    /** Connects new members, which do not belong to the cluster until they join. */
    List<String> connect(int count) throws Exception {
        return connect(count, Math.max(1, count * real / size));
    }

    private List<String> connect(int count, int realOnes) throws Exception {
        List<String> ids = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            ids.add(contestant.memberId(next++, i >= realOnes));
        }
        askEach(ids, (group, own) -> {
            group.connect(own);
            return null;
        });
        return ids;
    }

    /** Measures from the announcement of connected members to the last member that is notified. */
    Map<Quantity, Double> join(List<String> ids) throws Exception {
        members.addAll(ids);
        return measure("", () -> Collections.min(askEach(ids, (group, own) -> group.join(own))));
    }

    /** Measures from the call that ends a member to the last remaining member that is notified. */
    Map<Quantity, Double> leave(String id) throws Exception {
        members.remove(id);
        return measure("", () -> processOf(id).ask(group -> group.leave(List.of(id))));
    }

    /** Measures from the call that ends a member to the last member that is notified of its successor. */
    Map<Quantity, Double> restart(String id) throws Exception {
        members.remove(id);
        members.add(contestant.memberId(next, false));
        return measure("", () -> {
            long start = processOf(id).ask(group -> group.leave(List.of(id)));
            List<String> connected = connect(1);
            processOf(connected.get(0)).ask(group -> group.join(connected));
            return start;
        });
    }

    /**
     * Measures from the kill of a process with a member that has joined a second before to the last remaining member that is notified. With
     * raw clients nearly all of it is the session timeout.
     */
    Map<Quantity, Double> crash() throws Exception {
        String id = contestant.memberId(next++, false);
        GroupProcess victim = process(id);
        List<String> one = List.of(id);
        victim.ask(group -> {
            group.connect(one);
            return null;
        });
        measure("", members.size() + 1, () -> victim.ask(group -> group.join(one)));
        // Members connect to a newcomer after they are notified of it.
        Progress.pause(1);
        return measure("", victim::kill);
    }

    /** Measures from the change of a property of the leader to the last member that is notified, the leader included. */
    Map<Quantity, Double> change() throws Exception {
        String value = "value" + changes++;
        String leader = leader();
        return measure(value, () -> processOf(leader).ask(group -> group.change(leader, value)));
    }

    /**
     * Measures from a write of the shared value, or from the first one of all entries of the shared map, to the last member whose listener is
     * called with the result, the writer included. Members open the shared data now, because other scenarios do without.
     */
    Map<Quantity, Double> write(boolean all) throws Exception {
        askEach(members, (group, own) -> {
            group.open(own);
            return null;
        });
        String value = "value" + changes++;
        String writer = follower();
        return measure(value, () -> processOf(writer).ask(group -> group.write(writer, value, all)));
    }

    /**
     * Measures from the call that ends a member with its part of the keys until the others have them and are notified, and what deciding takes.
     * Members handle keys only meanwhile. All members are in one process.
     */
    Map<Quantity, Double> work() throws Exception {
        GroupProcess all = groups.get(0);
        List<String> workers = new ArrayList<>(members);
        all.ask(group -> {
            group.work(workers);
            return null;
        });
        int most = (Recorder.KEYS + members.size() - 1) / members.size();
        awaitKeys(most);
        String id = follower();
        WorkRecord record = all.ask(group -> group.workRecord(id));
        members.remove(id);
        AtomicLong start = new AtomicLong();
        Map<Quantity, Double> sample = measure("", () -> {
            start.set(all.ask(group -> group.leave(List.of(id))));
            return start.get();
        });
        double millis = (awaitKeys(Recorder.KEYS) - start.get()) / NANOS_OF_MILLI;
        sample.merge(Quantity.TIME, millis, Math::max);
        sample.put(Quantity.RECORD_BYTES, (double) record.bytes());
        sample.put(Quantity.DECIDING, record.decidingMillis());
        workers.remove(id);
        all.ask(group -> {
            group.endWork(workers);
            return null;
        });
        join(connect(1));
        return sample;
    }

    private long awaitKeys(int most) throws IOException {
        long last = groups.get(0).ask(group -> group.recorder().awaitKeys(most, Plan.LIMIT_MILLIS));
        if (last == Long.MAX_VALUE) {
            throw new IOException("some keys have no member");
        }
        return last;
    }

    /** Makes members leave all at the same time, and waits until the others are notified. */
    void leaveTogether(List<String> ids) throws Exception {
        members.removeAll(ids);
        measure("", () -> Collections.min(askEach(ids, (group, own) -> group.leave(own))));
    }

    /** Returns the eldest member; any member if the contestant has no order. */
    String leader() throws Exception {
        return askEach(members, (group, own) -> group.recorder().leader()).stream()
                .filter(members::contains)
                .findFirst()
                .orElseGet(() -> members.iterator().next());
    }

    /** Returns a member that is not the eldest; of a cluster with light members the last real one, which need not coordinate. */
    String follower() throws Exception {
        List<String> followers = new ArrayList<>(members);
        followers.remove(leader());
        if (hasLight() && real > 1) {
            followers.removeIf(Contestant::isLight);
            return followers.get(followers.size() - 1);
        }
        return followers.get(followers.size() / 2);
    }

    /** Returns the index of the process of a member. If there are light members, the real ones have the first process alone. */
    private int index(String id) {
        int number = Contestant.number(id);
        if (hasLight() && groups.size() > 1) {
            return Contestant.isLight(id) ? 1 + number % (groups.size() - 1) : 0;
        }
        return number % groups.size();
    }

    private GroupProcess processOf(String id) {
        return groups.get(index(id));
    }

    /** Returns those of some members that a process has, in a list that can be sent to it. */
    private List<String> of(Iterable<String> ids, int process) {
        List<String> own = new ArrayList<>();
        ids.forEach(id -> {
            if (index(id) == process) {
                own.add(id);
            }
        });
        return own;
    }

    /** Asks each process, which is given those of some members that it has. */
    private <T extends Serializable> List<T> askEach(Iterable<String> ids, OwnQuestion<T> question) throws IOException {
        List<T> answers = new ArrayList<>();
        for (int i = 0; i < groups.size(); i++) {
            List<String> own = of(ids, i);
            answers.add(groups.get(i).ask(group -> question.ask(group, own)));
        }
        return answers;
    }

    private Map<Quantity, Double> measure(String value, Act act) throws Exception {
        return measure(value, members.size(), act);
    }

    /** Acts, waits until all members are notified of the number of members and the value, and returns what that took and cost. */
    private Map<Quantity, Double> measure(String value, int expected, Act act) throws Exception {
        askEach(members, (group, own) -> {
            group.recorder().begin(expected, value, own);
            return null;
        });
        long packets = servers.packets();
        Usage realBefore = groups.get(0).ask(group -> group.usage());
        Usage before = usage();
        long start = act.run();
        Notified notified = askEach(members, (group, own) -> group.recorder().await(Plan.LIMIT_MILLIS)).stream()
                .reduce(Notified.NONE, Notified::and);
        Usage used = usage().since(before);
        if (!notified.complete()) {
            throw new IOException(contestant + " with " + members.size() + " members has not settled within "
                    + Plan.LIMIT_MILLIS / 1_000 + " s");
        }
        Map<Quantity, Double> sample = new EnumMap<>(Quantity.class);
        sample.put(Quantity.TIME, (notified.last() - start) / NANOS_OF_MILLI);
        sample.put(Quantity.BYTES, (double) used.bytes());
        sample.put(Quantity.PROCESSOR, used.processNanos() / 1e3 / members.size());
        if (notified.changingNanos() > 0) {
            sample.put(Quantity.CHANGING, notified.changingNanos() / NANOS_OF_MILLI);
        }
        if (contestant.usesServers()) {
            sample.put(Quantity.PACKETS, (double) servers.packets() - packets);
        }
        if (hasLight() && groups.size() > 1) {
            Usage usedByReal = groups.get(0).ask(group -> group.usage()).since(realBefore);
            sample.put(
                    Quantity.REAL_PROCESSOR,
                    usedByReal.processNanos() / 1e3 / of(members, 0).size());
        }
        return sample;
    }

    /** Returns what all processes with members have used. */
    Usage usage() throws IOException {
        return askEach(members, (group, own) -> group.usage()).stream().reduce(Usage.NONE, Usage::plus);
    }

    long packets() {
        return servers.packets();
    }

    @Override
    public void close() throws IOException {
        try {
            for (GroupProcess process : groups) {
                process.close();
            }
        } finally {
            servers.close();
        }
    }

    private interface OwnQuestion<T extends Serializable> extends Serializable {
        T ask(Group group, List<String> own) throws Exception;
    }

    private interface Act {
        long run() throws Exception;
    }
}
