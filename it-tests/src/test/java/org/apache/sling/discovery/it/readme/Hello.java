// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.it.readme;

import java.io.IOException;
import org.apache.sling.discovery.TopologyView;
import org.apache.sling.discovery.base.DiscoveryInstance;
import org.apache.sling.discovery.base.environment.Execution;
import org.apache.sling.discovery.base.environment.InstanceIdentity;
import org.apache.sling.discovery.base.environment.Time;
import org.apache.sling.discovery.commons.spi.SettlingPolicy;
import org.apache.sling.discovery.zk.ZooKeeperStore;
import org.apache.sling.discovery.zk.ZooKeeperStoreConfig;

public class Hello {
    public static void main(String[] args) throws IOException {
        String servers = args[0]; // 127.0.0.1:2181
        String id = args[1]; // unique in the cluster
        try (Execution threads = Execution.ofThreads(id);
                DiscoveryInstance instance = new DiscoveryInstance(
                        InstanceIdentity.ofThisProcess(id, Time.SYSTEM),
                        new ZooKeeperStore(ZooKeeperStoreConfig.of(servers)),
                        () -> SettlingPolicy.DEFAULT,
                        threads)) {
            instance.addListener(event -> {
                TopologyView view = event.getNewView(); // null while a change is being settled
                String leader = view == null
                        ? ""
                        : ", leader: " + view.getLocalInstance().isLeader();
                System.out.println(event.getType() + leader);
            });
            instance.start();
            System.in.read(); // until Enter
        }
    }
}
