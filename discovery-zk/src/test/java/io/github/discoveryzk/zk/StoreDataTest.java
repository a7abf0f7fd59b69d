// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.zk;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.discoveryzk.model.DataAddress;
import io.github.discoveryzk.report.Secrets;
import io.github.discoveryzk.report.StoreTree;
import io.github.discoveryzk.spi.DataStore;
import io.github.discoveryzk.spi.DataStore.Content;
import io.github.discoveryzk.spi.DataStore.Result;
import io.github.discoveryzk.spi.DataStore.Stored;
import io.github.discoveryzk.spi.Outcome.Status;
import io.github.discoveryzk.spi.Request;
import io.github.discoveryzk.spi.StoreInspector;
import io.github.discoveryzk.testing.Witness;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooDefs.Perms;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Shared data in ZooKeeper: its nodes, requests and watches, and what its data versions cannot tell apart. */
class StoreDataTest extends DataServer {
    /** Longer than all that happens meanwhile takes. If it is not, a test proves less, and does not fail. */
    private static final Duration LATE = Duration.ofMillis(400);

    @Test
    void aValueIsOneNodeThatStays() throws Exception {
        List<Content> seen = follow(b, VALUE);
        assertThat(last(seen).entries()).isEmpty();
        By writer = by(a, VALUE, KEY);
        OptionalLong first = done(writer.put(NONE, "1"));
        await(seen, has(Map.of(KEY, "1")));
        OptionalLong second = done(writer.put(first, "2"));
        assertThat(second.getAsLong()).isEqualTo(server.stat(VALUE_NODE).getMzxid());
        assertOvertaken(writer.put(first, "3"), "2");
        assertOvertaken(writer.put(NONE, "3"), "2");
        assertOvertaken(writer.remove(first), "2");

        assertThat(done(writer.remove(second))).isEmpty();
        await(seen, has(Map.of()));
        assertThat(read(a, VALUE, KEY)).isEmpty();
        assertOvertaken(writer.put(second, "3"), null);
        done(writer.put(NONE, "4"));
        await(seen, has(Map.of(KEY, "4")));
        assertThat(server.stat(VALUE_NODE).getVersion()).isEqualTo(4);
        assertThat(read(b, VALUE, KEY)).contains("4");
    }

    @Test
    void anEntryIsANodeThatIsRemoved() throws Exception {
        List<Content> seen = follow(b, MAP);
        By writer = by(a, MAP, "a/ä");
        OptionalLong first = done(writer.put(NONE, "1"));
        done(by(a, MAP, "x").put(NONE, "2"));
        await(seen, has(Map.of("a/ä", "1", "x", "2")));
        assertThat(server.children(FOLDER)).containsExactlyInAnyOrder("a%002f%00e4", "x");
        OptionalLong second = done(writer.put(first, "3"));
        assertThat(second.getAsLong())
                .isEqualTo(server.stat(FOLDER + "/a%002f%00e4").getMzxid());
        assertOvertaken(writer.remove(first), "3");
        assertThat(done(writer.remove(second))).isEmpty();
        await(seen, has(Map.of("x", "2")));
        assertOvertaken(writer.put(second, "4"), null);
        assertThat(read(a, MAP, "a/ä")).isEmpty();
        done(writer.put(NONE, "5"));
        await(seen, has(Map.of("a/ä", "5", "x", "2")));
    }

    @Test
    void oneWriteCostsOneTransactionAndEachFollowerOneRead() {
        server.forgetAsked();
        List<Content> own = follow(a, VALUE);
        assertThat(asked(a)).isEqualTo(Map.of("addWatch", 1L, "getChildren", 1L, "getData", 1L));
        List<Content> seen = follow(b, VALUE);
        By writer = by(a, VALUE, KEY);
        OptionalLong version = done(writer.put(NONE, "0"));
        long view = a.publishNext().number();
        await(seen, has(Map.of(KEY, "0")));
        await(own, has(Map.of(KEY, "0")));
        b.awaitSnapshot(all -> all.view().isPresent());
        server.forgetAsked();
        version = done(writer.put(version, "1"));
        await(seen, has(Map.of(KEY, "1")));
        await(own, has(Map.of(KEY, "1")));
        done(writer.fenced(view).put(version, "2"));
        await(seen, has(Map.of(KEY, "2")));
        await(own, has(Map.of(KEY, "2")));
        assertThat(asked(a)).isEqualTo(Map.of("multi", 2L, "getData", 2L));
        assertThat(asked(b)).isEqualTo(Map.of("getData", 2L));
    }

