// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntPredicate;
import java.util.function.Predicate;

/** The cluster of one contestant: its servers and its members, in one or several processes. */
final class MeasuredCluster implements AutoCloseable {

    private final Contestant contestant;
    private final Mix mix;
    private final int newcomers;
    private final long limitMillis;
    private final Servers servers;
    private final Path folder;
    private final List<Group> groups = new ArrayList<>();
    /** The members in the order in which they were made, with the index of their group. */
    private final Map<String, Integer> members = new LinkedHashMap<>();

    private int next;
    private int changes;

    private MeasuredCluster(
            Contestant contestant, Mix mix, int newcomers, long limitMillis, Servers servers, Path folder) {
        this.folder = folder;
        this.contestant = contestant;
        this.mix = mix;
        this.newcomers = newcomers;
        this.limitMillis = limitMillis;
        this.servers = servers;
    }

    /** Starts a cluster without members. */
    static MeasuredCluster start(Contestant contestant, Plan plan, int size, Path folder) throws Exception {
        int processes = plan.processes();
        Files.createDirectories(folder);
        MeasuredCluster cluster = new MeasuredCluster(
                contestant,
                contestant == Contestant.DISCOVERY ? plan.mix(size) : Mix.allReal(size),
                plan.newcomers(size),
                plan.limit().toMillis(),
                contestant.usesServers() ? Servers.start(plan.servers(), folder) : Servers.none(),
                folder);
        try {
            String address = cluster.servers.connectString();
            for (int i = 0; i < processes; i++) {
                cluster.groups.add(
                        processes == 1
                                ? new LocalGroup(contestant, address)
                                : new RemoteGroup(contestant, address, folder.resolve("members" + i + ".log")));
            }
            return cluster;
        } catch (Exception e) {
            cluster.close();
            throw e;
        }
    }

    Contestant contestant() {
        return contestant;
    }

    boolean hasLight() {
        return mix.hasLight();
    }

    /** Returns how many join at once in a storm. */
    int newcomers() {
        return newcomers;
    }

    /** Makes the members, the most senior ones first and then as many at once as the machine bears. */
    void fill() throws Exception {
        int made = Math.min(mix.seniors(), mix.members());
        join(connect(made, index -> false));
        while (made < mix.members()) {
            int first = made;
            int count = Math.min(contestant.atOnce(), mix.members() - made);
            join(connect(count, index -> mix.isLight(first + index)));
            made += count;
        }
    }

    /** Connects new members, which do not belong to the cluster until they join. */
    List<String> connect(int count) throws Exception {
        return connect(count, index -> mix.isLightNewcomer(index, count));
    }

