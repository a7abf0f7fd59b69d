// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.zk.client;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.regex.Pattern;

/**
 * Finds out why no server gives this instance a session, which ZooKeeper's client does not tell. It sends the command {@code srvr} to
 * each server over a connection of its own. A server replies to it even if it does not serve requests or does not permit the command, but
 * not if it refuses the connection.
 */
final class ServerDiagnosis {
    private static final int TIMEOUT_MILLIS = 500;
    private static final int ATTEMPTS = 10;
    private static final Pattern CLOSED_WHILE_CONNECTING = Pattern.compile("reset|pipe|abort");
    private static final String NOT_SERVING = "not currently serving requests";

    private final List<InetSocketAddress> servers;
    private final BooleanSupplier encryption;

    /**
     * Creates a diagnosis.
     *
     * @param encryption says whether the servers expect TLS, so that they do not understand the command
     */
    ServerDiagnosis(Collection<InetSocketAddress> servers, BooleanSupplier encryption) {
        this.servers = List.copyOf(servers);
        this.encryption = encryption;
    }

    /** Asks the servers, one after the other until cancelled, and returns what is wrong and what to do. */
    String sentence(BooleanSupplier cancelled) {
        boolean encrypted = encryption.getAsBoolean();
        List<String> closing = new ArrayList<>();
        List<String> idle = new ArrayList<>();
        for (InetSocketAddress server : servers) {
            if (encrypted || cancelled.getAsBoolean()) {
                break;
            }
            switch (ask(server)) {
                case CLOSED -> closing.add(address(server));
                case NOT_SERVING -> idle.add(address(server));
                case OTHER -> {}
            }
        }
        if (!closing.isEmpty()) {
            return "ZooKeeper at " + list(closing) + " accepts the connections of this host and closes them before it"
                    + " replies. Probably it has as many connections from this client address as it permits: raise"
                    + " maxClientCnxns (60 by default, 0 for no limit) in the configuration of the servers, and maxCnxns"
                    + " if it is set. A proxy whose server is down closes connections too. This instance keeps trying.";
        }
        if (!idle.isEmpty()) {
            return "ZooKeeper at " + list(idle) + " runs and does not serve requests. Check whether the servers have a"
                    + " quorum; this instance keeps trying.";
        }
        return "No ZooKeeper server answers at "
                + list(servers.stream().map(ServerDiagnosis::address).toList())
                + (encrypted
                        ? ". Check the address, whether the servers have a quorum, and whether each permits enough"
                                + " connections from one client address (maxClientCnxns, 60 by default);"
                        : ". Check the address and whether the servers have a quorum;")
                + " this instance keeps trying.";
    }

    private static Answer ask(InetSocketAddress server) {
        for (int i = 0; i < ATTEMPTS; i++) {
            try (Socket socket = new Socket()) {
                socket.connect(new InetSocketAddress(server.getHostString(), server.getPort()), TIMEOUT_MILLIS);
                socket.setSoTimeout(TIMEOUT_MILLIS);
                return answer(socket);
            } catch (IOException | IllegalArgumentException e) {
                if (isClosedWhileConnecting(e)) {
                    return Answer.CLOSED;
                }
                if (e.getClass() != SocketException.class) {
                    return Answer.OTHER;
                }
                // In another language of the operating system only an attempt in which this side is faster tells.
            }
        }
        return Answer.OTHER;
    }

    /**
     * Returns whether the server has closed the connection before this side has seen it open, as it often does. A refusal by the
     * operating system of the server has a class of its own, and an unreachable network another message.
     */
    private static boolean isClosedWhileConnecting(Exception e) {
        return e.getClass() == SocketException.class
                && CLOSED_WHILE_CONNECTING
                        .matcher(String.valueOf(e.getMessage()))
                        .find();
    }

    private static Answer answer(Socket socket) {
        try {
            socket.getOutputStream().write("srvr".getBytes(StandardCharsets.US_ASCII));
            byte[] text = socket.getInputStream().readNBytes(NOT_SERVING.length() * 4);
            if (text.length == 0) {
                return Answer.CLOSED;
            }
            return new String(text, StandardCharsets.US_ASCII).contains(NOT_SERVING)
                    ? Answer.NOT_SERVING
                    : Answer.OTHER;
        } catch (SocketTimeoutException e) {
            return Answer.OTHER;
        } catch (IOException e) {
            // A server that closes the connection before it has read the command resets it.
            return Answer.CLOSED;
        }
    }

    private static String address(InetSocketAddress server) {
        return server.getHostString() + ":" + server.getPort();
    }

    private static String list(List<String> addresses) {
        List<String> sorted = new ArrayList<>(addresses);
        Collections.sort(sorted);
        return String.join(",", sorted);
    }

    private enum Answer {
        /** The server closes the connection without a reply. */
        CLOSED,
        /** The server replies that it does not serve requests. */
        NOT_SERVING,
        /** No server listens at the address, or the server replies something else, or does not reply. */
        OTHER
    }
}