    @Test
    void writesOfEntriesInARowCostOneTransactionEach() {
        List<Content> own = follow(a, MAP);
        By writer = by(a, MAP, "x");
        done(writer.put(NONE, "1"));
        await(own, has(Map.of("x", "1")));
        server.forgetAsked();
        OptionalLong version =
                done(writer.put(OptionalLong.of(last(own).entries().get("x").version()), "2"));
        version = done(writer.put(version, "3"));
        done(writer.remove(version));
        version = done(writer.own(NONE, "4"));
        done(writer.own(version, "5"));
        await(own, has(Map.of("x", "5")));
        assertThat(asked(a)).containsEntry("multi", 5L).doesNotContainKey("multiRead");
    }

    @Test
    void whoFollowsNothingIsAskedNothing() {
        server.forgetAsked();
        done(by(a, VALUE, KEY).put(NONE, "1"));
        done(by(a, MAP, "x").put(NONE, "1"));
        b.perform(new Request.Probe());
        assertThat(asked(b)).isEqualTo(Map.of("exists", 1L));
    }

    /** The client still knows the node that was, and the new one has the same data version. */
    @ParameterizedTest
    @CsvSource({"false, false, false", "true, true, false", "true, false, true", "false, true, true"})
    void anEntryThatWasCreatedAgainIsNotMistakenForThatOfBefore(
            boolean ownedBefore, boolean ownedAfter, boolean removes) {
        List<Content> known = follow(a, MAP);
        Witness c = witness("c");
        c.join();
        OptionalLong first = done(
                ownedBefore ? by(c, MAP, "x").own(NONE, "1") : by(c, MAP, "x").put(NONE, "1"));
        await(known, has(Map.of("x", "1")));
        proxy.delay(LATE);
        if (ownedBefore) {
            c.close();
            eventually(() -> server.children(FOLDER).isEmpty());
        } else {
            done(by(b, MAP, "x").remove(first));
        }
        By writer = by(b, MAP, "x");
        done(ownedAfter ? writer.own(NONE, "2") : writer.put(NONE, "2"));
        By late = by(a, MAP, "x");
        assertOvertaken(removes ? late.remove(first) : late.put(first, "3"), "2");
        assertThat(read(b, MAP, "x")).contains("2");
    }

    @Test
    void theCreationOfAnotherEntryIsNoConflict() {
        List<Content> known = follow(a, MAP);
        OptionalLong first = done(by(a, MAP, "x").put(NONE, "1"));
        await(known, has(Map.of("x", "1")));
        proxy.delay(LATE);
        done(by(b, MAP, "y").put(NONE, "2"));
        done(by(a, MAP, "x").put(first, "3"));
        await(known, has(Map.of("x", "3", "y", "2")));
    }

    @ParameterizedTest
    @ValueSource(strings = {VALUE_NODE, FOLDER + "/x"})
    void theVersionThatComparesWithNothingIsSkipped(String node) throws Exception {
        By writer = node.equals(VALUE_NODE) ? by(a, VALUE, KEY) : by(a, MAP, "x");
        OptionalLong version = done(writer.put(NONE, "1"));
        server.setVersion(node, -2);
        version = done(writer.put(version, "2"));
        assertThat(server.stat(node).getVersion()).isZero();
        assertThat(version.getAsLong()).isEqualTo(server.stat(node).getMzxid());

        server.setVersion(node, -1);
        assertRejected(writer.put(version, "3"), "data version -1");
        assertRejected(writer.remove(version), "data version -1");
        assertThat(read(a, writer.address(), writer.key())).contains("2");
        server.setVersion(node, Integer.MAX_VALUE);
        done(writer.put(version, "3"));
        assertThat(server.stat(node).getVersion()).isEqualTo(Integer.MIN_VALUE);
    }

    @Test
    void aFolderWithTheVersionThatComparesWithNothingIsWrittenOnceMore() throws Exception {
        OptionalLong version = done(by(a, MAP, "x").put(NONE, "1"));
        server.setVersion(FOLDER, -1);
        done(by(a, MAP, "x").put(version, "2"));
        assertThat(server.stat(FOLDER).getVersion()).isZero();
    }

    @Test
    void aWriteWhoseReplyIsLostIsUnknownAndThoseBehindItAreNotSent() throws Exception {
        List<Content> known = follow(a, VALUE);
        By writer = by(a, VALUE, KEY);
        OptionalLong first = done(writer.put(NONE, "1"));
        await(known, has(Map.of(KEY, "1")));
        proxy.loseReplies();
        CompletableFuture<Result> lost = writer.later(first, "2");
        List<CompletableFuture<Result>> behind = List.of(writer.later(first, "3"), writer.later(NONE, "4"));
        eventually(() -> new String(server.data(VALUE_NODE), UTF_8).contains("\"2\""));
        proxy.cut();
        assertThat(get(lost).outcome().status()).isEqualTo(Status.UNKNOWN);
        assertThat(behind)
                .allSatisfy(each -> assertThat(get(each).outcome().status()).isEqualTo(Status.UNKNOWN));
        assertThat(await(known, content -> !content.known()).entries()).containsKey(KEY);
        assertThat(get(writer.later(first, "5")).outcome().status()).isEqualTo(Status.UNKNOWN);
        assertThatThrownBy(() -> read(a, VALUE, KEY)).hasMessageContaining("connection");
        proxy.restore();
        await(known, has(Map.of(KEY, "2")));
        assertThat(read(a, VALUE, KEY)).contains("2");
    }

