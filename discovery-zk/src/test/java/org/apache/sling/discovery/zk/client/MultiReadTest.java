// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.zk.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.sling.discovery.testing.server.TestServer;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.ZooKeeper;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@SuppressWarnings("try")
class MultiReadTest {
    private static final int SECONDS = 20;

    @Test
    void readThatFailsLeavesTheOthersTheirResults(@TempDir Path data) throws Exception {
        try (TestServer server = new TestServer(data)) {
            server.create("/a", "1".getBytes(StandardCharsets.UTF_8));
            server.create("/a/b");
            try (ZooKeeper client = new ZooKeeper(server.address(), 10_000, event -> {})) {
                MultiRead reads = new MultiRead(new Session(client, Runnable::run, () -> {}, lost -> {}));
                CompletableFuture<NodeData> missing = reads.read("/x");
                CompletableFuture<NodeData> found = reads.read("/a");
                CompletableFuture<?> alsoMissing = reads.list("/y");
                CompletableFuture<List<String>> names = reads.list("/a");
                reads.send();
                assertThat(found.get(SECONDS, TimeUnit.SECONDS).data())
                        .asString()
                        .isEqualTo("1");
                assertThat(names.get(SECONDS, TimeUnit.SECONDS)).containsExactly("b");
                assertThat(failure(missing).code()).isEqualTo(Code.NONODE);
                assertThat(failure(missing).path()).isEqualTo("/x");
                assertThat(failure(alsoMissing).path()).isEqualTo("/y");
            }
        }
    }

    @Test
    void lossOfTheConnectionFailsAllReads(@TempDir Path data) throws Exception {
        try (TestServer server = new TestServer(data);
                ZooKeeper client = new ZooKeeper(server.address(), 10_000, event -> {})) {
            Session session = new Session(client, Runnable::run, () -> {}, lost -> {});
            server.mute(true);
            MultiRead reads = new MultiRead(session);
            CompletableFuture<?> root = reads.read("/");
            CompletableFuture<?> names = reads.list("/");
            reads.send();
            session.endConnection();
            server.stop();
            assertThat(failure(root).isUnknown()).isTrue();
            assertThat(failure(names).isUnknown()).isTrue();
        }
    }

    @Test
    void noReadsNeedNoPacket() {
        new MultiRead(null).send();
    }

    private static Failure failure(CompletableFuture<?> future) throws Exception {
        return future.handle((value, thrown) -> Failure.of(thrown)).get(SECONDS, TimeUnit.SECONDS);
    }
}
