// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.launcher;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import org.apache.zookeeper.server.ServerCnxnFactory;
import org.apache.zookeeper.server.ZooKeeperServer;
import org.apache.zookeeper.util.ServiceUtils;

/**
 * A ZooKeeper server in this process, on 127.0.0.1 only, with its data in a folder. For demonstrations and tests: a single
 * server is not an ensemble. Safe for use by any thread.
 */
@ThreadsAndClocks
public final class EmbeddedZooKeeper implements AutoCloseable {

    private static final int TICK_MILLIS = 200;
    private static final int MAX_SESSION_TIMEOUT_MILLIS = 600_000;
    private static final int UNLIMITED_CONNECTIONS = 0;
    private static final String PORT_FILE = "port";

    static {
        // A fatal error of the server must not end this process.
        ServiceUtils.setSystemExitProcedure(ServiceUtils.LOG_ONLY);
        System.setProperty("zookeeper.4lw.commands.whitelist", "mntr,ruok,srvr,stat");
        System.setProperty("zookeeper.admin.enableServer", "false");
        // The default of 64 MB is more than this server ever writes.
        System.setProperty("zookeeper.preAllocSize", "1024");
    }

    private final ZooKeeperServer server;
    private final ServerCnxnFactory connections;
    private final int port;

    private EmbeddedZooKeeper(ZooKeeperServer server, ServerCnxnFactory connections) {
        this.server = server;
        this.connections = connections;
        this.port = connections.getLocalPort();
    }

    /**
     * Starts a server on the port of the previous server in this folder, if it is free, else on any.
     *
     * @param folder where the server keeps its data; created if missing
     * @throws LaunchException if it cannot be started
     */
    public static EmbeddedZooKeeper start(Path folder) throws LaunchException {
        int port = rememberedPort(folder);
        return start(folder, Ports.isFree(port) ? port : 0);
    }

    /**
     * Starts a server on a port.
     *
     * @param folder where the server keeps its data; created if missing
     * @param port the port, or 0 for any
     * @throws LaunchException if it cannot be started, for example because the port is in use
     */
    public static EmbeddedZooKeeper start(Path folder, int port) throws LaunchException {
        try {
            File data = Files.createDirectories(folder.resolve("data")).toFile();
            ServerCnxnFactory connections = ServerCnxnFactory.createFactory(Ports.address(port), UNLIMITED_CONNECTIONS);
            ZooKeeperServer server = new ZooKeeperServer(data, data, TICK_MILLIS);
            server.setMaxSessionTimeout(MAX_SESSION_TIMEOUT_MILLIS);
            connections.startup(server);
            Files.writeString(folder.resolve(PORT_FILE), connections.getLocalPort() + "\n");
            return new EmbeddedZooKeeper(server, connections);
        } catch (IOException e) {
            throw new LaunchException(
                    "cannot start ZooKeeper on " + Ports.HOST + ":" + port + " with its data in " + folder, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new LaunchException("interrupted while ZooKeeper was starting");
        }
    }

    private static int rememberedPort(Path folder) {
        try {
            return Integer.parseInt(Files.readString(folder.resolve(PORT_FILE)).trim());
        } catch (IOException | NumberFormatException e) {
            return 0;
        }
    }

    /** Returns the port. */
    public int port() {
        return port;
    }

    /** Returns the connect string for clients. */
    public String connectString() {
        return Ports.HOST + ":" + port();
    }

    /** Returns the sessions of the server, including those of paused and of vanished clients. */
    public Set<Long> sessions() {
        return Set.copyOf(server.getZKDatabase().getSessionWithTimeOuts().keySet());
    }

    /**
     * Ends a session as if it had timed out: its ephemeral nodes are deleted, and its client is notified of the expiry. Returns
     * before that.
     *
     * @param session the id of a session; nothing happens if there is none with that id
     */
    public void expire(long session) {
        server.closeSession(session);
    }

    /** Stops the server. Its data is kept; sessions that do not end meanwhile continue on the next server with that folder. */
    @Override
    public void close() {
        connections.shutdown();
        server.shutdown(true);
        try {
            server.getTxnLogFactory().close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
