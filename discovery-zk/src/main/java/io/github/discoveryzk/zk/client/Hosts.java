// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.zk.client;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.apache.zookeeper.client.HostProvider;

/**
 * The servers to try, in random order. Each attempt resolves the name again, so that a server may move. A name that cannot be
 * resolved is skipped; ZooKeeper's own provider would log an error for it each second.
 */
final class Hosts implements HostProvider {
    private static final int QUIET_ROUNDS = 2;

    private final List<InetSocketAddress> servers;
    private final Consumer<String> trouble;
    private final String sentence;
    private final CountDownLatch closed = new CountDownLatch(1);
    private volatile InetSocketAddress last;
    private final AtomicInteger index = new AtomicInteger();
    private final AtomicInteger failures = new AtomicInteger();

    /**
     * Creates the list of servers.
     *
     * @param trouble accepts a sentence when no server was found for a while
     */
    Hosts(Collection<InetSocketAddress> servers, Consumer<String> trouble) {
        this.servers = new ArrayList<>(servers);
        Collections.shuffle(this.servers);
        this.trouble = trouble;
        this.sentence = "No ZooKeeper server answers at "
                + servers.stream()
                        .map(server -> server.getHostString() + ":" + server.getPort())
                        .sorted()
                        .collect(Collectors.joining(","))
                + ". Check that they run with a quorum, the address, TLS or not (option secure), and the connections that"
                + " each permits one client address (maxClientCnxns, 60 by default, 0 for no limit); this instance keeps"
                + " trying.";
    }

    @Override
    public int size() {
        return servers.size();
    }

    /** Waits for the names and the trouble to be looked up, so it holds no lock. */
    @Override
    public InetSocketAddress next(long spinDelay) {
        if (failures.get() >= QUIET_ROUNDS * servers.size()) {
            trouble.accept(sentence);
        }
        List<String> unknown = new ArrayList<>();
        for (int tried = 0; tried < servers.size(); tried++) {
            int failed = failures.getAndIncrement();
            if (failed > 0 && failed % servers.size() == 0) {
                pause(spinDelay);
            }
            InetSocketAddress server = servers.get(Math.floorMod(index.getAndIncrement(), servers.size()));
            try {
                InetAddress[] all = InetAddress.getAllByName(server.getHostString());
                byte[] address = all[ThreadLocalRandom.current().nextInt(all.length)].getAddress();
                // The client would look up the name of an address without name, and TLS would compare that one.
                last = new InetSocketAddress(
                        InetAddress.getByAddress(server.getHostString(), address), server.getPort());
                return last;
            } catch (UnknownHostException e) {
                unknown.add(server.getHostString());
            }
        }
        trouble.accept("None of the names of the ZooKeeper servers can be resolved: " + String.join(", ", unknown)
                + ". Check the address; this instance keeps trying.");
        throw new IllegalStateException("no host known of " + unknown);
    }

    @Override
    public void onConnected() {
        failures.set(0);
    }

    /** Returns the server of the last attempt; null before the first. */
    InetSocketAddress last() {
        return last;
    }

    @Override
    public boolean updateServerList(Collection<InetSocketAddress> addresses, InetSocketAddress current) {
        return false;
    }

    /** Ends all pauses. */
    void close() {
        closed.countDown();
    }

    private void pause(long millis) {
        try {
            closed.await(millis, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
