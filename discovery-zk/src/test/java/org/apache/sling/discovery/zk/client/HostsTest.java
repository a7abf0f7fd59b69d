// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.zk.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class HostsTest {

    private final List<String> troubles = new ArrayList<>();
    private final Hosts hosts = new Hosts(List.of(closed()), troubles::add);

    private static InetSocketAddress closed() {
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return new InetSocketAddress("127.0.0.1", server.getLocalPort());
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private void failUntilTheDiagnosis() {
        for (int i = 0; i < 3; i++) {
            hosts.next(0);
        }
    }

    @Test
    void aTroubleIsReportedWhenAnAttemptAfterTheDiagnosisHasFailed() {
        failUntilTheDiagnosis();
        assertThat(troubles).isEmpty();
        hosts.next(0);

        assertThat(troubles).singleElement().asString().startsWith("No ZooKeeper server answers at 127.0.0.1:");
    }

    @Test
    void aServerThatIsBackAfterTheDiagnosisIsNoTrouble() {
        failUntilTheDiagnosis();
        hosts.onConnected();
        hosts.next(0);

        assertThat(troubles).isEmpty();
    }
}
