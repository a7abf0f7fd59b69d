// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.zk.client;

import java.net.InetSocketAddress;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import org.apache.zookeeper.client.ConnectStringParser;

/**
 * A parsed connect string.
 *
 * @param servers the servers
 * @param chroot the path after the servers, empty when there is none
 */
public record ConnectString(List<InetSocketAddress> servers, String chroot) {
    public ConnectString {
        servers = List.copyOf(servers);
        Objects.requireNonNull(chroot, "chroot");
    }

    /** Parses a connect string; throws {@link IllegalArgumentException} with the reason when it names no servers. */
    public static ConnectString parse(String value) {
        Objects.requireNonNull(value, "connectString");
        ConnectStringParser parser;
        try {
            parser = new ConnectStringParser(value);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("a port is not a number", e);
        }
        List<InetSocketAddress> servers = parser.getServerAddresses();
        if (servers.isEmpty()
                || servers.stream().anyMatch(server -> server.getHostString().isBlank() || server.getPort() == 0)) {
            throw new IllegalArgumentException("it names no server");
        }
        return new ConnectString(servers, Objects.requireNonNullElse(parser.getChrootPath(), ""));
    }

    /** Returns the servers separated by commas, without the chroot. */
    public String serverList() {
        return servers.stream()
                .map(server -> server.getHostString().contains(":")
                        ? "[" + server.getHostString() + "]:" + server.getPort()
                        : server.getHostString() + ":" + server.getPort())
                .collect(Collectors.joining(","));
    }
}
