// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.it;

import static io.github.discoveryzk.it.outside.Limit.untilAsserted;
import static org.apache.sling.discovery.TopologyEvent.Type.TOPOLOGY_INIT;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.discoveryzk.it.cluster.PlainInstance;
import java.util.Map;
import org.junit.After;
import org.junit.Test;
import org.osgi.framework.Bundle;

/** A container waits for other instances before the first INIT of its process. */
public class MinInstancesIT extends ContainerTest {

    private static final String PID = "io.github.discoveryzk.base";

    @After
    public void reset() {
        container().delete(PID);
    }

    @Test
    public void theFirstInitWaitsAndNoLaterOne() throws Exception {
        container().untilCurrent();
        container().configure(PID, Map.of("minInstances", 2));
        Bundle base = container().bundle("io.github.discoveryzk.base");
        // Its classes are new then, as in a new process.
        base.update();
        Recorder recorder = new Recorder();
        container().register(recorder);
        untilAsserted(() -> assertThat(container().report().sentence())
                .contains(
                        "waiting for more instances before the first INIT: the view has 1 member, minInstances is 2"));
        assertThat(container().topology().isCurrent()).isFalse();
        assertThat(recorder.events()).isEmpty();
        try (PlainInstance peer = join("peer")) {
            recorder.awaitEvents(TOPOLOGY_INIT);
            assertThat(container().members()).containsExactly(ID, "peer");
            assertThat(peer.members()).containsExactly(ID, "peer");
        }
        base.stop();
        base.start();
        container().untilCurrent();
        assertThat(container().members()).containsExactly(ID);
    }
}
