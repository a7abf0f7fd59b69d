// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.it.cluster;

import static org.apache.sling.discovery.it.cluster.Containers.awaitThat;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.sling.discovery.TopologyEvent;
import org.apache.sling.discovery.TopologyView;
import org.apache.sling.discovery.commons.leader.ViewNumber;
import org.apache.sling.discovery.launcher.EmbeddedZooKeeper;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Twenty instances start at once on an empty server. */
class StormIT {

    private static final int INSTANCES = 20;

    @Test
    void agreeOnOneStructureOneChainAndOneLeader(@TempDir Path folder) throws Exception {
        EmbeddedZooKeeper server = EmbeddedZooKeeper.start(folder);
        List<PlainInstance> all = IntStream.range(0, INSTANCES)
                .mapToObj(i -> new PlainInstance("i" + i, server.connectString()))
                .toList();
        try {
            all.parallelStream().forEach(PlainInstance::start);
            awaitThat("all are in one view", () -> all.stream()
                    .allMatch(each -> each.order().size() == INSTANCES && each.hasReceivedItsView()));

            assertThat(distinct(all, PlainInstance::order)).hasSize(1);
            assertThat(distinct(all, PlainInstance::viewNumber)).hasSize(1);
            assertThat(distinct(all, PlainInstance::clusterId)).hasSize(1);
            assertChain(all);
        } finally {
            all.forEach(PlainInstance::close);
            server.close();
        }
    }

    private static <T> Set<T> distinct(List<PlainInstance> all, Function<PlainInstance, T> property) {
        return all.stream().map(property).collect(Collectors.toSet());
    }

    /** Checks that all instances have the same leader in views of one number, and that view numbers only grow. */
    private static void assertChain(List<PlainInstance> all) {
        List<TopologyView> views = all.stream()
                .flatMap(each -> each.events().stream())
                .filter(event -> event.getType() != TopologyEvent.Type.TOPOLOGY_CHANGING)
                .map(TopologyEvent::getNewView)
                .toList();
        for (TopologyView one : views) {
            assertThat(views.stream().filter(other -> ViewNumber.of(other).equals(ViewNumber.of(one))))
                    .allMatch(other ->
                            leader(other).equals(leader(one)) && members(other).equals(members(one)));
        }
        assertThat(views.stream().map(StormIT::leader).collect(Collectors.toSet()))
                .hasSize(1);
    }

    private static String leader(TopologyView view) {
        return view.getLocalInstance().getClusterView().getLeader().getSlingId();
    }

    private static List<String> members(TopologyView view) {
        return view.getLocalInstance().getClusterView().getInstances().stream()
                .map(each -> each.getSlingId())
                .toList();
    }
}
