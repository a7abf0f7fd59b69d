// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.it.chaos;

import static org.apache.sling.discovery.it.outside.Limit.awaitThat;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.sling.discovery.it.chaos.CrashMember.Event;
import org.apache.sling.discovery.it.outside.Limit;
import org.apache.sling.discovery.testing.server.TestServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Members in processes of their own are killed and paused, as often as {@code -Dcrash.times} says. A crash is noticed long before the end
 * of the session, a pause is not taken for one. Not part of the usual build: {@code -Pcrash} runs it and nothing else, on an idle
 * machine.
 */
class CrashRun {

    private static final int TIMES = Integer.getInteger("crash.times", 100);
    private static final int WATCHED = 2;
    private static final int NO_LEASE_OF_ITS_OWN = Integer.MAX_VALUE;

    @TempDir
    private Path folder;

    private final Map<String, CrashMember> members = new LinkedHashMap<>();
    private TestServer server;
    private int started;

    @BeforeEach
    void startServer() throws Exception {
        server = new TestServer(folder.resolve("server"));
    }

    @AfterEach
    void close() {
        members.values().forEach(CrashMember::kill);
        server.close();
    }

    @ParameterizedTest(name = "{0} of {1} members, lease {2} ms, proof {3}")
    @CsvSource({
        "follower, 3, 0, false, 1000",
        "follower, 10, 0, false, 1000",
        "leader, 3, 2000, false, 3000",
        "leader, 3, 0, true, 1000"
    })
    void aKilledMemberIsNoticed(String who, int size, int lease, boolean provable, long limitMillis) throws Exception {
        int leaseMillis = lease == 0 ? NO_LEASE_OF_ITS_OWN : lease;
        for (int i = 0; i < size; i++) {
            join(leaseMillis, provable);
        }
        List<Long> changing = new ArrayList<>();
        List<Long> changed = new ArrayList<>();
        for (int i = 0; i < TIMES; i++) {
            List<String> order = new ArrayList<>(members.keySet());
            CrashMember killed = members.remove(order.get(who.equals("leader") ? 0 : 1 + i % (size - 1)));
            Map<CrashMember, Integer> marks = marks();
            long start = System.nanoTime();
            killed.kill();
            awaitSettled();
            changing.add(latestMillis(marks, start, 1));
            changed.add(latestMillis(marks, start, 2));
            join(leaseMillis, provable);
        }
        System.out.println(who + " of " + size + ", lease " + lease + ", proof " + provable + ": CHANGING "
                + summary(changing) + ", CHANGED " + summary(changed));
        assertThat(changed).allMatch(millis -> millis < limitMillis);
    }

    @Test
    void aPausedMemberCausesNoEvent() throws Exception {
        for (int i = 0; i < 3; i++) {
            join(NO_LEASE_OF_ITS_OWN, true);
        }
        Map<CrashMember, Integer> marks = marks();
        List<CrashMember> all = List.copyOf(members.values());
        for (int i = 0; i < TIMES; i++) {
            Pause pause = Pause.of(all.get(i % all.size()).pid());
            try {
                Limit.pass(Duration.ofSeconds(5));
            } finally {
                pause.close();
            }
            Limit.pass(Duration.ofSeconds(1));
        }
        marks.forEach(
                (member, mark) -> assertThat(since(member, mark)).as(member.id).isEmpty());
    }

    /** Starts a member, and waits until all are settled and it is watched, and watches others. */
    private void join(int leaseMillis, boolean provable) throws Exception {
        String id = "i" + started++;
        CrashMember member = new CrashMember(id, server.address(), leaseMillis, provable, folder.resolve(id + ".log"));
        members.put(id, member);
        awaitSettled();
        int watched = Math.min(WATCHED, members.size() - 1);
        awaitThat(
                id + " and its neighbours watch",
                () -> member.watches("") >= watched
                        && members.values().stream()
                                        .mapToLong(each -> each.watches(id + " "))
                                        .sum()
                                >= watched);
    }

    private void awaitSettled() {
        String order = String.join(",", members.keySet());
        awaitThat(order, () -> members.values().stream()
                .allMatch(each -> each.order().equals(order)));
    }

    private Map<CrashMember, Integer> marks() {
        return members.values().stream()
                .collect(Collectors.toMap(each -> each, each -> each.events().size()));
    }

    private static List<Event> since(CrashMember member, int mark) {
        List<Event> all = List.copyOf(member.events());
        return all.subList(mark, all.size());
    }

    /** Returns when the last member had that event, of exactly two since the start. */
    private static long latestMillis(Map<CrashMember, Integer> marks, long start, int number) {
        marks.forEach(
                (member, mark) -> assertThat(since(member, mark)).as(member.id).hasSize(2));
        return marks.entrySet().stream()
                .mapToLong(each ->
                        since(each.getKey(), each.getValue()).get(number - 1).nanos() - start)
                .map(TimeUnit.NANOSECONDS::toMillis)
                .max()
                .orElseThrow();
    }

    private static String summary(List<Long> millis) {
        List<Long> sorted = millis.stream().sorted().toList();
        return "median " + sorted.get(sorted.size() / 2) + " ms, most " + sorted.get(sorted.size() - 1) + " ms";
    }
}
