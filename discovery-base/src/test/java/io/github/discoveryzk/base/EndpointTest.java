// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.base;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.discoveryzk.base.environment.Execution;
import io.github.discoveryzk.base.environment.InstanceIdentity;
import io.github.discoveryzk.base.environment.Time;
import io.github.discoveryzk.base.protocol.Protocol;
import io.github.discoveryzk.model.MemberRecord;
import io.github.discoveryzk.model.ProcessInfo;
import io.github.discoveryzk.spi.ClusterStore;
import io.github.discoveryzk.spi.Request;
import io.github.discoveryzk.spi.SettlingPolicy;
import io.github.discoveryzk.spi.StoreObserver;
import io.github.discoveryzk.testing.memory.MemoryStore;
import io.github.discoveryzk.testing.time.VirtualProcess;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;
import org.apache.sling.discovery.TopologyEvent.Type;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceAccessMode;
import org.junit.jupiter.api.parallel.ResourceLock;

/** What the endpoint of an instance costs the others. */
@ResourceLock(value = "discovery-neighbours", mode = ResourceAccessMode.READ)
class EndpointTest extends VirtualCluster {

    private static final int LIMIT = 60_000;

    private final VirtualProcess process = new VirtualProcess(time);
    private final AddressedStore store = new AddressedStore(
            new MemoryStore(ensemble, process, new Random(1), VirtualInstance.SESSION_TIMEOUT, 10, 0));
    private final DiscoveryInstance instance = InstanceUnderTest.following(
            Protocol.SETTLING,
            new InstanceIdentity("b", new ProcessInfo("run-b", "host", 1, "/", 0)),
            store,
            () -> SettlingPolicy.DEFAULT,
            new Execution(
                    new Time(process::clock, time::now),
                    process.executor(() -> 0, task -> task),
                    task -> process.after(0, task),
                    () -> {}));

    private VirtualInstance other;

    @AfterEach
    void close() {
        other.leave();
        instance.leave().thenRun(() -> process.after(0, instance::close));
        time.run(LIMIT);
    }

    private List<String> endpoints() {
        return store.requests.stream()
                .flatMap(EndpointTest::written)
                .map(record -> record.process().endpoint())
                .toList();
    }

    private static Stream<MemberRecord> written(Request request) {
        if (request instanceof Request.Announce announce) {
            return Stream.of(announce.record());
        }
        return request instanceof Request.Update update ? Stream.of(update.record()) : Stream.of();
    }

    @Test
    void theFirstRecordHasTheEndpointAndAChangeOfItIsNoEvent() {
        other = settled("a");
        instance.start();
        assertThat(other.awaitOrder("a", "b")).isTrue();
        time.run(LIMIT);
        assertThat(endpoints()).singleElement().asString().matches("127\\.0\\.0\\.1:[1-9]\\d*");

        List<Type> before = other.eventTypes();
        instance.listenForNeighbours(-1, Optional.empty(), false);
        time.run(LIMIT);
        assertThat(endpoints()).hasSize(2).endsWith("");
        instance.listenForNeighbours(0, Optional.of(InetAddress.getLoopbackAddress()), false);
        time.run(LIMIT);
        assertThat(endpoints()).hasSize(3);
        assertThat(endpoints().get(2)).startsWith("127.0.0.1:");
        assertThat(other.eventTypes()).isEqualTo(before);
        assertThat(instance.getTopology().isCurrent()).isTrue();
    }

    @Test
    void aPortThatWasTakenIsUsedOnceItIsFree() throws IOException {
        other = settled("a");
        ServerSocket holder = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        instance.listenForNeighbours(holder.getLocalPort(), Optional.empty(), false);
        instance.start();
        assertThat(other.awaitOrder("a", "b")).isTrue();
        time.run(LIMIT);
        assertThat(endpoints()).containsExactly("");

        holder.close();
        time.run(LIMIT);
        assertThat(endpoints()).containsExactly("", "127.0.0.1:" + holder.getLocalPort());
    }

    /** A store that is reached by loopback, and that records the requests. */
    private record AddressedStore(MemoryStore store, List<Request> requests) implements ClusterStore {

        AddressedStore(MemoryStore store) {
            this(store, new ArrayList<>());
        }

        @Override
        public Optional<InetAddress> localAddress() {
            return Optional.of(InetAddress.getLoopbackAddress());
        }

        @Override
        public void open(StoreObserver observer) {
            store.open(observer);
        }

        @Override
        public void request(Request request) {
            requests.add(request);
            store.request(request);
        }

        @Override
        public void collect(boolean acknowledgements) {
            store.collect(acknowledgements);
        }

        @Override
        public void close() {
            store.close();
        }
    }
}