    @Test
    void aClosedStoreRepliesToo() {
        By writer = by(a, VALUE, KEY);
        a.close();
        assertThat(writer.put(NONE, "1").outcome().status()).isEqualTo(Status.UNKNOWN);
        DataStore unopened = new ZooKeeperStore(config()).data();
        assertThat(unopened.isSupported()).isTrue();
        assertThat(get(unopened.write(writer.of(NONE, Optional.of("1"), false)).toCompletableFuture())
                        .outcome()
                        .status())
                .isEqualTo(Status.UNKNOWN);
    }

    @Test
    void aReconnectReadsEverythingAgainAndWritesNothing() {
        List<Content> known = follow(a, MAP);
        List<Content> empty = follow(a, VALUE);
        done(by(a, MAP, "x").put(NONE, "1"));
        await(known, has(Map.of("x", "1")));
        server.forgetAsked();
        proxy.reset();
        await(known, content -> !content.known());
        done(by(b, MAP, "y").put(NONE, "2"));
        await(known, has(Map.of("x", "1", "y", "2")));
        await(empty, Content::known);
        assertThat(asked(a)).doesNotContainKeys("create", "setData", "delete", "multi");
    }

    @Test
    void theTreeCanBeDeletedUnderIt() throws Exception {
        List<Content> map = follow(a, MAP);
        List<Content> value = follow(a, VALUE);
        for (String deleted : List.of(CLUSTER + "/data", CLUSTER + "/data/app", FOLDER)) {
            done(by(b, MAP, "x").put(NONE, "1"));
            OptionalLong version = done(by(b, VALUE, KEY).put(NONE, "1"));
            await(map, has(Map.of("x", "1")));
            await(value, has(Map.of(KEY, "1")));
            server.delete(deleted);
            await(map, has(Map.of()));
            if (!deleted.equals(FOLDER)) {
                await(value, has(Map.of()));
                assertOvertaken(by(a, VALUE, KEY).put(version, "2"), null);
            }
        }
        server.delete("/sling");
        a.awaitMembers(0);
        await(value, has(Map.of()));
        a.join();
        done(by(a, VALUE, KEY).put(NONE, "3"));
        await(value, has(Map.of(KEY, "3")));
    }

    @Test
    void whatIsDeniedIsNamed() throws Exception {
        OptionalLong version = done(by(b, MAP, "x").put(NONE, "1"));
        done(by(b, MAP, "y").put(NONE, "2"));
        List<Content> known = follow(a, MAP);
        allow(FOLDER + "/x", UNREADABLE);
        reset(known);
        assertThat(await(known, content -> !content.problems().isEmpty()))
                .matches(has(Map.of("x", "1", "y", "2")))
                .satisfies(content -> assertThat(content.problems())
                        .singleElement()
                        .asString()
                        .contains(FOLDER + "/x", "NOAUTH"));
        assertRejected(by(a, MAP, "x").put(version, "3"), "denies access to " + FOLDER + "/x");
        assertThatThrownBy(() -> read(a, MAP, "x")).hasMessageContaining("denies access");

        allow(FOLDER + "/x", Perms.ALL);
        allow(FOLDER, Perms.READ | Perms.ADMIN);
        assertRejected(by(a, MAP, "z").put(NONE, "3"), "denies access to " + FOLDER);
        allow(FOLDER, UNREADABLE);
        reset(known);
        assertThat(await(known, content -> content.problems().toString().contains(FOLDER + " "))
                        .known())
                .isFalse();
    }

    /** Has an instance read everything again, because a change of rights causes no event. */
    private void reset(List<Content> known) {
        int before = known.size();
        proxy.reset();
        eventually(() -> known.size() > before + 1);
    }

