// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.it.connectors;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.discoveryzk.it.cluster.PlainInstance;
import io.github.discoveryzk.it.connectors.SlingInstance.Known;
import io.github.discoveryzk.it.outside.Server;
import io.github.discoveryzk.report.ConnectorReport;
import io.github.discoveryzk.zk.ZooKeeperStoreConfig;
import java.util.List;
import org.apache.sling.discovery.ClusterView;
import org.apache.sling.discovery.TopologyView;

/** Instances of this project in plain Java, as peers of Sling. */
final class Ours {

    private Ours() {}

    /** Makes an instance that has not joined its cluster. Clusters with different roots do not see each other. */
    static PlainInstance of(String root, String id) {
        return new PlainInstance(
                id,
                ZooKeeperStoreConfig.of(Server.address())
                        .withRootPath("/" + root)
                        .withClusterName("ours")
                        .withSessionTimeout(PlainInstance.SESSION_MILLIS));
    }

    /** Makes an instance that has joined its cluster. */
    static PlainInstance join(String root, String id) {
        return of(root, id).join();
    }

    /** Replaces the connectors of an instance. */
    static void connect(PlainInstance ours, OurSettings settings) {
        ours.connectors().connect(settings.settings());
    }

    static ConnectorReport report(PlainInstance ours) {
        return ours.connectors().report();
    }

    /** Returns the only connector that an instance opens. */
    static ConnectorReport.Outgoing connector(PlainInstance ours) {
        List<ConnectorReport.Outgoing> all = report(ours).outgoing();
        assertThat(all).hasSize(1);
        return all.get(0);
    }

    /** Returns the members of the local cluster as other clusters shall know them. */
    static List<Known> own(PlainInstance ours) {
        return known(ours.cluster());
    }

    /** Returns the instances of other clusters, cluster by cluster, in their order. */
    static List<Known> known(PlainInstance ours) {
        TopologyView view = ours.discovery().getTopology();
        return view.getClusterViews().stream()
                .filter(cluster -> !cluster.equals(view.getLocalInstance().getClusterView()))
                .flatMap(cluster -> known(cluster).stream())
                .toList();
    }

    private static List<Known> known(ClusterView cluster) {
        return cluster.getInstances().stream()
                .map(each -> new Known(each.getSlingId(), cluster.getId(), each.isLeader(), each.getProperties()))
                .toList();
    }

    /** Returns the ids of the instances of other clusters. */
    static List<String> knownIds(PlainInstance ours) {
        return known(ours).stream().map(Known::id).toList();
    }
}
