// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.connectors;

import io.github.discoveryzk.base.DiscoveryInstance;
import io.github.discoveryzk.base.environment.Execution;
import io.github.discoveryzk.base.environment.InstanceIdentity;
import io.github.discoveryzk.base.environment.Time;
import io.github.discoveryzk.connectors.client.Transport;
import io.github.discoveryzk.connectors.client.Transport.PeerExchanges;
import io.github.discoveryzk.connectors.endpoint.ConnectorReply;
import io.github.discoveryzk.connectors.endpoint.Sent;
import io.github.discoveryzk.connectors.settings.ConnectorSettings;
import io.github.discoveryzk.connectors.settings.ConnectorSettings.Transfer;
import io.github.discoveryzk.connectors.settings.Timing;
import io.github.discoveryzk.connectors.trust.AllowList;
import io.github.discoveryzk.connectors.trust.Trust;
import io.github.discoveryzk.connectors.wire.AnnouncementCodec;
import io.github.discoveryzk.connectors.wire.InvalidMessage;
import io.github.discoveryzk.connectors.wire.Message;
import io.github.discoveryzk.connectors.wire.MessageBody;
import io.github.discoveryzk.connectors.wire.WireLimits;
import io.github.discoveryzk.model.ProcessInfo;
import io.github.discoveryzk.report.State;
import io.github.discoveryzk.spi.SettlingPolicy;
import io.github.discoveryzk.spi.SettlingPolicy.SuspendedPolicy;
import io.github.discoveryzk.testing.memory.MemoryEnsemble;
import io.github.discoveryzk.testing.memory.MemoryStore;
import io.github.discoveryzk.testing.time.VirtualProcess;
import io.github.discoveryzk.testing.time.VirtualTime;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.sling.discovery.ClusterView;
import org.apache.sling.discovery.InstanceDescription;
import org.apache.sling.discovery.TopologyEvent;

/** A real instance on virtual time, whose connectors call the endpoints of other instances instead of a network. */
final class ConnectedInstance {

    private static final SettlingPolicy POLICY = new SettlingPolicy(4_000, 0, 200, SuspendedPolicy.LEASE);
    private static final AnnouncementCodec CODEC = new AnnouncementCodec(WireLimits.DEFAULT);

    final String id;
    final DiscoveryInstance instance;
    final InstanceConnectors connectors;
    final MemoryStore store;
    final List<TopologyEvent> events = new ArrayList<>();
    final List<String> received = new ArrayList<>();
    private final VirtualTime time;
    private final VirtualProcess process;
    private final Map<String, ConnectedInstance> all;
    private boolean dead;

    ConnectedInstance(String id, VirtualTime time, MemoryEnsemble ensemble, Map<String, ConnectedInstance> all) {
        this.id = id;
        this.time = time;
        this.all = all;
        long number = all.size() + 1;
        this.process = new VirtualProcess(time, 0, 1);
        this.store = new MemoryStore(ensemble, process, new Random(number), 3_000, 10, 0);
        Execution execution = new Execution(
                new Time(process::clock, time::now),
                process.executor(() -> 0),
                task -> process.after(0, task),
                () -> {});
        this.instance = new DiscoveryInstance(
                new InstanceIdentity(
                        id, new ProcessInfo("run-" + number, "host-" + id, number, "/home/" + id, time.now())),
                store,
                () -> POLICY,
                execution);
        this.connectors = new InstanceConnectors(
                instance.local(),
                execution.time(),
                (ownId, settings, clocks) -> new Transport(process.executor(() -> 0), new Peers(), () -> {}));
        instance.addListener(events::add);
        instance.start();
        all.put(id, this);
    }

    /** Opens connectors to those instances; an entry with blanks has fall-backs. */
    void connect(String... peers) {
        connect(false, AllowList.of(List.of("127.0.0.1")), Optional.empty(), peers);
    }

    void connect(boolean gzip, AllowList allowed, Optional<Trust> trust, String... peers) {
        List<List<URI>> outgoing = Stream.of(peers)
                .map(each -> Stream.of(each.split(" "))
                        .map(peer -> URI.create("http://" + peer + "/libs/sling/topology/connector"))
                        .toList())
                .toList();
        Transfer transfer = new Transfer(Duration.ofSeconds(10), Duration.ofSeconds(10), gzip);
        connectors.connect(new ConnectorSettings(outgoing, allowed, trust, Timing.DEFAULT, transfer, false));
    }

    void kill() {
        dead = true;
        process.kill();
        store.fallSilent();
    }

    boolean awaitSettled() {
        return time.runUntil(() -> instance.reporter().report().state() == State.SETTLED, 60_000);
    }

    /** Returns the instances of each cluster that this instance shows, by cluster id. */
    Map<String, List<String>> shown() {
        return instance.getTopology().getClusterViews().stream()
                .collect(Collectors.toMap(
                        ClusterView::getId,
                        each -> each.getInstances().stream()
                                .map(InstanceDescription::getSlingId)
                                .toList(),
                        (one, other) -> one,
                        TreeMap::new));
    }

    /** Returns the ids of all instances that this instance shows, in alphabetical order. */
    String instances() {
        return instance.getTopology().getInstances().stream()
                .map(InstanceDescription::getSlingId)
                .sorted()
                .collect(Collectors.joining(" "));
    }

    /** Returns an instance as this instance shows it. */
    InstanceDescription remote(String instanceId) {
        return instance.getTopology().getInstances().stream()
                .filter(each -> each.getSlingId().equals(instanceId))
                .findFirst()
                .orElseThrow();
    }

    boolean awaitInstances(String ids, long millis) {
        return time.runUntil(() -> instances().equals(ids), millis);
    }

    ConnectorReply handle(Sent request) {
        received.add(request.method);
        return connectors.endpoint().orElseThrow().handle(request.request());
    }

    private final class Peers implements PeerExchanges {
        @Override
        public CompletableFuture<Result> ping(URI url, Message message) {
            return exchange(url, Sent.put(message));
        }

        @Override
        public CompletableFuture<Result> disconnect(URI url) {
            return exchange(url, Sent.delete(id));
        }

        private CompletableFuture<Result> exchange(URI url, Sent request) {
            CompletableFuture<Result> future = new CompletableFuture<>();
            time.after(5, () -> {
                Result result = send(all.get(url.getHost()), request);
                process.after(5, () -> future.complete(result));
            });
            return future;
        }

        private Result send(ConnectedInstance peer, Sent request) {
            if (peer.dead || peer.connectors.endpoint().isEmpty()) {
                return Result.failed("No connection.");
            }
            ConnectorReply reply = peer.handle(request);
            if (reply.status() != 200) {
                return Result.failed("Status " + reply.status() + ".");
            }
            try {
                return new Result(
                        request.method.equals("DELETE")
                                ? Optional.empty()
                                : Optional.of(CODEC.read(
                                        new MessageBody(WireLimits.DEFAULT)
                                                .text(reply.body(), Optional.empty(), Optional.empty()),
                                        true)),
                        Optional.empty(),
                        0,
                        0);
            } catch (InvalidMessage e) {
                throw new AssertionError(e);
            }
        }
    }
}
