// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.base;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.discoveryzk.report.Operator.Result;
import io.github.discoveryzk.report.State;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An operator makes an instance the leader. */
class LeaderToBeTest extends VirtualCluster {

    private static final long LONG = 60_000;

    private final List<String> leaders = new ArrayList<>();

    private List<VirtualInstance> four() {
        List<VirtualInstance> all = cluster("a", "b", "c", "d");
        ensemble.onPublication(view -> leaders.add(view.leader().instanceId()));
        return all;
    }

    /** Whichever instance the operator is at: the leader, another senior, the instance itself, a junior. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3})
    void itsSeniorsRejoinAtTheEndAndTheLeadershipMovesOnce(int at) {
        List<VirtualInstance> all = four();
        Result result = all.get(at).instance().operator().lead("c");
        assertThat(result.success()).isTrue();
        assertThat(result.sentence())
                .startsWith("c is to lead. Still senior to it: a, b. " + "abcd".charAt(at) + " evicts");
        time.run(LONG);
        assertThat(all).allSatisfy(each -> {
            assertThat(each.order()).startsWith("c", "d").containsExactlyInAnyOrder("a", "b", "c", "d");
            assertThat(each.state()).isEqualTo(State.SETTLED);
        });
        assertThat(leaders.stream().distinct()).as("leaders, in order").containsExactly("a", "c");
        int views = leaders.size();
        time.run(LONG);
        assertThat(leaders).as("no view follows").hasSize(views);
    }

    @Test
    void oneAfterTheOtherGoes() {
        List<VirtualInstance> all = four();
        List<List<String>> orders = new ArrayList<>();
        ensemble.onPublication(view -> orders.add(
                view.members().stream().map(each -> each.instanceId()).toList()));
        all.get(3).instance().operator().lead("d");
        time.run(LONG);
        assertThat(orders.get(0)).startsWith("a", "b", "d");
        assertThat(orders.get(orders.size() - 1).get(0)).isEqualTo("d");
        assertThat(leaders.stream().distinct()).containsExactly("a", "d");
    }

    @Test
    void thePlanEndsWhenTheInstanceLeavesTheView() {
        List<VirtualInstance> all = four();
        VirtualInstance c = all.get(2);
        c.instance().operator().lead("d");
        all.get(3).leave();
        time.run(LONG);
        settled("d");
        time.run(LONG);
        assertThat(c.order()).first().isNotEqualTo("d");
        assertThat(c.order()).last().isEqualTo("d");
    }

    @Test
    void noSeniorGoesForAnInstanceThatHasLeft() {
        List<VirtualInstance> all = four();
        VirtualInstance a = all.get(0);
        all.get(2).leave();
        assertThat(time.runUntil(() -> a.state() == State.CHANGING, LONG)).isTrue();
        assertThat(a.instance().operator().lead("c").success()).isTrue();
        time.run(LONG);
        assertThat(a.order()).containsExactly("a", "b", "d");
    }

    @Test
    void aRefusalSaysWhy() {
        VirtualInstance a = four().get(0);
        assertThat(refusal(a, "a")).isEqualTo("a leads already");
        assertThat(refusal(a, "x")).isEqualTo("no instance is made the leader: x is not a member of the view");
        a.store().cut(10);
        time.run(LONG);
        assertThat(refusal(a, "b")).startsWith("no instance is made the leader: this instance has no connection to ");
    }

    private static String refusal(VirtualInstance at, String id) {
        Result result = at.instance().operator().lead(id);
        assertThat(result.success()).isFalse();
        return result.sentence();
    }
}
