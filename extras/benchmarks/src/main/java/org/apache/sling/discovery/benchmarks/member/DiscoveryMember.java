// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.benchmarks.member;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.sling.discovery.InstanceDescription;
import org.apache.sling.discovery.TopologyEvent;
import org.apache.sling.discovery.base.CountedProtocol;
import org.apache.sling.discovery.base.DiscoveryInstance;
import org.apache.sling.discovery.base.environment.Execution;
import org.apache.sling.discovery.base.environment.InstanceIdentity;
import org.apache.sling.discovery.base.environment.Time;
import org.apache.sling.discovery.zk.ZooKeeperStore;
import org.apache.sling.discovery.zk.ZooKeeperStoreConfig;

/** An instance of this project, assembled in plain Java. */
@ThreadsAndClocks
final class DiscoveryMember implements Member {
    /** The property that the leader changes. */
    static final String PROPERTY = "benchmark";

    private static final int CONNECT_SECONDS = 60;

    private final String id;
    private final Recorder recorder;
    private final Execution execution;
    private final AnnouncementGate gate;
    private final DiscoveryInstance instance;
    private volatile String value = "";

    DiscoveryMember(String id, String connectString, Recorder recorder) {
        this.id = id;
        this.recorder = recorder;
        execution = Execution.ofThreads(id);
        gate = new AnnouncementGate(
                new ZooKeeperStore(ZooKeeperStoreConfig.of(connectString).withSessionTimeout(Client.SESSION_MILLIS)));
        instance = CountedProtocol.instance(
                InstanceIdentity.ofThisProcess(id, Time.SYSTEM), gate, execution, recorder::decided);
        instance.addListener(this::handle);
        instance.addPropertyProvider(asked -> value, PROPERTY);
    }

    private void handle(TopologyEvent event) {
        if (event.getType() == TopologyEvent.Type.TOPOLOGY_CHANGING) {
            recorder.changing(id);
        } else {
            List<InstanceDescription> members =
                    event.getNewView().getLocalInstance().getClusterView().getInstances();
            // The leader is the one that changes its property.
            recorder.lead(members.get(0).getSlingId());
            String told =
                    Optional.ofNullable(members.get(0).getProperty(PROPERTY)).orElse("");
            recorder.notified(id, members.size(), told);
        }
    }

    @Override
    public void connect() throws Exception {
        instance.start();
        gate.held().get(CONNECT_SECONDS, TimeUnit.SECONDS);
    }

    @Override
    public void join() {
        gate.open();
    }

    @Override
    public void change(String next) {
        value = next;
        instance.refreshProperties();
    }

    @Override
    public void leave() {
        instance.close();
        execution.close();
    }
}
