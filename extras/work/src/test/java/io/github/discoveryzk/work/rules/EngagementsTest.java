// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.work.rules;

import static io.github.discoveryzk.work.rules.Participants.id;
import static io.github.discoveryzk.work.rules.Participants.key;
import static io.github.discoveryzk.work.rules.Participants.keys;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.discoveryzk.work.rules.Assignment.Holding;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** What an agent makes of a record. */
class EngagementsTest {

    private static final WorkKey KEY = key("a/1");
    private static final SortedSet<WorkKey> ABLE = keys("a/1");

    private final Assignment mine = record("x", 5, Optional.empty());
    private final Assignment leaving = record("x", 5, Optional.of("y"));
    private Engagements engagements = Engagements.of(id("x"));

    private static Assignment record(String owner, long since, Optional<String> next) {
        Holding holding = new Holding(id(owner), since, next.map(Participants::id), Optional.empty());
        return new Assignment(since, new TreeMap<>(Map.of(KEY, holding)));
    }

    private Map<WorkKey, Long> released(Assignment record) {
        return engagements.participant(record, ABLE).released();
    }

    @Test
    void whatTheRecordGivesBegins() {
        assertThat(engagements.beginnings(mine, ABLE)).isEqualTo(Map.of(KEY, 5L));
        assertThat(engagements.beginnings(mine, keys())).isEmpty();
        assertThat(engagements.beginnings(leaving, ABLE)).isEmpty();
        assertThat(engagements.beginnings(record("y", 5, Optional.empty()), ABLE))
                .isEmpty();
        engagements = engagements.begin(KEY, 5);
        assertThat(engagements.beginnings(mine, ABLE)).isEmpty();
        assertThat(engagements.endings(mine, ABLE)).isEmpty();
    }

    @Test
    void whatTheRecordTakesEnds() {
        engagements = engagements.begin(KEY, 5);
        assertThat(engagements.endings(leaving, ABLE)).containsExactly(KEY);
        assertThat(engagements.endings(mine, keys())).containsExactly(KEY);
        assertThat(engagements.endings(record("y", 6, Optional.empty()), ABLE)).containsExactly(KEY);
        assertThat(engagements.endings(record("x", 6, Optional.empty()), ABLE)).containsExactly(KEY);
        assertThat(engagements.endings(Assignment.NONE, ABLE)).containsExactly(KEY);
        assertThat(engagements.as(id("x2")).endings(mine, ABLE)).containsExactly(KEY);
    }

    @Test
    void aReleaseIsIrrevocable() {
        engagements = engagements.begin(KEY, 5);
        assertThat(released(leaving)).as("it still runs").isEmpty();
        engagements = engagements.end(KEY);
        assertThat(released(leaving)).isEqualTo(Map.of(KEY, 5L));
        assertThat(engagements.beginnings(mine, ABLE)).as("the leader withdrew").isEmpty();
        assertThat(released(mine)).isEqualTo(Map.of(KEY, 5L));
        Assignment again = record("x", 6, Optional.empty());
        assertThat(engagements.beginnings(again, ABLE)).isEqualTo(Map.of(KEY, 6L));
        assertThat(released(again)).isEmpty();
    }

    @Test
    void whatIsNotToBeginIsReleased() {
        assertThat(engagements.decline(mine, ABLE)).isEqualTo(engagements);
        engagements = engagements.decline(leaving, ABLE);
        assertThat(released(leaving)).isEqualTo(Map.of(KEY, 5L));
        engagements = Engagements.of(id("x")).decline(mine, keys());
        assertThat(engagements.participant(mine, keys()))
                .isEqualTo(new Participant(id("x"), keys(), new TreeMap<>(Map.of(KEY, 5L))));
    }
}
