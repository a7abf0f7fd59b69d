// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.zk.server.ensemble;

import io.github.discoveryzk.spi.ThreadsAndClocks;
import java.io.IOException;
import java.util.HashSet;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.zookeeper.jmx.MBeanRegistry;
import org.apache.zookeeper.jmx.ZKMBeanInfo;
import org.apache.zookeeper.server.command.FourLetterCommands;
import org.apache.zookeeper.server.embedded.ExitHandler;
import org.apache.zookeeper.server.embedded.ZooKeeperServerEmbedded;
import org.apache.zookeeper.server.quorum.LocalPeerMXBean;

/** ZooKeeper in this process, from its start to its end. There is one in a class loader, because ZooKeeper keeps static state. */
@ThreadsAndClocks
final class EmbeddedServer implements AutoCloseable {
    static final long START_MILLIS = 30_000;
    private static final long STOP_MILLIS = 10_000;
    /** A text constant, so that it is the same object for all bundles of the process, which share the system properties. */
    private static final Object PROPERTIES = "io.github.discoveryzk.zk.server: zookeeper.*";

    private final ZooKeeperServerEmbedded server;
    private final Beans beans;

    private EmbeddedServer(ZooKeeperServerEmbedded server, Beans beans) {
        this.server = server;
        this.beans = beans;
    }

    /**
     * Starts ZooKeeper. When this returns its ports are bound; it serves later, when it has a quorum.
     *
     * @throws IOException if it does not start, for example because a port is in use
     */
    static EmbeddedServer start(Servers servers, DataFolder folder) throws IOException, InterruptedException {
        Beans beans = new Beans();
        MBeanRegistry.setInstance(beans);
        synchronized (PROPERTIES) {
            Set<String> before = System.getProperties().stringPropertyNames();
            try {
                return new EmbeddedServer(
                        started(servers.configuration(folder.data().toString()), folder), beans);
            } finally {
                Set<String> added = new HashSet<>(System.getProperties().stringPropertyNames());
                added.removeAll(before);
                // ZooKeeper makes each setting that it does not know a property of the process, where clients find it
                // too.
                added.stream().filter(key -> key.startsWith("zookeeper.")).forEach(System::clearProperty);
            }
        }
    }

    private static ZooKeeperServerEmbedded started(Properties configuration, DataFolder folder)
            throws IOException, InterruptedException {
        ZooKeeperServerEmbedded server = null;
        try {
            server = ZooKeeperServerEmbedded.builder()
                    .configuration(configuration)
                    .baseDir(folder.emptyConfiguration())
                    .exitHandler(ExitHandler.LOG_ONLY)
                    .build();
            server.start(START_MILLIS);
            // It reads the list of words when it is first asked.
            FourLetterCommands.isEnabled("srvr");
            return server;
        } catch (InterruptedException e) {
            close(server);
            throw e;
        } catch (TimeoutException e) {
            throw new IOException(
                    "ZooKeeper has not started within " + START_MILLIS / 1_000
                            + " s; its own message stands above in the log",
                    e);
        } catch (Exception e) {
            throw new IOException("ZooKeeper does not start: " + deepest(e), e);
        }
    }

    private static Throwable deepest(Throwable e) {
        return e.getCause() == null ? e : deepest(e.getCause());
    }

    private static void close(ZooKeeperServerEmbedded server) {
        if (server != null) {
            server.close();
        }
    }

    /** Returns whether its thread runs. That says nothing of requests. */
    boolean runs() {
        return beans.peer != null;
    }

    /** Returns whether it takes part in a quorum, as far as it knows. */
    boolean hasQuorum() {
        LocalPeerMXBean peer = beans.peer;
        return peer != null && Set.of("leading", "following").contains(peer.getState());
    }

    /** Stops it, and waits until its thread has ended. */
    @Override
    public void close() {
        server.close();
        try {
            beans.gone.await(STOP_MILLIS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * What ZooKeeper shows of itself. It stays in this bundle: two containers of one process would have beans of the same name, and a
     * bean that is left behind would hold the class loader.
     */
    private static final class Beans extends MBeanRegistry {
        private final CountDownLatch gone = new CountDownLatch(1);
        private volatile LocalPeerMXBean peer;

        @Override
        public void register(ZKMBeanInfo bean, ZKMBeanInfo parent) {
            if (bean instanceof LocalPeerMXBean local) {
                peer = local;
            }
        }

        @Override
        public void unregister(ZKMBeanInfo bean) {
            if (bean == peer) {
                peer = null;
                gone.countDown();
            }
        }
    }
}
