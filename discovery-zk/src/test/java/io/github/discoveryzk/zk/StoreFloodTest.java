// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.zk;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.discoveryzk.model.HistoryReading;
import io.github.discoveryzk.model.StoreSnapshot;
import io.github.discoveryzk.report.StoreTree;
import io.github.discoveryzk.spi.Request;
import io.github.discoveryzk.testing.Effort;
import io.github.discoveryzk.testing.Witness;
import io.github.discoveryzk.zk.testing.OneServer;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import java.util.zip.GZIPOutputStream;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooKeeper;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Another client writes very many nodes, or nodes that take much memory, into the tree. */
class StoreFloodTest extends OneServer {
    private static final int MANY = Effort.isThorough() ? 100_000 : 1_000;
    private static final int PACKET = 500;

    /** As long as the server permits by default. */
    private static final byte[] HUGE = new byte[1_000_000];

    private Witness a;

    @BeforeEach
    void join() throws Exception {
        a = witness("a");
        a.join();
        a.publishNext();
        server.create(CLUSTER + "/announcements");
    }

    private void flood(String parent, String prefix) throws Exception {
        inPackets(i -> Op.create(parent + "/" + prefix + i, new byte[0], Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT));
    }

    private void drain(String parent, String prefix) throws Exception {
        inPackets(i -> Op.delete(parent + "/" + prefix + i, -1));
    }

    private void inPackets(IntFunction<Op> operation) throws Exception {
        server.with(client -> {
            for (int i = 0; i < MANY; i += PACKET) {
                client.multi(IntStream.range(i, i + PACKET).mapToObj(operation).toList());
            }
        });
    }

    /** The names have no controls, because servers refuse those, but what they permit. */
    @ParameterizedTest
    @ValueSource(strings = {"members", "acks", "departures", "announcements"})
    void manyForeignNodesAreCounted(String folder) throws Exception {
        String foreign = "\u202eforeign\u2028";
        flood(CLUSTER + "/" + folder, foreign);
        server.create(CLUSTER + "/" + folder + "/huge", HUGE);
        Witness b = witness("b");
        b.store().collect(true);
        b.awaitSnapshot(seen -> seen.acknowledgements().isPresent());
        b.perform(new Request.ProbeLease());
        int more = MANY + 1 - 20;
        StoreSnapshot seen = b.awaitSnapshot(all -> all.problems().toString().contains(more + " more nodes"));
        assertThat(seen.problems())
                .hasSize(21)
                .allMatch(sentence -> sentence.matches("[^\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}\\p{Cs}]{1,600}"))
                .anyMatch(sentence -> sentence.contains(CLUSTER + "/" + folder + "/"));
        assertThat(seen.members()).containsExactly(a.own());
        if (folder.equals("members")) {
            assertThat(asked(b).values()).as("requests").allMatch(count -> count < 20);
        }
        a.perform(new Request.Probe());
        a.publishNext();
        assertThat(a.snapshots()).allMatch(all -> all.problems().size() <= 21);
        drain(CLUSTER + "/" + folder, foreign);
        server.delete(CLUSTER + "/" + folder);
        if (folder.equals("departures")) {
            server.create(CLUSTER + "/" + folder);
            b.perform(new Request.ProbeLease());
        }
        b.awaitSnapshot(all -> all.problems().isEmpty());
    }

    @Test
    void manyForeignNodesOfTheHistoryAreNotRead() throws Exception {
        flood(CLUSTER + "/history", "foreign");
        HistoryReading read = a.store()
                .inspector()
                .readHistory(Set.of())
                .toCompletableFuture()
                .join();
        assertThat(read.problems()).hasSize(MANY);
        assertThat(read.entries()).hasSize(1);
    }

    /** The tree shows the first nodes, and says that it is not complete. */
    @ParameterizedTest
    @ValueSource(strings = {ROOT, ROOT + "/clusters", CLUSTER + "/members"})
    void manyNodesInTheTree(String parent) throws Exception {
        flood(parent, "x");
        StoreTree tree = a.store().inspector().readTree().toCompletableFuture().join();
        assertThat(tree.nodes()).hasSizeLessThanOrEqualTo(2_000);
        assertThat(tree.complete()).isEqualTo(tree.nodes().size() < 2_000);
        if (parent.endsWith("clusters")) {
            a.awaitSnapshot(all -> all.problems().toString().contains(MANY + 1 + " nodes below " + ROOT + "/clusters"));
        }
        a.publishNext();
    }

    /** A member of unknown content lives, so its view does not shrink. */
    @Test
    void bombsAreNamedWhereverTheyAre() throws Exception {
        ByteArrayOutputStream bomb = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(bomb)) {
            gzip.write("{\"format\":1,\"b\":[".getBytes(StandardCharsets.UTF_8));
            for (int i = 0; i < 1_000; i++) {
                gzip.write("{},".repeat(100_000).getBytes(StandardCharsets.UTF_8));
            }
        }
        byte[] deep = ("{\"format\":1,\"a\":" + "[".repeat(500_000)).getBytes(StandardCharsets.UTF_8);
        for (byte[] bytes : List.of(bomb.toByteArray(), deep, HUGE)) {
            server.with(client -> {
                String member = CLUSTER + "/members/m-0123456789abcdef-1-1-0000000000";
                create(client, member, bytes);
                create(client, CLUSTER + "/announcements/a-0123456789abcdef-" + "0".repeat(32), bytes);
                create(client, CLUSTER + "/history/" + "0".repeat(18) + "7", bytes);
                client.setData(CLUSTER + "/lease", bytes, -1);
                client.setData(CLUSTER + "/view", bytes, -1);
                a.perform(new Request.ProbeLease());
                StoreSnapshot seen = a.awaitSnapshot(all -> all.view().isEmpty()
                        && all.unreadable().size() == 1
                        && all.problems().size() == 4);
                assertThat(seen.members()).hasSize(1);
                assertThat(seen.problems())
                        .anyMatch(sentence -> sentence.contains(member + " of session") && sentence.contains("live"))
                        .anyMatch(sentence -> sentence.contains("/announcements/a-"))
                        .anyMatch(sentence -> sentence.contains("/lease"))
                        .anyMatch(sentence -> sentence.contains("/view"));
                a.store().inspector().readTree().toCompletableFuture().join();
                assertThat(a.store()
                                .inspector()
                                .readHistory(Set.of())
                                .toCompletableFuture()
                                .join()
                                .problems())
                        .anyMatch(sentence -> sentence.contains("/history/0"));
            });
            a.perform(a.renewal());
            a.perform(new Request.ProbeLease());
            a.publishNext();
            a.awaitSnapshot(all -> all.problems().isEmpty() && all.unreadable().isEmpty());
        }
    }

    private static void create(ZooKeeper client, String path, byte[] bytes) throws Exception {
        client.create(path, bytes, Ids.OPEN_ACL_UNSAFE, CreateMode.EPHEMERAL);
    }
}