    @Test
    void whatCannotBeReadSaysWhyWhenItIsReadAndCanBeReplaced() throws Exception {
        List<Content> known = follow(a, MAP);
        done(by(b, MAP, "newer").put(NONE, "1"));
        done(by(b, MAP, "large").put(NONE, "1"));
        done(by(b, MAP, "odd").put(NONE, "1"));
        write(FOLDER + "/newer", "{\"format\":2}");
        write(FOLDER + "/large", new byte[100_000]);
        write(FOLDER + "/odd", "?");
        Content content = await(known, all -> all.entries().values().stream().noneMatch(StoreDataTest::isReadable));
        assertThatThrownBy(() -> content.entries().get("newer").record().get())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll(FOLDER + "/newer", "format 2");
        assertThatThrownBy(() -> content.entries().get("large").record().get())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll(FOLDER + "/large", "100000 bytes");
        assertThat(by(a, MAP, "odd").own(NONE, "2").outcome().status()).isEqualTo(Status.OVERTAKEN);
        done(by(a, MAP, "odd").put(OptionalLong.of(content.entries().get("odd").version()), "2"));
        assertThat(read(b, MAP, "odd")).contains("2");
    }

    private static boolean isReadable(Stored stored) {
        try {
            return stored.record().get() != null;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    @Test
    void foreignNodesAreNamedAndLeftAlone() throws Exception {
        done(by(b, MAP, "x").put(NONE, "1"));
        done(by(b, VALUE, KEY).put(NONE, "1"));
        server.create(FOLDER + "/a b");
        server.create(VALUE_NODE + "/child");
        for (DataAddress address : List.of(MAP, VALUE)) {
            Content content = last(follow(a, address));
            assertThat(content.entries()).hasSize(1);
            assertThat(content.problems()).singleElement().asString().contains("does not belong there");
        }
    }

    @Test
    void whatIsTooLargeIsNotSent() {
        Random random = new Random(1);
        Object large = random.longs(10_000).boxed().toList();
        assertRejected(by(a, VALUE, KEY).put(NONE, large), "may take only 65536");
    }

    @Test
    void manyBytesAreWrittenSlowly() throws Exception {
        Random random = new Random(1);
        String large =
                random.ints(60_000, ' ', 0x7f).mapToObj(Character::toString).collect(Collectors.joining());
        List<CompletableFuture<Result>> all = new ArrayList<>();
        long start = System.nanoTime();
        for (int i = 0; i < 40; i++) {
            all.add(by(a, new DataAddress("app", "x" + i, false), KEY).later(NONE, large));
        }
        all.forEach(each -> done(get(each)));

        // The store may be slow with the first one: only the time from the first call to the last reply has a lower
        // limit. So many that a busy machine does not take as long without a pause.
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThan(Duration.ofMillis(39 * 45));
    }

    @Test
    void theTreeShowsItDecodedAndLast() throws Exception {
        long view = a.publishNext().number();
        done(by(a, VALUE, KEY).fenced(view).put(NONE, Map.of("size", 7L, "api.key", "hidden")));
        done(by(a, MAP, "password").put(NONE, "hidden"));
        done(by(a, MAP, "x").own(NONE, List.of("1", "2")));
        StoreTree tree = get(b.store().inspector().readTree().toCompletableFuture());
        assertThat(tree.nodes()).allMatch(node -> node.problem().isEmpty());
        assertThat(tree.toString()).doesNotContain("hidden");
        assertThat(node(tree, CLUSTER + "/data").kind()).isEqualTo("shared data");
        assertThat(node(tree, CLUSTER + "/data/app").kind()).isEqualTo("scope of shared data");
        assertThat(node(tree, FOLDER).kind()).isEqualTo("shared map");
        assertThat(node(tree, VALUE_NODE).kind()).isEqualTo("shared value");
        assertThat(node(tree, VALUE_NODE).record())
                .contains(
                        new StoreTree.Field("value.size", "7"),
                        new StoreTree.Field("value.api.key", Secrets.MASK),
                        new StoreTree.Field("token", String.valueOf(view)),
                        new StoreTree.Field("writer", "a"));
        assertThat(node(tree, FOLDER + "/password").record()).contains(new StoreTree.Field("value", Secrets.MASK));
        assertThat(node(tree, FOLDER + "/x").kind()).isEqualTo("entry of a shared map");
        assertThat(node(tree, FOLDER + "/x").record()).contains(new StoreTree.Field("value", "1, 2"));

        server.with(client -> {
            for (int i = 0; i < StoreInspector.TREE_LIMIT; i += 500) {
                List<Op> creations = new ArrayList<>();
                for (int j = i; j < i + 500; j++) {
                    creations.add(
                            Op.create(CLUSTER + "/data/" + j, new byte[0], Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT));
                }
                client.multi(creations);
            }
        });
        StoreTree large = get(b.store().inspector().readTree().toCompletableFuture());
        assertThat(large.complete()).isFalse();
        assertThat(large.nodes()).hasSize(StoreInspector.TREE_LIMIT);
        assertThat(node(large, CLUSTER + "/members/" + a.own().node()).kind()).isEqualTo("member");
    }
}
