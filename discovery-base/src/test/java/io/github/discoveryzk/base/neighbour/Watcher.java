// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.base.neighbour;

import io.github.discoveryzk.base.environment.Machine;
import io.github.discoveryzk.base.environment.Time;
import io.github.discoveryzk.base.protocol.Facts.Suspect;
import io.github.discoveryzk.base.protocol.SampleViews;
import io.github.discoveryzk.model.Member;
import io.github.discoveryzk.model.MemberRecord;
import io.github.discoveryzk.model.ProcessInfo;
import io.github.discoveryzk.model.Reason;
import io.github.discoveryzk.model.StoreSnapshot;
import io.github.discoveryzk.model.ViewSlot;
import java.net.InetAddress;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;

/** The neighbours of an instance on loopback, with real sockets; the test says what the store shows. */
final class Watcher implements AutoCloseable {

    /** The milliseconds that have passed besides those of the clock, and those that pass with each reading of it. */
    final AtomicLong passed = new AtomicLong();

    volatile long step;

    final String id;
    final ProcessInfo process;
    final Neighbours neighbours;
    final List<Set<Suspect>> suspected = new CopyOnWriteArrayList<>();

    Watcher(String id) {
        this(id, Machine.THIS);
    }

    Watcher(String id, Machine machine) {
        this.id = id;
        long pid = ProcessHandle.current().pid();
        this.process = on(machine, new ProcessInfo("run-" + id, "host", pid, "/", 0), "");
        this.neighbours = new Neighbours(
                process.runtimeId(),
                machine,
                () -> Time.SYSTEM.monotonic().getAsLong() + passed.addAndGet(step),
                () -> Optional.of(InetAddress.getLoopbackAddress()),
                suspected::add);
    }

    static ConditionFactory await() {
        return Awaitility.await()
                .atMost(Duration.ofSeconds(Integer.getInteger("discovery.test.limit.seconds", 60)))
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(5));
    }

    /** Returns this instance as a member that listens there. */
    Member at(String endpoint) {
        return member(id, process.withEndpoint(endpoint, process.machine(), process.processName()));
    }

    /** Returns the data of a process as it writes them on a machine. */
    static ProcessInfo on(Machine machine, ProcessInfo process, String endpoint) {
        return process.withEndpoint(
                endpoint,
                machine.id().orElse(""),
                machine.process(process.pid()).orElse(""));
    }

    static Member member(String id, ProcessInfo process) {
        return new Member("m-" + id, id.hashCode(), 0, 1, MemberRecord.of(id, process, Map.of()));
    }

    /** Begins to listen, and returns this instance as a member. */
    Member listening() {
        return at(neighbours.listen());
    }

    /** Shows a view to this instance. */
    void follow(Member... members) {
        follow(List.of(members));
    }

    void follow(List<Member> members) {
        neighbours.listen();
        neighbours.follow(SampleViews.held("m-" + id, "cluster", 7, members), shown(members));
    }

    private static StoreSnapshot shown(List<Member> members) {
        return SampleViews.snapshot(
                "cluster", members, new ViewSlot(1, 1, 7, Optional.of(SampleViews.view(7, members))));
    }

    /** Returns the problems while the store shows these members. */
    List<Reason> problems(Member... members) {
        return neighbours.problems(Optional.of(shown(List.of(members))));
    }

    Set<Suspect> suspects() {
        Set<Suspect> last = suspected.isEmpty() ? Set.of() : suspected.get(suspected.size() - 1);
        return last.stream()
                .map(each -> new Suspect(each.node(), each.ended(), 0))
                .collect(Collectors.toSet());
    }

    void awaitConnected(int count) {
        await().until(() -> isConnected(count));
    }

    boolean isConnected(int count) {
        List<Watch> watched = List.copyOf(neighbours.watches);
        return watched.size() == count && watched.stream().allMatch(Watch::isConnected);
    }

    void awaitDisconnected() {
        await().until(() -> neighbours.watches.stream().noneMatch(Watch::isConnected));
    }

    void awaitSuspects(Suspect... suspects) {
        await().until(() -> suspects().equals(Set.of(suspects)));
    }

    void pass(Duration time) {
        passed.addAndGet(time.toMillis());
    }

    @Override
    public void close() {
        neighbours.close().join();
    }
}
