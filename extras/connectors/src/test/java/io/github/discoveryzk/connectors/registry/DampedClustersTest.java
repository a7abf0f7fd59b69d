// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.connectors.registry;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.discoveryzk.connectors.wire.Messages;
import io.github.discoveryzk.model.RemoteCluster;
import io.github.discoveryzk.model.RemoteCluster.RemoteInstance;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class DampedClustersTest {

    private final List<String> warnings = new ArrayList<>();
    private final DampedClusters damped = new DampedClusters(warnings::add);
    private long now = 1_000;

    private static RemoteCluster cluster(String id, String... instances) {
        RemoteCluster plain = Messages.cluster(id, instances);
        return new RemoteCluster(id, plain.instances(), plain.leader(), List.of("a1", instances[0]));
    }

    private List<RemoteCluster> after(long millis, RemoteCluster... found) {
        now += millis;
        return damped.update(List.of(found), now);
    }

    /** Lets a cluster change as often as is tolerated and once more, so that it rests for ten seconds in its last state. */
    private void exhaust() {
        IntStream.range(0, 13).forEach(i -> after(1_000, cluster("v", "v" + i)));
    }

    @Test
    void aClusterThatIsGoneIsShownUntilItsRestIsOver() {
        exhaust();
        assertThat(after(1_000)).containsExactly(cluster("v", "v12"));
        assertThat(damped.isPending(now)).isTrue();
        assertThat(after(8_999)).hasSize(1);
        assertThat(after(1)).isEmpty();
    }

    @Test
    void eachRestIsTwiceAsLongUpToTwoMinutes() {
        exhaust();
        for (long rest : new long[] {10_000, 20_000, 40_000, 80_000, 120_000}) {
            String before =
                    damped.update(List.of(cluster("v", "other")), now).get(0).leader();
            assertThat(after(rest - 1, cluster("v", "new" + rest)).get(0).leader())
                    .isEqualTo(before);
            assertThat(after(1, cluster("v", "new" + rest)).get(0).leader()).isEqualTo("new" + rest);
        }
    }

    @Test
    void theOrderOfPrecedenceStays() {
        exhaust();
        assertThat(after(0, cluster("x", "x"), cluster("v", "v13"), cluster("b", "b")))
                .containsExactly(cluster("v", "v12"), cluster("x", "x"), cluster("b", "b"));
        assertThat(after(0, cluster("b", "b"), cluster("v", "v13"), cluster("x", "x")))
                .containsExactly(cluster("v", "v12"), cluster("x", "x"), cluster("b", "b"));
    }

    @Test
    void anotherLeaderIsAChangeAndAnotherWayIsNone() {
        List<RemoteInstance> both = cluster("v", "v1", "v2").instances();
        for (int i = 0; i < 100; i++) {
            RemoteCluster next = new RemoteCluster("v", both, "v1", List.of("a" + i, "v1"));
            assertThat(after(1_000, next)).containsExactly(next);
        }
        assertThat(damped.problems()).isEmpty();
        for (int i = 0; i < 13; i++) {
            after(1_000, new RemoteCluster("v", both, i % 2 == 0 ? "v2" : "v1", List.of("a1", "v1")));
        }
        assertThat(damped.problems()).hasSize(1);
    }

    @Test
    void theLogNamesAClusterOnce() {
        for (int i = 0; i < 120; i++) {
            after(1_000, cluster("v", "v" + i));
        }
        assertThat(warnings)
                .singleElement()
                .asString()
                .contains("up to 120 s late: cluster v, of which a1 hears from v12");
        assertThat(damped.problems()).isEqualTo(warnings);
        after(301_000, cluster("v", "v119"));
        assertThat(damped.problems()).isEmpty();
        assertThat(damped.isPending(now)).isFalse();
    }

    @Test
    void manyClustersAreNamedInOneSentence() {
        for (int i = 0; i < 13; i++) {
            int second = i;
            after(
                    1_000,
                    IntStream.range(0, 9)
                            .mapToObj(each -> cluster("v" + each, "v" + each + "-" + second))
                            .toArray(RemoteCluster[]::new));
        }
        assertThat(warnings).singleElement().asString().endsWith(" and 4 more");
    }

    @Test
    void clustersThatChangeTogetherCountOnceForAll() {
        RemoteCluster[] many = IntStream.range(0, 50)
                .mapToObj(each -> cluster("v" + each, "v" + each))
                .toArray(RemoteCluster[]::new);
        assertThat(after(1_000, many)).hasSize(50);
        assertThat(after(1_000)).isEmpty();
        assertThat(after(1_000, many)).hasSize(50);
    }
}
