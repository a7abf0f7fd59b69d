// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.zk.client;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;
import org.apache.zookeeper.client.HostProvider;
import org.apache.zookeeper.client.ZKClientConfig;

/**
 * The servers to try, in random order. Each attempt resolves the name again, so that a server may move. A name that cannot be
 * resolved is skipped; ZooKeeper's own provider would log an error for it each second.
 */
@ThreadsAndClocks
final class Hosts implements HostProvider {
    private static final int QUIET_ROUNDS = 2;
    private static final int ROUNDS_PER_DIAGNOSIS = 10;

    private final List<InetSocketAddress> servers;
    private final Consumer<String> trouble;
    private final ServerDiagnosis diagnosis;
    private int index;
    private int failures;
    private String found = "";
    private volatile boolean closed;

    /**
     * Creates the list of servers.
     *
     * @param trouble accepts a sentence when no server was found for a while
     */
    Hosts(Collection<InetSocketAddress> servers, Consumer<String> trouble) {
        this.servers = new ArrayList<>(servers);
        Collections.shuffle(this.servers);
        this.trouble = trouble;
        this.diagnosis = new ServerDiagnosis(
                servers, () -> new ZKClientConfig().getBoolean(ZKClientConfig.SECURE_CLIENT, false));
    }

    @Override
    public int size() {
        return servers.size();
    }

    @Override
    public InetSocketAddress next(long spinDelay) {
        reportFound();
        if (isDiagnosisDue()) {
            setFound(diagnosis.sentence(() -> closed));
        }
        return nextServer(spinDelay);
    }

    /** Not before another attempt has failed: the server may have come back during the diagnosis. */
    private synchronized void reportFound() {
        if (!found.isEmpty()) {
            trouble.accept(found);
        }
    }

    private synchronized boolean isDiagnosisDue() {
        return failures >= QUIET_ROUNDS * servers.size()
                && (found.isEmpty() || failures % (ROUNDS_PER_DIAGNOSIS * servers.size()) == 0);
    }

    private synchronized void setFound(String sentence) {
        found = sentence;
    }

    private synchronized InetSocketAddress nextServer(long spinDelay) {
        List<String> unknown = new ArrayList<>();
        for (int tried = 0; tried < servers.size(); tried++) {
            if (failures > 0 && failures % servers.size() == 0) {
                pause(spinDelay);
            }
            failures++;
            InetSocketAddress server = servers.get(index);
            index = (index + 1) % servers.size();
            try {
                InetAddress[] all = InetAddress.getAllByName(server.getHostString());
                return new InetSocketAddress(all[ThreadLocalRandom.current().nextInt(all.length)], server.getPort());
            } catch (UnknownHostException e) {
                unknown.add(server.getHostString());
            }
        }
        trouble.accept("None of the names of the ZooKeeper servers can be resolved: " + String.join(", ", unknown)
                + ". Check the address; this instance keeps trying.");
        throw new IllegalStateException("no host known of " + unknown);
    }

    @Override
    public synchronized void onConnected() {
        failures = 0;
        found = "";
    }

    @Override
    public boolean updateServerList(Collection<InetSocketAddress> addresses, InetSocketAddress current) {
        return false;
    }

    /** Ends all pauses. */
    synchronized void close() {
        closed = true;
        notifyAll();
    }

    private void pause(long millis) {
        long end = System.nanoTime() + millis * 1_000_000;
        try {
            for (long left = millis; left > 0 && !closed; left = (end - System.nanoTime()) / 1_000_000) {
                wait(left);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
