// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.zk.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.Stream;
import org.apache.sling.discovery.zk.testing.OddClient;
import org.apache.sling.discovery.zk.testing.OddClient.Oddity;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Op;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A reply counts for the connection over which its request was sent. */
class SessionTest {
    private final AtomicInteger answered = new AtomicInteger();
    private OddClient client;
    private Session session;

    @BeforeEach
    void open() throws Exception {
        client = new OddClient("127.0.0.1:1");
        client.be(Oddity.REPLY_KEPT);
        session = new Session(client, Runnable::run, answered::incrementAndGet, lost -> {});
    }

    @AfterEach
    void close() throws Exception {
        client.close(1_000);
    }

    static Stream<Named<Function<Session, CompletableFuture<?>>>> requests() {
        return Stream.of(
                Named.of("a single one", asked -> asked.exists("/x")),
                Named.of("a transaction", asked -> asked.commit(List.of(Op.check("/x", -1)))));
    }

    @ParameterizedTest
    @MethodSource("requests")
    void replyOverTheSameConnectionCounts(Function<Session, CompletableFuture<?>> request) {
        CompletableFuture<?> reply = request.apply(session);
        client.release();
        assertThat(reply).isCompleted();
        assertThat(answered).hasValue(1);
    }

    @ParameterizedTest
    @MethodSource("requests")
    void replyOverTheNextConnectionIsALostOne(Function<Session, CompletableFuture<?>> request) {
        CompletableFuture<?> reply = request.apply(session);
        session.endConnection();
        client.release();
        assertThat(Failure.of(catchThrowable(reply::join)).code()).isEqualTo(Code.CONNECTIONLOSS);
        assertThat(answered).hasValue(0);
    }
}
