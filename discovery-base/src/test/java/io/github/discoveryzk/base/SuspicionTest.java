// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.base;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.discoveryzk.base.protocol.Facts.Suspect;
import io.github.discoveryzk.model.Member;
import io.github.discoveryzk.spi.Outcome;
import io.github.discoveryzk.spi.Request;
import io.github.discoveryzk.testing.memory.MemoryEnsemble;
import io.github.discoveryzk.testing.time.VirtualTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.sling.discovery.TopologyEvent.Type;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What follows from true and false hints that a process has ended. */
class SuspicionTest {

    private final VirtualTime time = new VirtualTime();
    private final MemoryEnsemble ensemble = new MemoryEnsemble(time, "cluster");
    private final VirtualInstance a = new VirtualInstance("a", 1, time, ensemble);
    private final VirtualInstance b = new VirtualInstance("b", 2, time, ensemble);
    private final VirtualInstance c = new VirtualInstance("c", 3, time, ensemble);
    private final List<Request> done = new ArrayList<>();

    @BeforeEach
    void settle() {
        for (VirtualInstance each : List.of(a, b, c)) {
            each.instance().start();
            each.store().onArrival((request, outcome) -> {
                if (outcome.status() == Outcome.Status.DONE) {
                    done.add(request);
                }
            });
            time.runUntil(() -> !each.order().isEmpty(), 60_000);
        }
        assertThat(a.awaitOrder("a", "b", "c")).isTrue();
        time.run(2_000);
        done.clear();
    }

    private String node(String id) {
        return ensemble.members().stream()
                .filter(member -> member.instanceId().equals(id))
                .map(Member::node)
                .findFirst()
                .orElseThrow();
    }

    private void hint(VirtualInstance to, String about, boolean ended) {
        InstanceUnderTest.suspect(to.instance(), Set.of(new Suspect(node(about), ended, time.now())));
    }

    private long count(Class<? extends Request> kind) {
        return done.stream().filter(kind::isInstance).count();
    }

    @Test
    void aRefutedHintCausesNoEventAndNoFurtherSuspicion() {
        int before = a.events().size() + b.events().size() + c.events().size();
        hint(a, "c", false);
        time.run(10_000);

        assertThat(count(Request.Suspect.class)).isEqualTo(1);
        assertThat(count(Request.Refute.class)).isEqualTo(1);
        assertThat(a.events().size() + b.events().size() + c.events().size()).isEqualTo(before);
    }

    /** The accused refutes all suspicions in one turn: it may not run for long. */
    @Test
    void noRefutationWaitsForAnother() {
        c.pause();
        hint(a, "c", false);
        hint(b, "c", false);
        time.run(100);
        c.resume();
        time.runUntil(() -> count(Request.Refute.class) == 1, 1_000);
        c.pause();
        time.run(1_000);
        c.resume();
        time.run(1_000);

        assertThat(count(Request.Suspect.class)).isEqualTo(2);
        assertThat(count(Request.Convict.class)).isZero();
        assertThat(c.eventTypes()).containsExactly(Type.TOPOLOGY_INIT);
    }

    @Test
    void aRefutationThatIsRejectedIsRepeatedInTime() {
        c.store().deny(Set.of(Request.Refute.class));
        hint(a, "c", false);
        time.runUntil(() -> count(Request.Suspect.class) == 1, 1_000);
        time.run(220);
        c.store().deny(Set.of());
        time.run(1_000);

        assertThat(count(Request.Convict.class)).isZero();
    }

    /** Suspicion and refutation may both fall between two snapshots of the accuser. */
    @Test
    void aHintIsGoodForOneSuspicionAlsoIfTheAccuserNeverSeesIt() {
        a.store().readAfterChanges(60);
        for (int i = 0; i < 20; i++) {
            hint(a, "c", false);
            time.run(1_000);
            InstanceUnderTest.suspect(a.instance(), Set.of());
            time.run(100);
        }

        assertThat(count(Request.Suspect.class)).isEqualTo(20);
        assertThat(count(Request.Convict.class)).isZero();
    }

