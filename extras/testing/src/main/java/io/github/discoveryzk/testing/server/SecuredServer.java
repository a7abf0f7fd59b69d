// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.testing.server;

import io.github.discoveryzk.spi.ThreadsAndClocks;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * A real ZooKeeper server in a process of its own, because what servers require of clients is set for the whole process. It can be stopped
 * and started again with other settings, on the same port and with the same data.
 */
@ThreadsAndClocks
public final class SecuredServer implements AutoCloseable {
    private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    private final Path folder;
    private final long limitNanos;
    private final int port;
    private Process process;

    /**
     * Creates a server that is not running.
     *
     * @param limitMillis how long its start may take
     */
    public SecuredServer(Path folder, long limitMillis) {
        this.folder = folder;
        this.limitNanos = TimeUnit.MILLISECONDS.toNanos(limitMillis);
        this.port = FreePort.next();
        Runtime.getRuntime().addShutdownHook(new Thread(this::stop));
    }

    /**
     * Starts the server, after stopping it if it runs, and waits until it accepts connections.
     *
     * @param loginConfiguration the content of the file for JAAS
     * @param lines further lines of its configuration; if one of them starts with ssl. the port speaks TLS
     */
    public void start(String loginConfiguration, String... lines) throws IOException {
        stop();
        boolean secure = List.of(lines).stream().anyMatch(line -> line.startsWith("ssl."));
        List<String> all = new ArrayList<>(List.of(
                "tickTime=200",
                "dataDir=" + Files.createDirectories(folder.resolve("data")),
                (secure ? "secureClientPort=" : "clientPort=") + port,
                (secure ? "secureClientPortAddress=" : "clientPortAddress=") + "127.0.0.1",
                "admin.enableServer=false",
                "minSessionTimeout=500",
                "maxSessionTimeout=60000",
                "serverCnxnFactory=org.apache.zookeeper.server." + (secure ? "Netty" : "NIO") + "ServerCnxnFactory"));
        all.addAll(List.of(lines));
        Path jaas = Files.writeString(folder.resolve("jaas.conf"), loginConfiguration);
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx96m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Dzookeeper.forceSync=no",
                "-Dzookeeper.preAllocSize=1024",
                "-Dorg.slf4j.simpleLogger.log.org.apache.zookeeper=info",
                "-Dzookeeper.jmx.log4j.disable=true",
                "-Djava.security.auth.login.config=" + jaas));
        String kerberos = System.getProperty("java.security.krb5.conf");
        if (kerberos != null) {
            command.add("-Djava.security.krb5.conf=" + kerberos);
        }
        command.addAll(List.of(
                "-cp",
                System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                "org.apache.zookeeper.server.quorum.QuorumPeerMain",
                Files.write(folder.resolve("zoo.cfg"), all).toString()));
        process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log().toFile()))
                .start();
        awaitPort();
    }

    /** Starts the server so that it requires SASL with DIGEST-MD5, with further lines of its configuration. */
    public void startWithSasl(String loginConfiguration, String... lines) throws IOException {
        List<String> all = new ArrayList<>(List.of(
                "authProvider.sasl=org.apache.zookeeper.server.auth.SASLAuthenticationProvider",
                "enforce.auth.enabled=true",
                "enforce.auth.schemes=sasl",
                "fips-mode=false"));
        all.addAll(List.of(lines));
        start(loginConfiguration, all.toArray(String[]::new));
    }

    private void awaitPort() throws IOException {
        long start = System.nanoTime();
        while (!accepts()) {
            if (!process.isAlive() || System.nanoTime() - start > limitNanos) {
                throw new IOException("the server does not start:\n" + Files.readString(log()));
            }
            LockSupport.parkNanos(POLL_NANOS);
        }
    }

    private boolean accepts() {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress("127.0.0.1", port));
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    /** Returns the file with everything that the server has logged. */
    public Path log() {
        return folder.resolve("server.log");
    }

    /** Returns the port for clients. */
    public int port() {
        return port;
    }

    /** Ends the process; its data stays. */
    public void stop() {
        if (process != null) {
            process.destroyForcibly().onExit().join();
            process = null;
        }
    }

    @Override
    public void close() {
        stop();
    }
}