    private List<String> connect(int count, IntPredicate light) throws Exception {
        List<String> ids = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            ids.add(MemberIds.of(contestant, next++, light.test(i)));
        }
        for (int i = 0; i < groups.size(); i++) {
            groups.get(i).connect(of(ids, i));
        }
        return ids;
    }

    /** Measures from the announcement of connected members to the last member that is told. */
    Measurement join(List<String> ids) throws Exception {
        ids.forEach(id -> members.put(id, group(id)));
        return measure(Optional.empty(), () -> {
            long start = Long.MAX_VALUE;
            for (int i = 0; i < groups.size(); i++) {
                List<String> own = of(ids, i);
                if (!own.isEmpty()) {
                    start = Math.min(start, groups.get(i).join(own));
                }
            }
            return start;
        });
    }

    /** Measures from the call that ends a member to the last remaining member that is told. */
    Measurement leave(String id) throws Exception {
        int group = members.remove(id);
        return measure(Optional.empty(), () -> groups.get(group).leave(List.of(id)));
    }

    /** Measures from the call that ends a member to the last member that is told of its successor. */
    Measurement restart(String id) throws Exception {
        int group = members.remove(id);
        String successor = MemberIds.of(contestant, next, false);
        members.put(successor, group(successor));
        return measure(Optional.empty(), () -> {
            long start = groups.get(group).leave(List.of(id));
            List<String> connected = connect(1);
            groups.get(group(connected.get(0))).join(connected);
            return start;
        });
    }

    /**
     * Measures from the kill of a process with a member that has joined before to the last remaining member that is told. Nearly
     * all of it is the session timeout.
     */
    Measurement crash() throws Exception {
        String id = MemberIds.of(contestant, next++, false);
        RemoteGroup victim = new RemoteGroup(contestant, servers.connectString(), folder.resolve(id + ".log"));
        victim.connect(List.of(id));
        measure(Optional.empty(), members.size() + 1, () -> victim.join(List.of(id)));
        return measure(Optional.empty(), victim::kill);
    }

    /** Measures from the change of a property of the leader to the last member that is told, the leader included. */
    Measurement change() throws Exception {
        String value = "value" + changes++;
        String leader = leader();
        return measure(Optional.of(value), () -> groups.get(members.get(leader)).change(leader, value));
    }

    /** Makes members leave all at once, and waits until the others are told. */
    void leaveTogether(List<String> ids) throws Exception {
        ids.forEach(members::remove);
        measure(Optional.empty(), () -> {
            for (int i = 0; i < groups.size(); i++) {
                List<String> own = of(ids, i);
                if (!own.isEmpty()) {
                    groups.get(i).leave(own);
                }
            }
            return 0;
        });
    }

    /** Returns the eldest member; any member if the contestant has no order. */
    String leader() throws Exception {
        for (Group group : groups) {
            Optional<String> leader = group.leader().filter(members::containsKey);
            if (leader.isPresent()) {
                return leader.get();
            }
        }
        return members.keySet().iterator().next();
    }

    /** Returns a member that is not the eldest; of a cluster with light members a real one that is not needed to coordinate. */
    String follower() throws Exception {
        List<String> followers = new ArrayList<>(members.keySet());
        followers.remove(leader());
        if (mix.hasLight() && mix.real() > mix.seniors()) {
            followers.removeIf(MemberIds::isLight);
            return followers.get(followers.size() - 1);
        }
        return followers.get(followers.size() / 2);
    }

    /** Returns the index of the process of a member. If there are light members, the real ones have the first process alone. */
    private int group(String id) {
        int number = MemberIds.number(id);
        if (mix.hasLight() && groups.size() > 1) {
            return MemberIds.isLight(id) ? 1 + number % (groups.size() - 1) : 0;
        }
        return number % groups.size();
    }

    /** Returns the number of real members when they have a process alone, and 0 otherwise. */
    private int realMembersAlone() {
        return mix.hasLight() && groups.size() > 1
                ? (int) members.keySet().stream()
                        .filter(Predicate.not(MemberIds::isLight))
                        .count()
                : 0;
    }

    private List<String> of(Iterable<String> ids, int group) {
        List<String> own = new ArrayList<>();
        ids.forEach(id -> {
            if (group(id) == group) {
                own.add(id);
            }
        });
        return own;
    }

    private Measurement measure(Optional<String> value, Act act) throws Exception {
        return measure(value, members.size(), act);
    }

    private Measurement measure(Optional<String> value, int size, Act act) throws Exception {
        for (int i = 0; i < groups.size(); i++) {
            groups.get(i).begin(size, value, of(members.keySet(), i));
        }
        long packets = servers.packets();
        Duration serverTime = servers.processorTime();
        Usage realBefore = groups.get(0).usage();
        Usage before = usage();
        long start = act.run();
        Recorder.Told told = new Recorder.Told(true, Long.MIN_VALUE, 0);
        for (Group group : groups) {
            told = told.and(group.await(limitMillis));
        }
        Usage used = usage().since(before);
        if (!told.complete()) {
            throw new IOException(contestant.title() + " with " + members.size() + " members has not settled within "
                    + limitMillis / 1_000 + " s");
        }
        return new Measurement(
                told.last() - start,
                told.changingNanos(),
                servers.packets() - packets,
                servers.processorTime().minus(serverTime),
                used,
                members.size(),
                groups.get(0).usage().since(realBefore),
                realMembersAlone());
    }

    /** Returns what all processes with members have used. */
    Usage usage() throws Exception {
        Usage sum = Usage.NONE;
        for (Group group : groups) {
            sum = sum.plus(group.usage());
        }
        return sum;
    }

    long heap() throws Exception {
        long sum = 0;
        for (Group group : groups) {
            sum += group.heap();
        }
        return sum;
    }

    long packets() {
        return servers.packets();
    }

    /** Returns the lines of the level ERROR that servers and processes with members have logged. */
    List<String> errors() throws IOException {
        return Logs.errors(folder);
    }

    @Override
    public void close() throws IOException {
        try {
            for (Group group : groups) {
                group.close();
            }
        } finally {
            servers.close();
        }
    }

    /**
     * What one change took.
     *
     * @param nanos from the act to the last member that is told
     * @param changingNanos the longest time that a member was told to be changing, 0 if it was not
     * @param packets the packets that the servers received
     * @param serverTime processor time of all servers
     * @param used what the processes with members used
     * @param members the number of members at the end
     * @param usedByReal what the first process used
     * @param real the number of real members when they have the first process alone, and 0 otherwise
     */
    record Measurement(
            long nanos,
            long changingNanos,
            long packets,
            Duration serverTime,
            Usage used,
            int members,
            Usage usedByReal,
            int real) {}

    private interface Act {
        long run() throws Exception;
    }
}
