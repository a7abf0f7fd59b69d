// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.zk.server.ensemble;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Optional;

/** What a machine knows of the addresses of entries. */
interface Machine {
    /** This machine. */
    Machine THIS = new Machine() {
        @Override
        public Optional<String> address(Entry entry) {
            return Optional.ofNullable(resolve(entry)).map(InetAddress::getHostAddress);
        }

        @Override
        public boolean has(Entry entry) {
            return canBind(entry, 0);
        }

        @Override
        public List<Integer> busy(Entry entry) {
            return entry.ports().stream()
                    .filter(port -> !Claim.isFree(entry) || !canBind(entry, port))
                    .toList();
        }

        @Override
        public boolean isLoopback(Entry entry) {
            InetAddress address = resolve(entry);
            return address != null && address.isLoopbackAddress();
        }
    };

    /** Returns the address that the name of an entry has now; empty if it cannot be resolved. */
    Optional<String> address(Entry entry);

    /** Returns whether the address of an entry belongs to this machine. */
    boolean has(Entry entry);

    /** Returns the ports of an entry of this machine that processes use; all if a container has claimed the entry. */
    List<Integer> busy(Entry entry);

    /** Returns whether an entry means each machine itself. */
    boolean isLoopback(Entry entry);

    private static InetAddress resolve(Entry entry) {
        try {
            return InetAddress.getByName(entry.host());
        } catch (UnknownHostException e) {
            return null;
        }
    }

    private static boolean canBind(Entry entry, int port) {
        InetAddress address = resolve(entry);
        if (address == null) {
            return false;
        }
        try (ServerSocket socket = new ServerSocket()) {
            // As ZooKeeper does, so that connections that linger after a restart do not count.
            socket.setReuseAddress(true);
            socket.bind(new InetSocketAddress(address, port));
            return true;
        } catch (IOException e) {
            return false;
        }
    }
}
