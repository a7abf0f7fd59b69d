// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.it.chaos;

import static io.github.discoveryzk.it.outside.Limit.awaitThat;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.discoveryzk.it.chaos.CrashMember.Event;
import io.github.discoveryzk.launcher.Ports;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** A cluster whose members run in processes of their own. For one thread. */
final class CrashCluster implements AutoCloseable {

    private static final int WATCHED = 3;
    private static final int MIN_PORT = 12_000;
    private static final int MAX_PORT = 32_000;

    /** The members by id, in their order. */
    final Map<String, CrashMember> members = new LinkedHashMap<>();

    private final String servers;
    private final Path folder;
    private final int leaseMillis;
    private final boolean provable;
    private int started;

    /** Makes a cluster without members; see {@link CrashMember}. */
    CrashCluster(String servers, Path folder, int leaseMillis, boolean provable) throws IOException {
        this.servers = servers;
        this.folder = Files.createDirectories(folder);
        this.leaseMillis = leaseMillis;
        this.provable = provable;
    }

    /** Starts a member, and waits until all are settled and it is watched, and watches others. */
    CrashMember join() throws IOException {
        CrashMember member = start(0, Map.of());
        awaitWatched(member);
        return member;
    }

    /** Starts members, each of which is shown the others at another endpoint, and waits until they are settled. */
    void startElsewhere(List<Integer> ports, List<String> endpoints) throws IOException {
        Map<String, String> elsewhere = new HashMap<>();
        for (int i = 0; i < ports.size(); i++) {
            elsewhere.put("127.0.0.1:" + ports.get(i), endpoints.get(i));
        }
        for (int port : ports) {
            start(port, elsewhere);
        }
    }

    private CrashMember start(int port, Map<String, String> elsewhere) throws IOException {
        String id = "i" + started++;
        CrashMember member =
                new CrashMember(id, servers, leaseMillis, provable, port, elsewhere, folder.resolve(id + ".log"));
        members.put(id, member);
        awaitSettled();
        return member;
    }

    /** Waits until a member is watched, and watches others. */
    void awaitWatched(CrashMember member) {
        int watched = Math.min(WATCHED, members.size() - 1);
        awaitThat(
                member.id + " and its neighbours watch",
                () -> member.watches("") >= watched
                        && members.values().stream()
                                        .mapToLong(each -> each.watches(member.id + " "))
                                        .sum()
                                >= watched);
    }

    void awaitSettled() {
        String order = String.join(",", members.keySet());
        awaitThat(order, () -> members.values().stream()
                .allMatch(each -> each.order().equals(order)));
    }

    /** Returns how many events each member has had. */
    Map<CrashMember, Integer> marks() {
        return members.values().stream()
                .collect(Collectors.toMap(each -> each, each -> each.events().size()));
    }

    private static List<Event> since(CrashMember member, int mark) {
        List<Event> all = List.copyOf(member.events());
        return all.subList(mark, all.size());
    }

    /** Requires that no member has had an event since. */
    static void assertNoEventSince(Map<CrashMember, Integer> marks) {
        marks.forEach(
                (member, mark) -> assertThat(since(member, mark)).as(member.id).isEmpty());
    }

    /** Returns when the last member had that event, counted from 1, of exactly two since the start. */
    static long latestMillis(Map<CrashMember, Integer> marks, long start, int number) {
        marks.forEach(
                (member, mark) -> assertThat(since(member, mark)).as(member.id).hasSize(2));
        return marks.entrySet().stream()
                .mapToLong(each ->
                        since(each.getKey(), each.getValue()).get(number - 1).nanos() - start)
                .map(TimeUnit.NANOSECONDS::toMillis)
                .max()
                .orElseThrow();
    }

    /** Returns when the last member had its last event since the start. */
    static long lastMillis(Map<CrashMember, Integer> marks, long start) {
        return marks.keySet().stream()
                .map(each -> each.events().get(each.events().size() - 1).nanos() - start)
                .mapToLong(TimeUnit.NANOSECONDS::toMillis)
                .max()
                .orElseThrow();
    }

    /** Returns ports that are free now, below the ephemeral range: no connection takes them before a member listens. */
    static List<Integer> freePorts(int count) {
        return new Random()
                .ints(MIN_PORT, MAX_PORT)
                .filter(Ports::isFree)
                .distinct()
                .limit(count)
                .boxed()
                .toList();
    }

    @Override
    public void close() {
        members.values().forEach(CrashMember::kill);
    }
}
