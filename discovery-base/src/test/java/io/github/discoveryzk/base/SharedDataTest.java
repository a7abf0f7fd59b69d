// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.base;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.discoveryzk.data.DataKind;
import io.github.discoveryzk.data.SharedMap;
import io.github.discoveryzk.data.SharedValue;
import io.github.discoveryzk.data.Versioned;
import io.github.discoveryzk.data.Written;
import io.github.discoveryzk.leader.LeaderLease;
import io.github.discoveryzk.spi.ValueFence;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What applications on two instances share. */
class SharedDataTest extends VirtualCluster {

    private final List<VirtualInstance> both = cluster("a", "b");
    private final VirtualInstance a = both.get(0);
    private final VirtualInstance b = both.get(1);
    private final SharedValue<String> atA = value(a);
    private final SharedValue<String> atB = value(b);
    private final SharedMap<Long> mapAtA = map(a);
    private final SharedMap<Long> mapAtB = map(b);

    private static SharedValue<String> value(VirtualInstance instance) {
        return instance.instance().data().value("app", "setting", DataKind.TEXT);
    }

    private static SharedMap<Long> map(VirtualInstance instance) {
        return instance.instance().data().map("app", "progress", DataKind.NUMBER);
    }

    private <T> T result(CompletionStage<T> stage) {
        time.runUntil(() -> stage.toCompletableFuture().isDone(), 60_000);
        return stage.toCompletableFuture().join();
    }

    private <T> Optional<Versioned<T>> done(CompletionStage<Written<T>> stage) {
        Written<T> written = result(stage);
        assertThat(written).isInstanceOf(Written.Done.class);
        return ((Written.Done<T>) written).now();
    }

    private void until(BooleanSupplier condition) {
        assertThat(time.runUntil(condition, 60_000)).isTrue();
    }

    private static Optional<String> text(SharedValue<String> value) {
        return value.get().map(Versioned::value);
    }

    private static LeaderLease lease(VirtualInstance instance) {
        return LeaderLease.of(instance.instance().getTopology()).orElseThrow();
    }

    @Test
    void aWriteIsSeenByAllAndReplacesWhatWasSeen() {
        Optional<Versioned<String>> first = done(atA.replace(Optional.empty(), "one"));
        assertThat(atA.get()).isEqualTo(first);
        until(() -> atB.get().equals(first));
        assertThat(first.orElseThrow().writer()).isEqualTo("a");
        Optional<Versioned<String>> second = done(atB.replace(first, "two"));
        assertThat(second.orElseThrow().version())
                .isGreaterThan(first.orElseThrow().version());
        assertThat(result(atA.replace(first, "three"))).isEqualTo(new Written.Overtaken<>(second));
        assertThat(result(atA.replace(Optional.empty(), "three"))).isEqualTo(new Written.Overtaken<>(second));
        assertThat(done(atB.clear(second.orElseThrow()))).isEmpty();
        until(() -> atA.get().isEmpty());
        assertThat(result(atA.read())).isEmpty();
        done(atA.replace(Optional.empty(), "four"));
        until(() -> text(atB).equals(Optional.of("four")));
    }

    @Test
    void aReadHasWhatTheLocalCopyDoesNotHaveYet() {
        Optional<Versioned<String>> first = done(atA.replace(Optional.empty(), "one"));
        until(() -> atB.get().equals(first));
        Optional<Versioned<String>> second = done(atA.replace(first, "two"));
        assertThat(atB.isKnown()).isTrue();
        assertThat(atB.get()).isEqualTo(first);
        assertThat(result(atB.read())).isEqualTo(second);
    }

    @Test
    void updatesOfTwoInstancesDoNotGetLost() {
        SharedValue<Long> countAtA = a.instance().data().value("app", "count", DataKind.NUMBER);
        SharedValue<Long> countAtB = b.instance().data().value("app", "count", DataKind.NUMBER);
        List<CompletionStage<Written<Long>>> all = IntStream.range(0, 10)
                .mapToObj(i -> (i % 2 == 0 ? countAtA : countAtB).update(now -> now.orElse(0L) + 1))
                .toList();
        all.forEach(this::done);
        assertThat(result(countAtA.read()).map(Versioned::value)).hasValue(10L);
    }