    @Test
    void anAccuserThatRejoinsMayUseItsHintAgain() {
        c.pause();
        hint(a, "c", false);
        time.runUntil(() -> count(Request.Suspect.class) == 1, 1_000);
        c.resume();
        time.runUntil(() -> count(Request.Refute.class) == 1, 1_000);
        a.instance().operator().stepDown();

        assertThat(a.awaitOrder("b", "c", "a")).isTrue();
        time.run(1_000);
        assertThat(count(Request.Suspect.class)).isEqualTo(2);
    }

    /** The suspicion of another accuser may vanish for any reason. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void anAccuserThatGivesUpDisarmsNoOther(boolean leaves) {
        c.kill();
        hint(a, "c", false);
        hint(b, "c", false);
        time.runUntil(() -> count(Request.Suspect.class) == 2, 1_000);
        if (leaves) {
            b.hang();
            b.leave();
        } else {
            InstanceUnderTest.suspect(b.instance(), Set.of());
        }

        assertThat(time.runUntil(() -> count(Request.Convict.class) == 1, 600)).isTrue();
    }

    @Test
    void twoThatCrashTogetherAreRemovedInOneVerdictTime() {
        b.kill();
        c.kill();
        InstanceUnderTest.suspect(
                a.instance(),
                Set.of(new Suspect(node("b"), false, time.now()), new Suspect(node("c"), false, time.now())));

        assertThat(time.runUntil(() -> count(Request.Convict.class) == 2, 600)).isTrue();
    }

    @Test
    void aHintThatHasEndedMayBeGivenAgain() {
        Set<Suspect> hint = Set.of(new Suspect(node("c"), false, time.now()));
        for (Set<Suspect> each : List.of(hint, Set.<Suspect>of(), hint)) {
            InstanceUnderTest.suspect(a.instance(), each);
            time.run(1_000);
        }

        assertThat(count(Request.Suspect.class)).isEqualTo(2);
        assertThat(count(Request.Convict.class)).isZero();
    }

    @Test
    void aFollowerThatCrashedIsRemovedBeforeItsSessionEnds() {
        long start = time.now();
        c.kill();
        hint(b, "c", false);

        assertThat(a.awaitOrder("a", "b")).isTrue();
        assertThat(time.now() - start).isLessThan(VirtualInstance.SESSION_TIMEOUT / 3);
        assertThat(a.words(a.report().situation().lastChange().orElseThrow().cause()))
                .matches(
                        "c crashed: b noticed its closed connection, and it had not refuted the suspicion [3-9]\\d\\d ms later");
    }

    @Test
    void aLeaderIsReplacedWithoutAWaitOnceItsEndIsProven() {
        long start = time.now();
        a.kill();
        hint(c, "a", true);

        assertThat(b.awaitOrder("b", "c")).isTrue();
        assertThat(time.now() - start).isLessThan(VirtualInstance.SESSION_TIMEOUT / 3);
        assertThat(b.words(b.report().situation().lastChange().orElseThrow().cause()))
                .isEqualTo("a crashed: c noticed within 0 ms that its process has ended");
    }

    /** As on a host that is suspended: the accused has not had the time of the pause. */
    @Test
    void afterAPauseTheVerdictTimeBeginsAgain() {
        hint(a, "c", false);
        time.runUntil(() -> count(Request.Suspect.class) == 1, 1_000);
        c.pause();
        time.run(100);
        a.pause();
        time.run(1_000);
        a.resume();
        time.run(200);
        c.resume();
        time.run(1_000);

        assertThat(count(Request.Convict.class)).isZero();
        assertThat(count(Request.Refute.class)).isEqualTo(1);
        assertThat(c.eventTypes()).containsExactly(Type.TOPOLOGY_INIT);
    }
}
