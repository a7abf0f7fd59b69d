// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.it.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.sling.discovery.ClusterView;
import org.apache.sling.discovery.InstanceDescription;
import org.apache.sling.discovery.TopologyEvent;
import org.apache.sling.discovery.commons.leader.ViewNumber;
import org.apache.sling.discovery.testing.server.TestServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Twenty instances start together on an empty server. */
class StormIT {

    @Test
    void agreeOnOneStructureOneChainAndOneLeader(@TempDir Path folder) throws Exception {
        try (TestServer server = new TestServer(folder);
                Instances instances = Instances.on(server.address(), PlainInstance.SESSION_MILLIS)) {
            instances.startAll(20);
            assertThat(instances.all().stream().map(PlainInstance::clusterId).distinct())
                    .hasSize(1);
            Map<Object, List<String>> members = new HashMap<>();
            Set<String> leaders = new HashSet<>();
            for (PlainInstance each : instances.all()) {
                for (TopologyEvent event : each.events()) {
                    if (event.getNewView() != null) {
                        ClusterView cluster =
                                event.getNewView().getLocalInstance().getClusterView();
                        List<String> ids = cluster.getInstances().stream()
                                .map(InstanceDescription::getSlingId)
                                .toList();
                        leaders.add(cluster.getLeader().getSlingId());
                        assertThat(ids)
                                .isEqualTo(members.computeIfAbsent(ViewNumber.of(event.getNewView()), number -> ids));
                    }
                }
            }
            assertThat(leaders).hasSize(1);
        }
    }
}