    @Test
    void aListenerReceivesThePresentValueFirstAndThenTheNewest() {
        done(atA.replace(Optional.empty(), "one"));
        until(() -> text(atB).equals(Optional.of("one")));
        List<Optional<String>> heard = new ArrayList<>();
        var registration = atB.listen(value -> heard.add(value.map(Versioned::value)));
        until(() -> heard.equals(List.of(Optional.of("one"))));
        done(atA.replace(atA.get(), "two"));
        until(() -> heard.size() == 2);
        registration.close();
        done(atA.replace(atA.get(), "three"));
        until(() -> text(atB).equals(Optional.of("three")));
        assertThat(heard).containsExactly(Optional.of("one"), Optional.of("two"));
    }

    /** Held as long as the value names it. */
    private static ValueFence<String> fence(SharedValue<String> value, String owner) {
        return new ValueFence<>(value) {
            @Override
            protected boolean isProvenBy(String present) {
                return present.startsWith(owner);
            }

            @Override
            public long token() {
                return 7;
            }

            @Override
            public boolean isHeld() {
                return true;
            }
        };
    }

    @Test
    void aValueIsAFenceAsLongAsItProvesTheRole() {
        ValueFence<String> fence = fence(atA, "a");
        assertThat(result(mapAtA.replace("x", Optional.empty(), 1L, fence)))
                .isInstanceOfSatisfying(
                        Written.Refused.class, each -> assertThat(each.why()).contains("does not prove"));
        Optional<Versioned<String>> proof = done(atA.replace(Optional.empty(), "a, and b waits"));
        Optional<Versioned<Long>> seen = done(mapAtA.replace("x", Optional.empty(), 1L, fence));
        assertThat(seen.orElseThrow().token()).hasValue(7);

        // The copy of a has the proof of before, and learns of the present one by the refusal.
        proof = done(atB.replace(proof, "a"));
        seen = done(mapAtA.replace("x", seen, 2L, fence));
        done(atB.replace(proof, "b"));
        assertThat(result(mapAtA.replace("x", seen, 3L, fence))).isInstanceOf(Written.Refused.class);
        assertThat(result(mapAtB.read("x")).map(Versioned::value)).hasValue(2L);
    }

    @Test
    void aFormerLeaderIsRefusedByTheStore() {
        LeaderLease of = lease(a);
        Optional<Versioned<String>> first = done(atA.replace(Optional.empty(), "one", of));
        assertThat(first.orElseThrow().token()).hasValue(of.token());
        VirtualInstance c = settled("c");
        assertThat(c.awaitOrder("a", "b", "c")).isTrue();
        assertThat(result(atA.replace(first, "two", of)))
                .isInstanceOfSatisfying(
                        Written.Refused.class, each -> assertThat(each.why()).contains("does not lead"));
        done(atA.replace(first, "two", lease(a)));
        a.kill();
        assertThat(b.awaitOrder("b", "c")).isTrue();
        assertThat(result(atB.read()).map(Versioned::value)).hasValue("two");
    }

    @Test
    void anEntryOfAnInstanceGoesWithItsMembershipAndComesAgain() {
        assertThat(done(mapAtA.own("x", 1L)).orElseThrow().owned()).isTrue();
        until(() -> mapAtB.entries().containsKey("x"));
        assertThat(result(mapAtB.own("x", 2L))).isInstanceOf(Written.Overtaken.class);
        a.instance().operator().stepDown();
        until(() -> !mapAtB.entries().containsKey("x"));
        assertThat(a.awaitOrder("b", "a")).isTrue();
        until(() -> mapAtB.entries().containsKey("x"));
        done(mapAtA.disown("x"));
        until(() -> !mapAtB.entries().containsKey("x"));
        done(mapAtB.own("x", 2L));
        b.kill();
        until(() -> mapAtA.entries().isEmpty());
    }

    @Test
    void anEntryThatWasRemovedAndCreatedAgainIsNotWhatWasSeen() {
        Optional<Versioned<Long>> seen = done(mapAtA.replace("x", Optional.empty(), 1L));
        until(() -> mapAtB.entries().containsKey("x"));
        a.store().stall(0, 1_000);
        CompletionStage<Written<Long>> removed = mapAtB.remove("x", seen.orElseThrow());
        CompletionStage<Written<Long>> again = removed.thenCompose(any -> mapAtB.replace("x", Optional.empty(), 2L));
        done(again);
        assertThat(result(mapAtA.replace("x", seen, 3L))).isInstanceOf(Written.Overtaken.class);
        assertThat(result(mapAtA.read("x")).map(Versioned::value)).hasValue(2L);
    }

