// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.base.neighbour;

import io.github.discoveryzk.base.environment.Machine;
import io.github.discoveryzk.base.protocol.Facts.Suspect;
import io.github.discoveryzk.base.protocol.HeldView;
import io.github.discoveryzk.model.Member;
import io.github.discoveryzk.model.ProcessInfo;
import io.github.discoveryzk.model.Reason;
import io.github.discoveryzk.model.ReasonCode;
import io.github.discoveryzk.model.StoreSnapshot;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The neighbours of an instance: it watches the next three members in the order of the view, where the first follows the last, and listens for
 * those that watch it. A member without an endpoint is skipped. All methods may be called from any thread and do not block.
 */
public final class Neighbours {

    private static final Logger LOG = LoggerFactory.getLogger(Neighbours.class);
    private static final int WATCHED = 3;

    private final String runtimeId;
    private final Machine machine;
    private final LongSupplier clock;
    private final Supplier<Optional<InetAddress>> storeAddress;
    private final Consumer<Set<Suspect>> suspects;

    private int port;
    private boolean closed;
    private Optional<InetAddress> configured = Optional.empty();
    private Optional<SharedThread> thread = Optional.empty();
    private Optional<String> machineId = Optional.empty();
    private Optional<String> processName = Optional.empty();
    private Optional<NeighbourPort> listening = Optional.empty();
    private Optional<StoreSnapshot> followed = Optional.empty();

    private volatile boolean refusalIsProof;
    private volatile Optional<Reason> problem = Optional.empty();

    /** Changed by the thread of the connections only, as the suspects are. */
    final List<Watch> watches = new CopyOnWriteArrayList<>();

    private Set<Suspect> suspected = Set.of();

    /**
     * Creates neighbours of an instance that does not listen yet.
     *
     * @param machine the machine of this process
     * @param clock monotonic milliseconds
     * @param storeAddress returns the local address by which the instance reaches the store
     * @param suspects receives the suspects each time they change; must not block
     */
    public Neighbours(
            String runtimeId,
            Machine machine,
            LongSupplier clock,
            Supplier<Optional<InetAddress>> storeAddress,
            Consumer<Set<Suspect>> suspects) {
        this.runtimeId = runtimeId;
        this.machine = machine;
        this.clock = clock;
        this.storeAddress = storeAddress;
        this.suspects = suspects;
    }

    /** Sets where the next {@link #listen} listens: at port 0 for any, not at all for -1; by default at the address by which the store is reached. */
    public synchronized void configure(int newPort, Optional<InetAddress> address, boolean proof) {
        refusalIsProof = proof;
        port = closed ? -1 : newPort;
        configured = address;
    }

    /** Listens, unless it does so there already; each call tries a port again that was taken. Returns the data of the process with the endpoint, which is empty if it does not listen. */
    public synchronized ProcessInfo listen(ProcessInfo process) {
        // Each turn asks, and neither changes while this process lives.
        if (machineId.isEmpty() || processName.isEmpty()) {
            machineId = machine.id();
            processName = machine.process(process.pid());
        }
        return process.withEndpoint(listen(), machineId.orElse(""), processName.orElse(""));
    }

    synchronized String listen() {
        Optional<InetSocketAddress> wanted = configured
                .or(storeAddress)
                .filter(address -> port >= 0)
                .map(address -> new InetSocketAddress(address, port));
        if (wanted.isEmpty()) {
            stop();
            return "";
        }
        if (listening.filter(each -> each.at.equals(wanted.get())).isEmpty()) {
            listening.ifPresent(before -> thread.get().executor.execute(before::close));
            listening = open(wanted.get());
        }
        return listening.map(each -> each.address).map(Neighbours::text).orElse("");
    }

    private static String text(InetSocketAddress address) {
        return address.toString().replaceFirst(".*/", "");
    }

    private Optional<NeighbourPort> open(InetSocketAddress at) {
        try {
            if (thread.isEmpty()) {
                thread = Optional.of(SharedThread.acquire());
            }
            NeighbourPort opened = new NeighbourPort(at, thread.get(), runtimeId);
            problem = Optional.empty();
            LOG.info("Listens for neighbours at {}", text(opened.address));
            return Optional.of(opened);
        } catch (IOException | RuntimeException e) {
            Optional<Reason> known = problem;
            problem = Optional.of(Reason.of(ReasonCode.NOT_LISTENING, text(at), e.getMessage()));
            if (!problem.equals(known)) {
                LOG.warn("{}", problem.get().sentence(id -> id));
            }
            return Optional.empty();
        }
    }

    /** Watches the neighbours in a view on which this instance acts, with the records that the store shows, once {@link #listen} was called. */
    public synchronized void follow(HeldView held, StoreSnapshot seen) {
        if (port < 0
                || thread.isEmpty()
                || followed.filter(seen::hasSameMembers).isPresent()) {
            return;
        }
        followed = Optional.of(seen);
        List<Member> order = seen.survivors();
        int self = order.stream().map(Member::node).toList().indexOf(held.self());
        List<Member> next = IntStream.range(self + 1, self + order.size())
                .mapToObj(i -> order.get(i % order.size()))
                .filter(member -> !member.record().process().endpoint().isEmpty())
                .limit(WATCHED)
                .toList();
        SharedThread shared = thread.get();
        shared.executor.execute(() -> watch(next, shared));
    }

    private void watch(List<Member> next, SharedThread shared) {
        watches.stream().filter(each -> next.stream().noneMatch(each::isOf)).forEach(Watch::close);
        watches.removeIf(each -> next.stream().noneMatch(each::isOf));
        next.stream()
                .filter(member -> watches.stream().noneMatch(each -> each.isOf(member)))
                .forEach(member ->
                        watches.add(new Watch(member, machine, shared, clock, () -> refusalIsProof, this::show)));
        show();
    }

    private void show() {
        Set<Suspect> now =
                watches.stream().flatMap(each -> each.suspect().stream()).collect(Collectors.toSet());
        if (!now.equals(suspected)) {
            suspected = now;
            suspects.accept(now);
        }
    }

    /** Returns why crashes of the members that the store shows are noticed later than they could be. */
    public List<Reason> problems(Optional<StoreSnapshot> seen) {
        Stream<Watch> live = watches.stream().filter(each -> seen.filter(one -> one.isLive(each.member.node()))
                .isPresent());
        return Stream.concat(problem.stream(), live.flatMap(each -> each.problem().stream()))
                .toList();
    }

    private CompletableFuture<Void> stop() {
        Optional<NeighbourPort> before = listening;
        listening = Optional.empty();
        followed = Optional.empty();
        problem = Optional.empty();
        Runnable all = () -> {
            before.ifPresent(NeighbourPort::close);
            watches.forEach(Watch::close);
            watches.clear();
            show();
        };
        return thread.map(shared -> CompletableFuture.runAsync(all, shared.executor))
                .orElseGet(() -> CompletableFuture.completedFuture(null));
    }

    /** Says goodbye to all neighbours for good; completes when that is done. */
    public synchronized CompletableFuture<Void> close() {
        CompletableFuture<Void> stopped = stop();
        thread.ifPresent(each -> SharedThread.release());
        thread = Optional.empty();
        closed = true;
        port = -1;
        return stopped;
    }
}
