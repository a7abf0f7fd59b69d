// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.connectors;

import io.github.discoveryzk.base.environment.Time;
import io.github.discoveryzk.connectors.client.OutgoingConnector;
import io.github.discoveryzk.connectors.client.Transport;
import io.github.discoveryzk.connectors.endpoint.ConnectorEndpoint;
import io.github.discoveryzk.connectors.registry.AnnouncementRegistry;
import io.github.discoveryzk.connectors.registry.SharedClusters.SharedContent;
import io.github.discoveryzk.connectors.settings.ConnectorSettings;
import io.github.discoveryzk.connectors.trust.Trust;
import io.github.discoveryzk.connectors.wire.Announcement;
import io.github.discoveryzk.connectors.wire.AnnouncementCodec;
import io.github.discoveryzk.connectors.wire.WireLimits;
import io.github.discoveryzk.model.Bytes;
import io.github.discoveryzk.model.RemoteCluster;
import io.github.discoveryzk.report.ConnectorReport;
import io.github.discoveryzk.spi.LocalInstance;
import java.net.InetAddress;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;
import org.apache.sling.discovery.ClusterView;
import org.apache.sling.discovery.TopologyEvent;
import org.apache.sling.discovery.TopologyEventListener;
import org.apache.sling.discovery.TopologyView;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The connectors of an instance for one configuration: those that it opens, the endpoint for those of peers, and what both hold, which is
 * shared with the other members through the store. It is a listener for the local cluster, so that it knows what to announce; it pings at
 * once when the local cluster or another one has changed.
 *
 * <p>All methods may be called from any thread and do not block.
 */
public final class Connectors implements TopologyEventListener {

    private static final Logger LOG = LoggerFactory.getLogger(Connectors.class);

    private static final long TICK_MILLIS = 500;
    /** All instances keep what each of them has received, so one may take but this part of the heap. */
    private static final int PART_OF_HEAP = 64;
    /** How long after a change of what is held the next one is shared at the earliest: each costs every instance an event. */
    static final long SHARE_INTERVAL_MILLIS = 1_000;

    private final LocalInstance instance;
    private final ConnectorSettings settings;
    private final AnnouncementRegistry registry;
    private final ConnectorEndpoint endpoint;
    private final List<OutgoingConnector> outgoing;
    private final Transport transport;
    private final Consumer<Map<String, Bytes>> share;
    private final LongSupplier clock;
    private volatile State state = State.PREPARED;
    private Optional<Map<String, Bytes>> shared = Optional.empty();
    private long nextShareAt = Long.MIN_VALUE;

    /**
     * Prepares connectors; they do nothing before {@link #begin}.
     *
     * @param instance the validity of its last view is that of what is announced
     * @param httpPort the port that peers may show beside the host of the instance
     * @param share receives what this instance shares, on the timer
     * @param transport what they run on; ended by {@link #end}
     */
    public Connectors(
            LocalInstance instance,
            String httpPort,
            ConnectorSettings settings,
            Consumer<Map<String, Bytes>> share,
            Time time,
            Transport transport) {
        this.settings = settings;
        this.transport = transport;
        this.instance = instance;
        this.registry = new AnnouncementRegistry(
                instance.instanceId(),
                instance.host() + ":" + httpPort,
                settings,
                time,
                () -> onTimer(this::share),
                Runtime.getRuntime().maxMemory() / PART_OF_HEAP);
        this.share = share;
        this.clock = time.monotonic();
        this.endpoint =
                new ConnectorEndpoint(settings, registry, time, WireLimits.DEFAULT, InetAddress::getCanonicalHostName);
        this.outgoing = IntStream.range(0, settings.outgoing().size())
                .mapToObj(i -> new OutgoingConnector(settings, i, registry, transport, time, LOG))
                .toList();
    }

    /** Sends the first pings and listens to the instance, unless the connectors have ended already. */
    public synchronized void begin() {
        if (state == State.PREPARED) {
            state = State.BEGUN;
            onTimer(this::tick);
            outgoing.forEach(each -> each.pingNow(false));
            instance.addOwnClusterListener(this, () -> "topology connectors");
        }
    }

    /** Returns the configuration. */
    public ConnectorSettings settings() {
        return settings;
    }

