// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.it.cluster;

import static io.github.discoveryzk.it.outside.Limit.awaitThat;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.discoveryzk.it.chaos.ClusterTree;
import io.github.discoveryzk.it.chaos.ServerProcess;
import io.github.discoveryzk.launcher.Ports;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.sling.discovery.TopologyEvent.Type;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Instances offer more than they may, or a server accepts less than usual: the cluster stays as it is, and the reason is named. */
class LimitsIT {
    /** Long enough that a busy machine ends no session. */
    private static final int SESSION_MILLIS = 15_000;

    /** Cannot be compressed to less than three quarters. */
    private static final String LARGE = random(100_000);

    @TempDir
    private Path folder;

    private ServerProcess server;
    private Instances instances;

    @BeforeEach
    void prepare() {
        int port = Ports.free();
        server = new ServerProcess(folder, 1, port, List.of());
        instances = Instances.on("127.0.0.1:" + port, SESSION_MILLIS);
    }

    @AfterEach
    void stop() {
        instances.close();
        server.close();
    }

    private static String random(int bytes) {
        byte[] all = new byte[bytes];
        new Random(7).nextBytes(all);
        return Base64.getEncoder().encodeToString(all);
    }

    @Test
    void twoMegabytesOfPropertiesAreOmittedAndCounted() throws Exception {
        server.start();
        instances.startAll("a", "b");
        Map<PlainInstance, Integer> before = instances.marks();
        for (int i = 0; i < 20; i++) {
            instances.get("a").offer("large" + i, LARGE);
        }
        instances.get("a").offer("small", "1");
        instances.awaitProblem("a", "17 of 21 properties", "large11", "409600 bytes");
        awaitThat("b knows the small one", () -> "1"
                .equals(instances.get("b").properties("a").get("small")));
        assertThat(instances.get("b").properties("a")).hasSizeLessThan(8);
        instances.awaitSettled();
        before.forEach(
                (instance, mark) -> assertThat(instance.types(mark)).containsOnly(Type.PROPERTIES_CHANGED.name()));
    }

    /** A server closes the connection when a packet is longer than its jute.maxbuffer, and does not say why. */
    @Test
    void serverThatAcceptsLessThanARecordIsNamedAndItsClusterStays() throws Exception {
        Map<String, String> lower = Map.of("JDK_JAVA_OPTIONS", "-Djute.maxbuffer=50000");
        server.start(lower);
        instances.startAll("a").startAll("b");
        long view = instances.get("a").viewNumber();
        instances.get("a").offer("large", LARGE);
        instances.awaitProblem("a", "rejected the request to update", "jute.maxbuffer");
        instances.awaitSettled();
        assertThat(instances.get("a").viewNumber()).isEqualTo(view);
        instances.start("c");
        instances.awaitOrder("a", "b", "c");

        server.stop();
        server.start();
        awaitThat("all know it", () -> instances.all().stream()
                .allMatch(each -> LARGE.equals(each.properties("a").get("large"))));
        instances.awaitSettled();
        instances.awaitNoProblems();
    }

    @Test
    void quotaThatIsUsedUpIsNamedAndTheClusterReturnsAfterIt() throws Exception {
        server.start();
        instances.startAll("a", "b");
        ClusterTree tree = new ClusterTree("127.0.0.1:" + server.clientPort(), folder);
        tree.limit();
        instances.start("c");
        instances.awaitProblem("c", "rejected the request to announce", "quota");
        tree.unlimit();
        awaitThat("all three", () -> instances.all().stream()
                .allMatch(each -> each.order().size() == 3));
        instances.awaitNoProblems();
    }
}
