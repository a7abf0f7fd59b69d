// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.work.place;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.discoveryzk.data.DataKind;
import io.github.discoveryzk.data.SharedMap;
import io.github.discoveryzk.data.Versioned;
import io.github.discoveryzk.data.Written;
import io.github.discoveryzk.work.NotOwnerException;
import io.github.discoveryzk.work.Ownership;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** How long an owner is the owner, and what becomes of its writes after that. */
class OwnershipTest extends WorkingCluster {

    @Test
    void anOwnerThatIsCutOffEndsItsWorkBeforeOthersBeginIt() {
        startThree();
        WorkingInstance cut = all.get(2);
        List<Ownership> held = List.copyOf(cut.running.values());
        assertThat(held).allMatch(Ownership::isHeld);
        held.forEach(Ownership::check);
        cut.store.cut(10);
        time.run(WorkingInstance.SESSION_TIMEOUT * 2 / 3 - 500);
        assertThat(count(cut)).as("as long as the lease lasts").isEqualTo(2);
        until(() -> count(cut) == 0);
        assertThat(witness.isLive(cut.node())).as("its session has not ended").isTrue();
        assertThat(held).noneMatch(Ownership::isHeld);
        assertThatThrownBy(held.get(0)::check)
                .isInstanceOf(NotOwnerException.class)
                .hasMessageContaining("of set s with token " + held.get(0).token());
        until(() -> count(all.get(0)) == 3 && count(all.get(1)) == 3);
        cut.store.restore();
        until(() -> count(cut) == 2);
    }

    @Test
    void anOwnerThatComesBackInTimeBeginsWithAnotherToken() {
        startThree();
        WorkingInstance cut = all.get(2);
        Map<String, Ownership> held = Map.copyOf(cut.running);
        cut.store.cut(10);
        until(() -> count(cut) == 0);
        cut.store.restore();
        until(() -> count(cut) == 2);
        cut.running.forEach((key, now) -> {
            assertThat(now.isHeld()).isTrue();
            assertThat(held.values()).noneMatch(before -> before.token() == now.token());
        });
    }

    @Test
    void whatAZombieWritesIsRefusedByTheStore() {
        startThree();
        WorkingInstance zombie = all.get(2);
        Map.Entry<String, Ownership> held = zombie.running.entrySet().iterator().next();
        SharedMap<Long> progress = zombie.instance.data().map("app", "progress", DataKind.NUMBER);
        assertThat(result(progress.replace("k", Optional.empty(), 1L, held.getValue())))
                .isInstanceOf(Written.Done.class);
        zombie.pause();
        until(() -> count(all.get(0)) == 3 && count(all.get(1)) == 3);
        WorkingInstance heir = all.stream()
                .filter(each -> each.running.containsKey(held.getKey()) && each != zombie)
                .findFirst()
                .orElseThrow();
        SharedMap<Long> read = heir.instance.data().map("app", "progress", DataKind.NUMBER);
        Optional<Versioned<Long>> found = result(read.read("k"));
        assertThat(found.map(Versioned::value)).hasValue(1L);
        assertThat(result(read.replace("k", found, 2L, heir.running.get(held.getKey()))))
                .isInstanceOf(Written.Done.class);
        zombie.resume();
        Optional<Versioned<Long>> late = result(read.read("k"));
        assertThat(result(progress.replace("k", late, 0L, held.getValue()))).isInstanceOf(Written.Refused.class);
    }

    /** It learns of nothing for half a minute, so that all its writes reach the store. */
    @Test
    void eachWriteOfAZombieIsRefusedByTheStoreItself() {
        startThree();
        WorkingInstance zombie = all.get(2);
        Ownership held = zombie.running.values().iterator().next();
        zombie.excuse(30_000);
        zombie.store.stall(0, 30_000);
        assertThat(all.get(0).instance.operator().evict("c").success()).isTrue();
        until(() -> count(all.get(0)) == 3 && count(all.get(1)) == 3);
        SharedMap<Long> progress = zombie.instance.data().map("app", "progress", DataKind.NUMBER);
        List<CompletionStage<Written<Long>>> writes = IntStream.range(0, 100)
                .mapToObj(i -> progress.replace("k" + i, Optional.empty(), 1L, held))
                .toList();
        time.run(20_000);
        assertThat(writes).as("they are on their way back").noneMatch(each -> each.toCompletableFuture()
                .isDone());
        assertThat(writes).allMatch(each -> result(each) instanceof Written.Refused);
    }

    @Test
    void aFormerOwnerThatIsAMemberIsRefusedToo() {
        WorkingInstance a = start("a", "k0", "k1");
        until(() -> count(a) == 2);
        Map<String, Ownership> held = Map.copyOf(a.running);
        WorkingInstance b = start("b", "k0", "k1");
        until(() -> count(b) == 1);
        SharedMap<Long> progress = a.instance.data().map("app", "progress", DataKind.NUMBER);
        held.forEach((key, ownership) -> assertThat(
                        result(progress.replace(ownership.key(), Optional.empty(), 1L, ownership)))
                .as(key)
                .isInstanceOf(a.running.containsKey(key) ? Written.Done.class : Written.Refused.class));
    }

    @Test
    void theFenceSurvivesChangesOfOtherKeys() {
        WorkingInstance a = start("a", "k0");
        until(() -> count(a) == 1);
        Ownership held = a.running.get("s/k0");
        SharedMap<Long> progress = a.instance.data().map("app", "progress", DataKind.NUMBER);
        Optional<Versioned<Long>> last = Optional.empty();
        for (int i = 1; i <= 5; i++) {
            a.offer(
                    "s",
                    IntStream.rangeClosed(0, i).mapToObj(each -> "k" + each).toArray(String[]::new));
            time.run(7);
            Written<Long> written = result(progress.replace("k", last, (long) i, held));
            assertThat(written).isInstanceOf(Written.Done.class);
            last = ((Written.Done<Long>) written).now();
        }
        assertThat(last.orElseThrow().token()).hasValue(held.token());
    }
}
