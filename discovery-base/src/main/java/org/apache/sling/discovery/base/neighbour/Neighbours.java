// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.neighbour;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.sling.discovery.base.environment.Time;
import org.apache.sling.discovery.base.protocol.HeldView;
import org.apache.sling.discovery.base.protocol.Suspect;
import org.apache.sling.discovery.commons.model.EstablishedView;
import org.apache.sling.discovery.commons.model.Member;
import org.apache.sling.discovery.commons.model.ProcessInfo;
import org.apache.sling.discovery.commons.model.Reason;
import org.apache.sling.discovery.commons.model.ReasonCode;
import org.apache.sling.discovery.commons.model.StoreSnapshot;
import org.apache.sling.discovery.commons.report.TopologyReport.Watched;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The neighbours of an instance: it watches the next two members in the order of the view, where the first follows the last, and listens for
 * those that watch it. A member without an endpoint is skipped. All methods may be called from any thread and do not block.
 */
public final class Neighbours {

    /** A neighbour that has not been reached for longer than this, in milliseconds, is a problem. */
    static final long UNREACHABLE_MILLIS = 10_000;

    private static final Logger LOG = LoggerFactory.getLogger(Neighbours.class);
    private static final int WATCHED = 2;

    private final ProcessInfo own;
    private final Time time;
    private final Supplier<Optional<InetAddress>> storeAddress;
    private final Consumer<Set<Suspect>> suspects;

    private int port;
    private Optional<InetAddress> configured = Optional.empty();
    private boolean off;
    private boolean closed;
    private Optional<SelectorThread> thread = Optional.empty();
    private Optional<NeighbourPort> listening = Optional.empty();
    private Optional<InetSocketAddress> bound = Optional.empty();
    private Optional<EstablishedView> view = Optional.empty();
    private Optional<StoreSnapshot.Live> live = Optional.empty();
    private List<Neighbour> next = List.of();

    private volatile Optional<Reason> problem = Optional.empty();
    private volatile List<Watched> watched = List.of();

    /** Both are confined to the thread of the connections. */
    private final Map<Neighbour, Watch> watches = new LinkedHashMap<>();

    private Set<Suspect> suspected = Set.of();

    /**
     * Creates neighbours of an instance that does not listen yet.
     *
     * @param storeAddress returns the local address by which the instance reaches the store
     * @param suspects receives the suspects each time they change; must not block
     */
    public Neighbours(
            ProcessInfo own, Time time, Supplier<Optional<InetAddress>> storeAddress, Consumer<Set<Suspect>> suspects) {
        this.own = own;
        this.time = time;
        this.storeAddress = storeAddress;
        this.suspects = suspects;
    }

    /** Sets where the next {@link #listen} listens: at port 0 for any, not at all for -1; by default at the address by which the store is reached. */
    public synchronized void configure(int newPort, Optional<InetAddress> address) {
        off = closed || newPort < 0;
        port = newPort;
        configured = address;
    }

    /** Listens, unless it does so there already. Returns the endpoint for the record; empty if it does not listen. */
    public synchronized String listen() {
        Optional<InetAddress> local = storeAddress.get();
        Optional<InetAddress> reached =
                configured.filter(address -> !address.isAnyLocalAddress()).or(() -> local);
        if (off || reached.isEmpty()) {
            stop();
            return "";
        }
        // The local address may differ from server to server; loopback is of no use for other machines.
        Optional<InetSocketAddress> wanted = bound.filter(at -> configured.isEmpty()
                        && at.getPort() == port
                        && local.get().isLoopbackAddress())
                .or(() -> Optional.of(new InetSocketAddress(configured.orElseGet(local::get), port)));
        if (listening.isEmpty() || !wanted.equals(bound)) {
            listening.ifPresent(before -> thread.get().execute(before::close));
            bound = wanted;
            listening = open(wanted.get());
        }
        return listening
                .map(NeighbourPort::address)
                .map(at ->
                        at.getAddress().isAnyLocalAddress() ? new InetSocketAddress(reached.get(), at.getPort()) : at)
                .map(Neighbour::endpoint)
                .orElse("");
    }

