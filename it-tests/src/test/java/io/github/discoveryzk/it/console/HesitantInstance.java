// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.it.console;

import io.github.discoveryzk.it.cluster.PlainInstance;
import io.github.discoveryzk.zk.ZooKeeperStoreConfig;
import java.util.concurrent.CompletableFuture;
import org.apache.sling.discovery.TopologyEvent;
import org.apache.sling.discovery.TopologyEventListener;

/** A member whose listener returns from CHANGING only on command, so that the test determines the duration of a change. */
final class HesitantInstance implements TopologyEventListener, AutoCloseable {

    private final PlainInstance instance;
    private volatile CompletableFuture<Void> notified = CompletableFuture.completedFuture(null);

    HesitantInstance(String id, String connectString, int sessionTimeout) {
        instance = new PlainInstance(id, ZooKeeperStoreConfig.of(connectString).withSessionTimeout(sessionTimeout));
        instance.addListener(this);
        instance.start();
    }

    /** Makes it hesitate in the next change. */
    void hesitate() {
        notified = new CompletableFuture<>();
    }

    void goOn() {
        notified.complete(null);
    }

    @Override
    public void handleTopologyEvent(TopologyEvent event) {
        if (event.getType() == TopologyEvent.Type.TOPOLOGY_CHANGING) {
            notified.join();
        }
    }

    @Override
    public void close() {
        goOn();
        instance.close();
    }
}
