// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ReasonTest {

    private static final UnaryOperator<String> NAMES = id -> id.equals("b") ? "author $1\\ (b)" : id;

    @Test
    void argumentsThatAreIdsAreNamed() {
        assertThat(Reason.of(ReasonCode.EVICTED_BY, "b", "b").sentence(NAMES))
                .isEqualTo("author $1\\ (b) was evicted by author $1\\ (b)");
        assertThat(Reason.of(ReasonCode.NODE_UNREADABLE, "b").sentence(NAMES)).startsWith("node b excluded");
        assertThat(Reason.of(ReasonCode.CLUSTER_CHANGED, "c", "b", List.of("a", "b"))
                        .sentence(NAMES))
                .isEqualTo("cluster c changed: a, author $1\\ (b), leader author $1\\ (b)");
    }

    @Test
    void theSameOfSeveralIsOneClause() {
        List<Reason> reasons = List.of(
                Reason.of(ReasonCode.STOPPED, "a"),
                Reason.of(ReasonCode.SESSION_ENDED, "c"),
                Reason.of(ReasonCode.SESSION_ENDED, "b"),
                Reason.of(ReasonCode.EVICTED, "d"),
                Reason.of(ReasonCode.EVICTED, "e"),
                Reason.of(ReasonCode.JOINED, "f"),
                Reason.of(ReasonCode.JOINED, "g"),
                Reason.of(ReasonCode.MORE_JOINED, "7"));
        assertThat(Reason.sentence(reasons, NAMES))
                .isEqualTo(
                        "a stopped; c, author $1\\ (b) left because their sessions ended; d was evicted; e was evicted;"
                                + " f, g joined; and 7 more joined");
    }

    @Test
    void whatLostItsSessionAndJoinedAgainIsBack() {
        List<Reason> reasons = List.of(
                Reason.of(ReasonCode.JOINED, "a"),
                Reason.of(ReasonCode.JOINED, "f"),
                Reason.of(ReasonCode.JOINED, "c"),
                Reason.of(ReasonCode.SESSION_ENDED, "c"),
                Reason.of(ReasonCode.SESSION_ENDED, "b"),
                Reason.of(ReasonCode.SESSION_ENDED, "a"),
                Reason.of(ReasonCode.JOINED, "d"),
                Reason.of(ReasonCode.DIED, "d"),
                Reason.of(ReasonCode.STOPPED, "f"));
        assertThat(Reason.sentence(reasons, UnaryOperator.identity()))
                .isEqualTo("f joined; c lost its session and is back; b left because its session ended;"
                        + " a lost its session and is back; d died and was started again; f stopped");
        assertThat(Reason.sentence(List.of(reasons.get(0), reasons.get(2), reasons.get(3), reasons.get(5))))
                .isEqualTo("c, a lost their sessions and are back");
    }

    @Test
    void anArgumentIsNoPlaceholder() {
        assertThat(Reason.of(ReasonCode.OTHER_VIEW, "{i0} {b9}").sentence(NAMES))
                .isEqualTo("the store holds view {i0} {b9}");
    }

    @Test
    void whoIsBlamedIsNamedWithListeners() {
        Map<String, String> late = new LinkedHashMap<>();
        late.put("b", "Slow");
        late.put("c", "");
        Reason reason = Reason.late(ReasonCode.LATE, late);
        assertThat(reason.sentence(NAMES))
                .isEqualTo("author $1\\ (b) (listener Slow), c excluded: no acknowledgement within the settle timeout");
        assertThat(reason.late()).isEqualTo(late);

        IntStream.range(0, 12).forEach(i -> late.put("more" + i, ""));
        assertThat(Reason.late(ReasonCode.LATE, late).sentence(NAMES)).contains("more9 and 2 more excluded");
    }

    @Test
    void numbersOfViewsCanBeSaid() {
        assertThat(ViewHead.words(42)).isEqualTo("42");
        assertThat(ViewHead.words((7L << 32) + 116)).isEqualTo("7·116");
        assertThat(Reason.of(ReasonCode.VIEW_INVALIDATED, 1L << 32).sentence(id -> id))
                .isEqualTo("view 1·0 is invalidated");
        assertThat(Reason.of(ReasonCode.VIEW_INVALIDATED, "x").sentence(id -> id))
                .isEqualTo("view x is invalidated");
    }

    @Test
    void durationsFromASecondAreInSeconds() {
        assertThat(Reason.of(ReasonCode.DIED_BY, "a", "b", 999).sentence(id -> id))
                .isEqualTo("a crashed: b noticed within 999 ms that its process has ended");
        assertThat(Reason.of(ReasonCode.DIED_BY, "a", "b", 48_895).sentence(id -> id))
                .isEqualTo("a crashed: b noticed within 48.9 s that its process has ended");
        assertThat(Reason.of(ReasonCode.DIED_BY, "a", "b", "12345x").sentence(id -> id))
                .isEqualTo("a crashed: b noticed within 12345x ms that its process has ended");
    }

    @Test
    void countsHaveAPlural() {
        assertThat(Reason.of(ReasonCode.MEMBERS, 1, "a").sentence(NAMES)).isEqualTo("1 instance, leader a");
        assertThat(Reason.of(ReasonCode.MEMBERS, 2, "a").sentence(NAMES)).isEqualTo("2 instances, leader a");
        assertThat(Reason.list(List.of("a", "b", "c"), 2)).isEqualTo("a, b and 1 more");
    }

    @Test
    void aDepartureHasAPredicate() {
        Incarnation member = new Incarnation("m-b", "b");
        for (LeaveRecord.Kind kind : LeaveRecord.Kind.values()) {
            Reason reason = Reason.of(new Departure(member, Optional.of(kind), Optional.empty(), 0));
            assertThat(reason.isDeparture("b")).isTrue();
            assertThat(reason.isDeparture("a")).isFalse();
            assertThat(reason.sentence(NAMES)).isEqualTo("author $1\\ (b) " + reason.predicate(NAMES));
        }
        assertThat(Reason.of(new Departure(member, Optional.empty(), Optional.empty(), 0))
                        .predicate(NAMES))
                .isEqualTo("left because its session ended");
        assertThat(Reason.of(ReasonCode.JOINED, "b").isDeparture("b")).isFalse();
    }

    /** Whatever is stored gets a sentence. */
    @ParameterizedTest
    @EnumSource
    void eachCodeChecksItsArguments(ReasonCode code) {
        Reason reason = new Reason(code, Collections.nCopies(code.arity(), "7"));
        assertThat(reason.sentence(NAMES)).doesNotContain("{");
        assertThat(reason.predicate(NAMES)).isNotBlank();
        assertThat(Reason.ofStored(Reason.toStored(List.of(reason)), "")).containsExactly(reason);
        if (code.arity() > 0) {
            assertThatThrownBy(() -> Reason.of(code)).isInstanceOf(IllegalArgumentException.class);
        }
    }
}
