// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.it.cluster;

import static org.apache.sling.discovery.it.cluster.Containers.awaitThat;
import static org.assertj.core.api.Assertions.assertThat;

import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.sling.discovery.launcher.EmbeddedZooKeeper;
import org.apache.sling.discovery.zk.ZooKeeperStoreConfig;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The cost of a change for the server, by its own count of packets received. */
class CostIT {

    /** So long that hardly any ping or confirmation falls into a change. */
    private static final int SESSION_MILLIS = 60_000;

    /** Room for a ping or a confirmation of some instances while a change is going on. */
    private static final int SLACK = 12;

    /** The publication with its transaction, the departure note and the end of a session, the query of this test. */
    private static final int FIXED = 7;

    /** The requests of a newcomer before it can read the members: connect, find the nodes, watch; and its announcement. */
    private static final int BOOTSTRAP = 7;

    @ParameterizedTest
    @ValueSource(ints = {3, 10, 30})
    void joinsAndLeavesCostAFixedNumberOfRequestsForEachMember(int size, @TempDir Path folder) throws Exception {
        EmbeddedZooKeeper server = EmbeddedZooKeeper.start(folder);
        List<PlainInstance> all = new ArrayList<>();
        try {
            for (int i = 0; i < size; i++) {
                join(server, all);
            }
            long before = packets(server);
            join(server, all);
            long join = packets(server) - before;

            before = packets(server);
            all.remove(1).close();
            awaitSettled(all);
            long leave = packets(server) - before;
            System.out.println("N=" + size + ": " + join + " packets for a join, " + leave + " for a leave");

            // Each member reads the newcomer and the view, and acknowledges; the newcomer reads all members at once.
            assertThat(join).isLessThanOrEqualTo(3L * size + FIXED + BOOTSTRAP + SLACK);
            // Each member reads the view, and acknowledges.
            assertThat(leave).isLessThanOrEqualTo(2L * size + FIXED + SLACK);
        } finally {
            all.forEach(PlainInstance::close);
            server.close();
        }
    }

    private static void join(EmbeddedZooKeeper server, List<PlainInstance> all) {
        PlainInstance next = new PlainInstance(
                "i" + all.size(),
                ZooKeeperStoreConfig.of(server.connectString()).withSessionTimeout(SESSION_MILLIS));
        all.add(next);
        next.start();
        awaitSettled(all);
    }

    private static void awaitSettled(List<PlainInstance> all) {
        awaitThat(all.size() + " settled", () -> all.stream()
                .allMatch(each -> each.order().size() == all.size() && each.hasReceivedItsView()));
    }

    private static long packets(EmbeddedZooKeeper server) throws Exception {
        try (Socket socket = new Socket("127.0.0.1", server.port())) {
            socket.getOutputStream().write("mntr".getBytes(StandardCharsets.US_ASCII));
            socket.getOutputStream().flush();
            String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
            return answer.lines()
                    .filter(line -> line.startsWith("zk_packets_received"))
                    .mapToLong(line -> Long.parseLong(line.split("\t")[1]))
                    .findFirst()
                    .orElseThrow();
        }
    }
}
