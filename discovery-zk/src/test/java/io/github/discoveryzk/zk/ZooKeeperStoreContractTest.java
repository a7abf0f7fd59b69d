// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.zk;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;

import io.github.discoveryzk.spi.ClusterStore;
import io.github.discoveryzk.testing.ClusterStoreContract;
import io.github.discoveryzk.testing.server.ServerOfVersion;
import io.github.discoveryzk.testing.server.StandaloneServer;
import io.github.discoveryzk.testing.server.TcpProxy;
import io.github.discoveryzk.testing.server.TestServer;
import io.github.discoveryzk.zk.tree.Names;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * The contract of every back end, on a real server of the client's version and of older ones; each store has a proxy of its own that can
 * cut it off. Tests run side by side, because each has a root of its own and mostly waits.
 */
@Execution(ExecutionMode.CONCURRENT)
class ZooKeeperStoreContractTest extends ClusterStoreContract {
    private static final AtomicInteger ROOTS = new AtomicInteger();

    private static final byte[] BROKEN = {'?'};

    /** A server for each class, because classes may run at the same time. */
    private static final Map<Class<?>, StandaloneServer> SERVERS = new ConcurrentHashMap<>();

    /** The version of the server, if it is not that of the client. */
    @Retention(RetentionPolicy.RUNTIME)
    @interface ServerVersion {
        String value();
    }

    private final StandaloneServer server = SERVERS.get(getClass());
    private final String root = "/root-" + ROOTS.incrementAndGet();
    private final String path = root + "/clusters/default";
    private final Map<ClusterStore, TcpProxy> proxies = new ConcurrentHashMap<>();

    @BeforeAll
    static void start(@TempDir Path data, TestInfo test) throws Exception {
        Class<?> one = test.getTestClass().orElseThrow();
        ServerVersion version = one.getAnnotation(ServerVersion.class);
        SERVERS.put(one, version == null ? new TestServer(data) : ServerOfVersion.start(version.value(), data));
    }

    @AfterAll
    static void stop(TestInfo test) {
        SERVERS.get(test.getTestClass().orElseThrow()).close();
    }

    @AfterEach
    void closeProxies() {
        proxies.values().forEach(TcpProxy::close);
    }

    @Override
    public ClusterStore newStore() {
        TcpProxy proxy = new TcpProxy(server.port());
        ClusterStore store =
                new ZooKeeperStore(ZooKeeperStoreConfig.of(proxy.address()).withRootPath(root));
        proxies.put(store, proxy);
        return store;
    }

    @Override
    public void await(BooleanSupplier condition) {
        // Reconnects of the client are a second or so apart.
        Awaitility.await()
                .pollInterval(Duration.ofMillis(5))
                .atMost(Duration.ofSeconds(60))
                .until(condition::getAsBoolean);
    }

    @Override
    public void expire(ClusterStore store) {
        server.expire(server.session(proxies.get(store).lastPort()));
    }

    @Override
    public void interrupt(ClusterStore store) {
        proxies.get(store).cut();
    }

    @Override
    public void restore(ClusterStore store) {
        proxies.get(store).restore();
    }

    @Override
    public OptionalInt historySize() {
        try {
            return OptionalInt.of(
                    server.exists(path) ? server.children(path + "/history").size() : 0);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public boolean spoilView() {
        return done(() -> server.with(client -> client.setData(path + "/view", BROKEN, -1)));
    }

    @Override
    public Optional<String> spoilHistory(long number) {
        String entry = path + "/history/" + Names.entry(number);
        done(() -> server.with(client -> client.setData(entry, BROKEN, -1)));
        return Optional.of(entry);
    }

    @Override
    public String clusterPath() {
        return path + "/";
    }

    @Override
    public boolean deleteEverything() {
        return done(() -> server.delete(path));
    }

    private static boolean done(Executable change) {
        assertDoesNotThrow(change::execute);
        return true;
    }
}