    private Optional<NeighbourPort> open(InetSocketAddress at) {
        Optional<Reason> before = problem;
        try {
            NeighbourPort opened = new NeighbourPort(at, thread(), own.runtimeId());
            problem = Optional.empty();
            LOG.info("Listens for neighbours at {}", Neighbour.endpoint(opened.address()));
            return Optional.of(opened);
        } catch (IOException | RuntimeException e) {
            problem = Optional.of(Reason.of(ReasonCode.NOT_LISTENING, Neighbour.endpoint(at), e.getMessage()));
            if (!problem.equals(before)) {
                LOG.warn("{}", problem.get().sentence(id -> id));
            }
            return Optional.empty();
        }
    }

    private SelectorThread thread() throws IOException {
        if (thread.isEmpty()) {
            thread = Optional.of(SelectorThread.acquire());
        }
        return thread.get();
    }

    /** Watches the neighbours in a view on which this instance acts, with the records that the store shows. */
    public synchronized void follow(HeldView held, StoreSnapshot seen) {
        boolean sameView = view.filter(known -> known == held.view()).isPresent();
        if (off || sameView && live.get() == seen.live()) {
            return;
        }
        List<Member> order = seen.survivors();
        List<String> nodes = order.stream().map(Member::node).toList();
        int self = nodes.indexOf(held.self());
        List<Neighbour> found = Stream.iterate(self + 1, i -> i < self + order.size(), i -> i + 1)
                .map(i -> order.get(i % order.size()))
                .filter(member -> !member.record().process().endpoint().isEmpty())
                .limit(WATCHED)
                .map(member -> Neighbour.of(member, own))
                .toList();
        boolean same = sameView && found.equals(next);
        view = Optional.of(held.view());
        live = Optional.of(seen.live());
        next = found;
        if (same || found.isEmpty() && thread.isEmpty()) {
            return;
        }
        try {
            SelectorThread selector = thread();
            selector.execute(() -> watch(found, Set.copyOf(nodes), held.self(), selector));
        } catch (IOException e) {
            LOG.warn("This instance cannot watch its neighbours", e);
        }
    }

    /** A suspect stays one until it has left the view, even if it is a neighbour no longer. */
    private void watch(List<Neighbour> found, Set<String> nodes, String self, SelectorThread selector) {
        for (Watch each : List.copyOf(watches.values())) {
            boolean suspect = each.suspect().isPresent()
                    && nodes.contains(each.neighbour().node());
            if (!suspect && !found.contains(each.neighbour())) {
                watches.remove(each.neighbour());
                each.close();
            }
        }
        List<Watch> added = new ArrayList<>();
        for (Neighbour each : found) {
            watches.computeIfAbsent(each, one -> {
                added.add(new Watch(one, self, selector, time.wall(), this::show));
                return added.get(added.size() - 1);
            });
        }
        added.forEach(Watch::connect);
        show();
    }

    private void show() {
        watched = watches.values().stream().map(Watch::shown).toList();
        Set<Suspect> now = watches.values().stream()
                .flatMap(each -> each.suspect().stream())
                .collect(Collectors.toSet());
        if (!now.equals(suspected)) {
            suspected = now;
            suspects.accept(now);
        }
    }

    /** Returns the members that this instance watches. */
    public List<Watched> watched() {
        return watched;
    }

    /** Returns why crashes are noticed later than they could be. */
    public List<Reason> problems() {
        long limit = time.wall().getAsLong() - UNREACHABLE_MILLIS;
        Stream<Reason> unreachable = watched.stream()
                .filter(each -> !each.connected() && each.sinceMillis() <= limit)
                .map(Neighbours::unreachable);
        return Stream.concat(problem.stream(), unreachable).toList();
    }

    static Reason unreachable(Watched neighbour) {
        return Reason.of(ReasonCode.NOT_WATCHED, neighbour.id(), neighbour.endpoint());
    }

    private CompletableFuture<Void> stop() {
        CompletableFuture<Void> stopped = new CompletableFuture<>();
        Optional<NeighbourPort> before = listening;
        Runnable all = () -> {
            before.ifPresent(NeighbourPort::close);
            watches.values().forEach(Watch::close);
            watches.clear();
            show();
            stopped.complete(null);
        };
        thread.ifPresentOrElse(each -> each.execute(all), () -> stopped.complete(null));
        listening = Optional.empty();
        view = Optional.empty();
        problem = Optional.empty();
        return stopped;
    }

    /** Says goodbye to all neighbours for good; completes when that is done. */
    public synchronized CompletableFuture<Void> close() {
        CompletableFuture<Void> stopped = stop();
        thread.ifPresent(each -> SelectorThread.release());
        thread = Optional.empty();
        off = true;
        closed = true;
        return stopped;
    }
}
