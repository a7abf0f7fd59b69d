// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.zk;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.discoveryzk.model.DataAddress;
import io.github.discoveryzk.model.DataRecord;
import io.github.discoveryzk.model.Member;
import io.github.discoveryzk.spi.DataStore;
import io.github.discoveryzk.spi.DataStore.Content;
import io.github.discoveryzk.spi.DataStore.Proof;
import io.github.discoveryzk.spi.DataStore.Result;
import io.github.discoveryzk.spi.DataStore.Stored;
import io.github.discoveryzk.spi.DataStore.Write;
import io.github.discoveryzk.spi.Outcome.Status;
import io.github.discoveryzk.testing.Witness;
import io.github.discoveryzk.testing.server.TcpProxy;
import io.github.discoveryzk.zk.testing.OneServer;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** A server, two members at it, and their writes of shared data. */
abstract class DataServer extends OneServer {
    static final DataAddress VALUE = new DataAddress("app", "v", false);
    static final DataAddress MAP = new DataAddress("app", "m", true);
    static final String FOLDER = CLUSTER + "/data/app/m.m";
    static final String VALUE_NODE = CLUSTER + "/data/app/v.v";
    static final String KEY = DataStore.VALUE;

    /** The instance a reaches the server through it. */
    TcpProxy proxy;

    Witness a;
    Witness b;

    @BeforeEach
    void join() {
        proxy = new TcpProxy(server.port());
        a = witness("a", ZooKeeperStoreConfig.of(proxy.address()));
        b = witness("b");
        a.join();
        b.join();
        // Tests do not count what a reads of b.
        a.awaitMembers(2);
    }

    @AfterEach
    void closeProxy() {
        proxy.close();
    }

    /** A write by an instance, which is made of its parts. */
    record By(Witness one, Member writer, DataAddress address, String key, OptionalLong fence, Optional<Proof> proof) {
        Write of(OptionalLong seen, Optional<Object> value, boolean owned) {
            Optional<DataRecord> record = value.map(each -> new DataRecord(
                    "text",
                    each,
                    writer.record().instanceId(),
                    fence,
                    Optional.of(node()).filter(any -> owned)));
            return new Write(address, key, seen, record, node(), fence, proof);
        }

        String node() {
            return writer.node();
        }

        Result send(Write write) {
            return get(one.store().data().write(write).toCompletableFuture());
        }

        Result put(OptionalLong seen, Object value) {
            return send(of(seen, Optional.of(value), false));
        }

        Result own(OptionalLong seen, Object value) {
            return send(of(seen, Optional.of(value), true));
        }

        Result remove(OptionalLong seen) {
            return send(of(seen, Optional.empty(), false));
        }

        CompletableFuture<Result> later(OptionalLong seen, Object value) {
            return one.store().data().write(of(seen, Optional.of(value), false)).toCompletableFuture();
        }

        By fenced(long view) {
            return new By(one, writer, address, key, OptionalLong.of(view), proof);
        }

        By proven(DataAddress value, OptionalLong version) {
            return new By(one, writer, address, key, fence, Optional.of(new Proof(value, version.getAsLong())));
        }
    }

    static By by(Witness one, DataAddress address, String key) {
        return new By(one, one.own(), address, key, OptionalLong.empty(), Optional.empty());
    }

    static By by(By other, String key) {
        return new By(other.one, other.writer, other.address, key, other.fence, other.proof);
    }

    static final OptionalLong NONE = OptionalLong.empty();

    static <T> T get(CompletableFuture<T> future) {
        try {
            return future.get(LONG.toSeconds(), TimeUnit.SECONDS);
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    /** Checks that a write is done, and returns its version. */
    static OptionalLong done(Result result) {
        assertThat(result.outcome().status()).as("%s", result.outcome()).isEqualTo(Status.DONE);
        return result.now().stream().mapToLong(Stored::version).findFirst();
    }

    static void assertOvertaken(Result result, Object now) {
        assertThat(result.outcome().status()).as("%s", result.outcome()).isEqualTo(Status.OVERTAKEN);
        assertThat(result.now().map(each -> each.record().get().value())).isEqualTo(Optional.ofNullable(now));
    }

    static void assertRejected(Result result, String why) {
        assertThat(result.outcome().status()).as("%s", result.outcome()).isEqualTo(Status.REJECTED);
        assertThat(result.outcome().detail()).contains(why);
        assertThat(result.now()).isEmpty();
    }

    static Optional<Object> read(Witness one, DataAddress address, String key) {
        return get(one.store().data().read(address, key).toCompletableFuture())
                .map(each -> each.record().get().value());
    }

    /** What was reported of an address, the oldest first. */
    static List<Content> follow(Witness one, DataAddress address) {
        List<Content> all = new CopyOnWriteArrayList<>();
        one.store().data().follow(address, all::add);
        await(all, Content::known);
        return all;
    }

    static Content last(List<Content> all) {
        return all.get(all.size() - 1);
    }

    static Content await(List<Content> all, Predicate<Content> condition) {
        eventually(() -> !all.isEmpty() && condition.test(last(all)));
        return last(all);
    }

    static Predicate<Content> has(Map<String, Object> expected) {
        return content -> content.known()
                && content.entries().keySet().equals(expected.keySet())
                && expected.entrySet().stream().allMatch(each -> content.entries()
                        .get(each.getKey())
                        .record()
                        .get()
                        .value()
                        .equals(each.getValue()));
    }
}