    /**
     * Takes over what peers announced to the connectors before, which end. Otherwise their clusters would vanish until they ping again. It
     * takes nothing if messages are signed differently, and nothing of peers that may no longer connect. If the allow list is another
     * one, peers that only an entry with a host name allows have to connect again, because a name service might take long.
     */
    public void follow(Connectors before) {
        if (settings.trust().equals(before.settings.trust())) {
            endpoint.follow(before.endpoint);
            boolean sameList = settings.allowed().equals(before.settings.allowed());
            registry.takeIncoming(
                    before.registry,
                    address -> settings.trust().isPresent()
                            || sameList
                            || settings.allowed().allows(address, any -> ""));
        }
    }

    /** Returns what replies to the peers that connect to this instance. */
    public ConnectorEndpoint endpoint() {
        return endpoint;
    }

    /**
     * Returns the state of all connectors.
     *
     * @param path the path at which a servlet container offers the endpoint; empty when none does
     */
    public ConnectorReport report(Optional<String> path) {
        return new ConnectorReport(
                true,
                path,
                outgoing.stream().map(OutgoingConnector::report).toList(),
                registry.incoming(),
                endpoint.refusals(),
                settings.timing().pingTimeout().toMillis());
    }

    @Override
    public void handleTopologyEvent(TopologyEvent event) {
        switch (event.getType()) {
            case TOPOLOGY_CHANGING -> registry.hideLocal();
            case TOPOLOGY_INIT -> show(event.getNewView(), false);
            case TOPOLOGY_CHANGED, PROPERTIES_CHANGED -> show(event.getNewView(), true);
        }
    }

    private void show(TopologyView view, boolean resetBackoff) {
        if (state == State.ENDED) {
            return;
        }
        try {
            registry.showLocal(announced(view.getLocalInstance().getClusterView()), () -> instance.topology()
                    .isCurrent());
        } catch (IllegalArgumentException e) {
            LOG.warn("The local cluster cannot be announced to peers", e);
            registry.hideLocal();
        }
        outgoing.forEach(each -> each.pingNow(resetBackoff));
    }

    private RemoteCluster announced(ClusterView view) {
        RemoteCluster cluster = new RemoteCluster(
                view.getId(),
                view.getInstances().stream()
                        .map(each -> Announcement.announceable(each.getSlingId(), each.getProperties()))
                        .toList(),
                view.getLeader().getSlingId());
        RemoteCluster fitting =
                new AnnouncementCodec(Trust.writable(settings.trust(), WireLimits.DEFAULT)).fitting(cluster);
        if (fitting != cluster) {
            LOG.warn("Peers would refuse messages with so many or so long properties, so the local cluster is announced"
                    + " without them. Provide less");
        }
        return fitting;
    }

    /** Sets what this instance knows besides what it holds, which is announced to peers. */
    public void showOthers(List<RemoteCluster> siblings, List<SharedContent> shared) {
        registry.showSiblings(siblings);
        registry.showShared(shared);
    }

    private void onTimer(Runnable task) {
        try {
            transport.timer().execute(task);
        } catch (RejectedExecutionException e) {
            LOG.debug("The connectors have ended", e);
        }
    }

    /** Lets announcements expire, and shares what could not be shared before. */
    private void tick() {
        if (state != State.ENDED) {
            transport.timer().schedule(this::tick, TICK_MILLIS, TimeUnit.MILLISECONDS);
            registry.expire();
            share();
        }
    }

    /** Shares what is held if it is something else and the last change is a while ago. */
    private synchronized void share() {
        long now = clock.getAsLong();
        if (state != State.BEGUN || now < nextShareAt) {
            return;
        }
        Optional<Map<String, Bytes>> held = Optional.of(registry.held());
        if (!held.equals(shared)) {
            // The first time it replaces what the connectors before shared; nothing else has arrived meanwhile.
            nextShareAt = shared.isEmpty() ? nextShareAt : now + SHARE_INTERVAL_MILLIS;
            shared = held;
            share.accept(held.get());
        }
    }

    /**
     * Ends all connectors: the peers that accepted them are asked to drop what they hold of this instance.
     *
     * @return completes when they have replied, and otherwise within two seconds. Its threads end then
     */
    public CompletableFuture<Void> end() {
        boolean begun;
        synchronized (this) {
            begun = state == State.BEGUN;
            state = State.ENDED;
        }
        registry.hideLocal();
        CompletableFuture<?>[] ends = begun
                ? outgoing.stream().map(OutgoingConnector::close).toArray(CompletableFuture[]::new)
                : new CompletableFuture<?>[0];
        registry.forgetAll();
        return CompletableFuture.allOf(ends)
                .whenComplete((any, error) -> transport.end().run());
    }

    private enum State {
        PREPARED,
        BEGUN,
        ENDED
    }
}