    @Test
    void aClaimThatIsWrittenAgainIsNotSaidToBeOvertaken() {
        Versioned<Long> first = done(mapAtA.own("x", 1L)).orElseThrow();
        until(() -> mapAtB.entries().containsKey("x"));
        a.store().stall(1_000, 1_000);
        CompletionStage<Written<Long>> again = mapAtA.own("x", 2L);
        done(mapAtB.remove("x", first));
        assertThat(result(again)).isInstanceOf(Written.Unknown.class);
        until(() -> Optional.ofNullable(mapAtB.entries().get("x"))
                .filter(each -> each.value() == 2)
                .isPresent());
    }

    @Test
    void whatIsGivenUpWhileItIsClaimedStaysAway() {
        CompletionStage<Written<Long>> claimed = mapAtA.own("x", 1L);
        CompletionStage<Written<Long>> givenUp = mapAtA.disown("x");
        done(claimed);
        done(givenUp);
        assertThat(mapAtA.entries()).isEmpty();
        assertThat(result(mapAtB.read("x"))).isEmpty();
        done(mapAtB.own("x", 2L));
    }

    @Test
    void whatIsOwnedComesBackAfterTheTreeWasDeleted() {
        done(mapAtA.own("x", 1L));
        done(mapAtB.own("y", 2L));
        done(mapAtA.replace("z", Optional.empty(), 3L));
        ensemble.deleteEverything();
        until(() -> mapAtA.entries().isEmpty());
        until(() -> mapAtA.entries().keySet().equals(Set.of("x", "y")));
        until(() -> mapAtB.entries().keySet().equals(Set.of("x", "y")));
        assertThat(mapAtB.entries().get("x").writer()).isEqualTo("a");
    }

    @Test
    void whatThisInstanceHasWrittenStaysWhenTheConnectionIsLost() {
        done(atA.replace(Optional.empty(), "one"));
        until(() -> text(atB).equals(Optional.of("one")));
        Optional<Versioned<String>> second = done(atA.replace(atA.get(), "two"));
        a.store().cut(0);
        until(() -> !atA.isKnown());
        assertThat(atA.get()).isEqualTo(second);
    }

    @Test
    void aWriteWithoutAReplyIsUnknown() {
        done(atA.replace(Optional.empty(), "one"));
        CompletionStage<Written<String>> lost = atA.replace(atA.get(), "two");
        a.store().cut(0);
        assertThat(result(lost)).isInstanceOf(Written.Unknown.class);
        until(() -> !atA.isKnown());
        assertThat(text(atA)).hasValue("one");
        a.store().restore();
        until(() -> atA.isKnown());
    }

    @Test
    void limitsAreNamed() {
        assertThat(result(atA.replace(Optional.empty(), "x".repeat(70_000))))
                .isInstanceOfSatisfying(
                        Written.Refused.class, each -> assertThat(each.why()).contains("at most 65536"));
        assertThatThrownBy(() -> a.instance().data().value("app", "x".repeat(101), DataKind.TEXT))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("100 bytes");
        assertThatThrownBy(() -> a.instance().data().value("app", "setting", DataKind.FLAG))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("open as a text");
        assertThatThrownBy(() ->
                        IntStream.range(0, 500).forEach(i -> a.instance().data().value("app", "n" + i, DataKind.FLAG)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("500 names");
    }

    @Test
    void collectionsAreCopied() {
        DataKind<Map<String, List<Long>>> kind = DataKind.mapOf(DataKind.listOf(DataKind.NUMBER));
        SharedValue<Map<String, List<Long>>> lists = a.instance().data().value("app", "lists", kind);
        List<Long> mutable = new ArrayList<>(List.of(1L));
        done(lists.replace(Optional.empty(), Map.of("x", mutable)));
        mutable.add(2L);
        assertThat(lists.get().map(Versioned::value)).hasValue(Map.of("x", List.of(1L)));
        assertThatThrownBy(() -> lists.replace(lists.get(), null)).isInstanceOf(NullPointerException.class);
    }
}
