// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.benchmarks.process;

import io.github.discoveryzk.benchmarks.member.JGroupsMember;
import io.github.discoveryzk.spi.ThreadsAndClocks;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.zookeeper.server.quorum.QuorumPeerMain;

/**
 * ZooKeeper servers, each in a process of its own, so that processor time of clients and servers can be told apart. They write
 * their log to the disk before they answer, as servers do by default.
 */
@ThreadsAndClocks
public final class Servers implements AutoCloseable {
    private static final int ANSWER_MILLIS = 2_000;
    private static final int START_SECONDS = 60;
    private static final int POLL_MILLIS = 50;
    private static final String PACKETS = "zk_packets_received\t";

    private final List<Process> processes = new ArrayList<>();
    private final List<Integer> ports;

    /** The server counts these questions too. */
    private long asked;

    private Servers(List<Integer> ports) {
        this.ports = ports;
    }

    /** The process of one server. */
    public static void main(String[] arguments) {
        Thread watch = new Thread(Servers::endWithInput, "input");
        watch.setDaemon(true);
        watch.start();
        QuorumPeerMain.main(arguments);
    }

    private static void endWithInput() {
        try {
            System.in.transferTo(OutputStream.nullOutputStream());
        } catch (IOException e) {
            // The same as the end.
        }
        Runtime.getRuntime().halt(0);
    }

    /** Starts servers that keep their data below a folder, and waits until they serve. */
    public static Servers start(int count, Path folder) throws IOException, InterruptedException {
        List<Integer> ports = freePorts(3 * count);
        Servers servers = new Servers(ports.subList(0, count));
        try {
            for (int i = 0; i < count; i++) {
                servers.processes.add(server(i, count, ports, folder.resolve("server" + (i + 1))));
            }
            servers.awaitServing();
            return servers;
        } catch (IOException | InterruptedException | RuntimeException e) {
            servers.close();
            throw e;
        }
    }

    /** Reserves addresses for members that need no servers. */
    public static Servers none() throws IOException {
        return new Servers(freePorts(JGroupsMember.ELDEST));
    }

    private static Process server(int index, int count, List<Integer> ports, Path folder) throws IOException {
        Path data = Files.createDirectories(folder.resolve("data"));
        List<String> lines = new ArrayList<>(List.of(
                "tickTime=1000",
                "initLimit=30",
                "syncLimit=10",
                "dataDir=" + data,
                "clientPort=" + ports.get(index),
                "clientPortAddress=127.0.0.1",
                "maxClientCnxns=0",
                "admin.enableServer=false",
                "4lw.commands.whitelist=mntr"));
        if (count > 1) {
            Files.writeString(data.resolve("myid"), (index + 1) + "\n");
            for (int i = 0; i < count; i++) {
                lines.add("server." + (i + 1) + "=127.0.0.1:" + ports.get(count + i) + ":" + ports.get(2 * count + i));
            }
        }
        Path configuration = Files.write(folder.resolve("zoo.cfg"), lines);
        return JavaProcess.of("", Servers.class, configuration.toString())
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("server.log").toFile())
                .start();
    }

    /** Returns free ports; another process may take one before a server does, and then the server does not start. */
    private static List<Integer> freePorts(int count) throws IOException {
        List<ServerSocket> sockets = new ArrayList<>();
        List<Integer> ports = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
            sockets.add(socket);
            ports.add(socket.getLocalPort());
        }
        for (ServerSocket socket : sockets) {
            socket.close();
        }
        return ports;
    }

    private void awaitServing() throws IOException, InterruptedException {
        long limit = System.nanoTime() + TimeUnit.SECONDS.toNanos(START_SECONDS);
        for (int i = 0; i < processes.size(); i++) {
            while (!ask(ports.get(i)).contains(PACKETS)) {
                boolean ended = processes.get(i).waitFor(POLL_MILLIS, TimeUnit.MILLISECONDS);
                if (ended || System.nanoTime() > limit) {
                    throw new IOException("A ZooKeeper server does not serve within " + START_SECONDS + " s");
                }
            }
        }
    }

    public String connectString() {
        return ports.stream().map(port -> "127.0.0.1:" + port).collect(Collectors.joining(","));
    }

    /** Returns the number of packets that clients have sent to all servers, by the count of the servers without this question. */
    public long packets() {
        if (processes.isEmpty()) {
            return 0;
        }
        long sum = ports.stream()
                .flatMap(port -> ask(port).lines())
                .filter(line -> line.startsWith(PACKETS))
                .mapToLong(line -> Long.parseLong(line.substring(line.indexOf('\t') + 1)))
                .sum();
        return sum - asked;
    }

    private String ask(int port) {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress("127.0.0.1", port), ANSWER_MILLIS);
            socket.setSoTimeout(ANSWER_MILLIS);
            asked++;
            socket.getOutputStream().write("mntr".getBytes(StandardCharsets.US_ASCII));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
        } catch (IOException e) {
            return "";
        }
    }

    @Override
    public void close() {
        processes.forEach(Process::destroyForcibly);
        processes.forEach(process -> process.onExit().join());
    }
}
