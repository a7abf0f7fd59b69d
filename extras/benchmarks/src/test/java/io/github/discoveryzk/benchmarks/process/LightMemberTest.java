// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.benchmarks.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.discoveryzk.benchmarks.member.ClientMember;
import io.github.discoveryzk.benchmarks.member.Contestant;
import io.github.discoveryzk.benchmarks.member.Recorder;
import io.github.discoveryzk.model.EstablishedView;
import io.github.discoveryzk.zk.ZooKeeperStoreConfig;
import io.github.discoveryzk.zk.tree.Codecs;
import io.github.discoveryzk.zk.tree.Paths;
import java.nio.file.Path;
import java.util.List;
import org.apache.zookeeper.ZooKeeper;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The others wait for the acknowledgements of light members, and leave no light member out. */
class LightMemberTest {
    private static final Paths PATHS = ZooKeeperStoreConfig.of("127.0.0.1").paths();
    private static final long LIMIT_MILLIS = 60_000;

    @Test
    void lightMembersAcknowledgeEachView(@TempDir Path folder) throws Exception {
        List<String> real = List.of("discovery-0", "discovery-1");
        List<String> light = List.of("discovery-light-2", "discovery-light-3", "discovery-light-4");
        try (Servers servers = Servers.start(1, folder);
                Group group = new Group(Contestant.DISCOVERY, servers.connectString())) {
            join(group, real, real);
            join(group, light, List.of("discovery-0", "discovery-1", light.get(0), light.get(1), light.get(2)));
            List<String> remaining = List.of("discovery-0", light.get(0), light.get(1), light.get(2));
            group.recorder().begin(remaining.size(), "", remaining);
            group.leave(List.of("discovery-1"));
            Recorder.Notified notified = group.recorder().await(LIMIT_MILLIS);

            ZooKeeper client = ClientMember.connect(servers.connectString());
            EstablishedView view = Codecs.CURRENT.readView(client.getData(PATHS.view(), false, null));
            List<String> acknowledged = client.getChildren(PATHS.acks(), false);
            client.close();

            assertThat(view.excluded()).isEmpty();
            assertThat(view.members())
                    .extracting(member -> member.instanceId())
                    .containsExactlyInAnyOrderElementsOf(remaining);
            assertThat(acknowledged)
                    .containsExactlyInAnyOrderElementsOf(view.members().stream()
                            .map(member -> view.previous() + "." + member.node())
                            .toList());
            assertThat(notified.complete()).isTrue();
        }
    }

    private static void join(Group group, List<String> ids, List<String> all) throws Exception {
        group.connect(ids);
        group.recorder().begin(all.size(), "", all);
        group.join(ids);
        group.recorder().await(LIMIT_MILLIS);
    }
}
