// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.base;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.discoveryzk.model.Reason;
import io.github.discoveryzk.report.Operator;
import io.github.discoveryzk.report.State;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What an instance promises in each state: an action that is said to happen happens, and one that is refused never does. */
class EachStateTest extends VirtualCluster {

    private static final String ACTS = "x";

    /** Returns an instance in that state, beside a live instance {@code other} where the state permits it. */
    private VirtualInstance in(State state) {
        VirtualInstance one =
                switch (state) {
                    case SETTLED -> cluster("other", ACTS).get(1);
                    case CONNECTING -> {
                        VirtualInstance a = instance(ACTS);
                        a.store().cut(0);
                        a.instance().start();
                        yield a;
                    }
                    case JOINING -> {
                        cluster("other").get(0).hang();
                        VirtualInstance a = started(ACTS);
                        time.run(1_000); // Its member node is there.
                        yield a;
                    }
                    case REFUSED -> {
                        cluster("other", ACTS);
                        yield started(ACTS);
                    }
                    case QUARANTINED -> quarantined(cluster("other", ACTS).get(1));
                    case CHANGING -> {
                        VirtualInstance a = cluster("other", ACTS, "c").get(1);
                        a.hang();
                        started("d");
                        yield a;
                    }
                    case EXCLUDED -> {
                        VirtualInstance a = cluster("other", ACTS).get(1);
                        a.hang();
                        started("c");
                        yield a;
                    }
                    case SUSPENDED, CUT_OFF -> {
                        VirtualInstance a = cluster("other", ACTS).get(1);
                        a.store().cut(0);
                        yield a;
                    }
                    case STOPPED -> {
                        VirtualInstance a = cluster("other", ACTS).get(1);
                        a.leave();
                        yield a;
                    }
                };
        assertThat(one.await(state)).isTrue();
        return one;
    }

    private VirtualInstance quarantined(VirtualInstance one) {
        for (int i = 0; i < 6; i++) {
            assertThat(one.awaitOrder("other", ACTS)).isTrue();
            one.store().abandonSession();
            time.run(100);
        }
        return one;
    }

    private void assertTruth(VirtualInstance one, Operator.Result result, boolean possible, String effect) {
        assertThat(result.sentence()).isNotEmpty();
        assertThat(result.success()).as(result.sentence()).isEqualTo(possible);
        one.goOn();
        one.store().restore();
        time.run(60_000);
        List<String> causes = ensemble.history().stream()
                .map(entry -> Reason.sentence(entry.difference().head().cause()))
                .filter(cause -> cause.contains(effect))
                .toList();
        assertThat(!causes.isEmpty()).as("%s: %s", result.sentence(), causes).isEqualTo(possible);
    }

    @ParameterizedTest
    @EnumSource
    void steppingDown(State state) {
        VirtualInstance one = in(state);
        boolean possible = state == State.SETTLED || state == State.CHANGING;
        assertTruth(one, one.instance().operator().stepDown(), possible, ACTS + " stepped down");
    }

    /** The loss of a connection may be known later than the end of the lease. */
    @Test
    void nothingIsDoneWhileTheStoreIsSilent() {
        VirtualInstance one = cluster("other", ACTS).get(1);
        one.store().cut(60_000);
        assertThat(one.await(State.CHANGING)).isTrue();

        Operator.Result evicting = one.instance().operator().evict("other");
        assertTruth(one, one.instance().operator().stepDown(), false, ACTS + " stepped down");
        assertTruth(one, evicting, false, "other was evicted by " + ACTS);
    }

    @ParameterizedTest
    @EnumSource
    void evicting(State state) {
        VirtualInstance one = in(state);
        boolean possible =
                switch (state) {
                    case SETTLED, CHANGING, JOINING, REFUSED -> true;
                    case CONNECTING, SUSPENDED, CUT_OFF, EXCLUDED, QUARANTINED, STOPPED -> false;
                };
        assertTruth(one, one.instance().operator().evict("other"), possible, "other was evicted by " + ACTS);
    }

    /**
     * A change that hangs, waits for another instance or for the store may end with the instance that is stopped, or because of that.
     * An instance that the view is without changes nothing by its stop, which is its remedy.
     */
    @ParameterizedTest
    @EnumSource
    void mayBeStopped(State state) {
        VirtualInstance one = in(state);
        List<String> objections = one.instance().reporter().objections();
        assertThat(one.state()).isEqualTo(state);
        boolean possible =
                switch (state) {
                    case SETTLED, REFUSED, QUARANTINED, EXCLUDED -> true;
                    case CONNECTING, JOINING, CHANGING, SUSPENDED, CUT_OFF, STOPPED -> false;
                };
        assertThat(objections.isEmpty()).as("%s", objections).isEqualTo(possible);
    }
}
