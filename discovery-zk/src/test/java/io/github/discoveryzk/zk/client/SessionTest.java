// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.zk.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.github.discoveryzk.zk.security.Access;
import io.github.discoveryzk.zk.testing.OddClient;
import io.github.discoveryzk.zk.testing.OddClient.Oddity;
import io.github.discoveryzk.zk.testing.OneServer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.Stream;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.data.Stat;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Replies to single requests, to transactions and to reads in one packet. */
class SessionTest extends OneServer {
    /** What counts as large. */
    private static final int LARGE = 16 * 1024;

    private final AtomicInteger replies = new AtomicInteger();
    private OddClient client;
    private Session session;

    @BeforeEach
    void open() throws Exception {
        client = new OddClient(server.address());
        session = new Session(
                client, Access.OPEN.entries(), Runnable::run, (source, reply) -> replies.incrementAndGet(), lost -> {});
    }

    @AfterEach
    void close() throws Exception {
        client.close(1_000);
    }

    static Stream<Named<Function<Session, CompletableFuture<?>>>> requests() {
        return Stream.of(
                Named.of("a single one", one -> one.exists("/x")),
                Named.of("a transaction", one -> one.commit(List.of(Op.check("/x", -1)))));
    }

    @ParameterizedTest
    @MethodSource("requests")
    void aReplyCountsForTheConnectionOverWhichItsRequestWasSent(Function<Session, CompletableFuture<?>> request) {
        client.be(Oddity.REPLY_KEPT);
        CompletableFuture<?> reply = request.apply(session);
        client.release();
        assertThat(reply).isCompleted();
        assertThat(replies).hasValue(1);

        client.be(Oddity.REPLY_KEPT);
        CompletableFuture<?> late = request.apply(session);
        session.endConnection();
        client.release();
        assertThat(Failure.of(catchThrowable(late::join)).code()).isEqualTo(Code.CONNECTIONLOSS);
        assertThat(replies).hasValue(1);
    }

    @Test
    void mostLargeWritesAreRefusedAfterTwoLossesInARow() throws Exception {
        server.create("/x");
        lose(1);
        assertThat(write(LARGE)).isEqualTo(Code.OK);
        lose(2);
        for (int i = 1; i < 9; i++) {
            assertThat(write(LARGE)).as("attempt %s", i).isEqualTo(Code.MARSHALLINGERROR);
            assertThat(write(LARGE - 1)).isEqualTo(Code.OK);
        }
        assertThat(write(LARGE)).as("attempt 9").isEqualTo(Code.OK);
        assertThat(write(LARGE)).as("after a success").isEqualTo(Code.OK);
    }

    private Code write(int bytes) throws Exception {
        return session.write("/x", new byte[bytes], -1)
                .handle((value, thrown) ->
                        thrown == null ? Code.OK : Failure.of(thrown).code())
                .get(OneServer.LONG.toSeconds(), TimeUnit.SECONDS);
    }

    /** Sends large writes that are not replied to before the connection is lost, and waits until there is another one. */
    private void lose(int writes) throws Exception {
        server.mute(true);
        List<CompletableFuture<Stat>> lost = Stream.generate(() -> session.write("/x", new byte[LARGE], -1))
                .limit(writes)
                .toList();
        server.drop(session.id());
        for (CompletableFuture<Stat> each : lost) {
            assertThat(failure(each).isUnknown()).isTrue();
        }
        server.mute(false);
        eventually(() -> write(1) == Code.OK);
    }

    @Test
    void readThatFailsLeavesTheOthersTheirResults() throws Exception {
        server.create("/a", (byte) '1');
        server.create("/a/b");
        MultiRead reads = new MultiRead(session);
        CompletableFuture<NodeData> missing = reads.read("/x");
        CompletableFuture<NodeData> found = reads.read("/a");
        CompletableFuture<?> alsoMissing = reads.list("/y");
        CompletableFuture<List<String>> names = reads.list("/a");
        reads.send();
        assertThat(failure(missing).code()).isEqualTo(Code.NONODE);
        assertThat(failure(missing).path()).isEqualTo("/x");
        assertThat(failure(alsoMissing).path()).isEqualTo("/y");
        assertThat(found.join().data()).asString().isEqualTo("1");
        assertThat(names.join()).containsExactly("b");
    }

    @Test
    void lossOfTheConnectionFailsAllReads() throws Exception {
        server.mute(true);
        MultiRead reads = new MultiRead(session);
        CompletableFuture<?> root = reads.read("/");
        CompletableFuture<?> names = reads.list("/");
        reads.send();
        session.endConnection();
        server.stop();
        assertThat(failure(root).isUnknown()).isTrue();
        assertThat(failure(names).isUnknown()).isTrue();
        server.start();
    }

    @Test
    void noReadsNeedNoPacket() {
        new MultiRead(null).send();
    }

    private static Failure failure(CompletableFuture<?> future) throws Exception {
        return future.handle((value, thrown) -> Failure.of(thrown)).get(OneServer.LONG.toSeconds(), TimeUnit.SECONDS);
    }
}
