// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.commons.report;

import static org.apache.sling.discovery.commons.report.HistoryEntries.entry;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import org.apache.sling.discovery.commons.report.History.Entry;
import org.junit.jupiter.api.Test;

class OutagesTest {

    private static List<Optional<String>> marks(Entry... newestFirst) {
        return Outages.mark(List.of(newestFirst)).stream().map(Entry::outage).toList();
    }

    @Test
    void allSessionsThatEndInOneChangeAreAnOutage() {
        assertThat(marks(entry(2, 2, 60_000, 20_000, "", "d e f", "a b c"), entry(1, 1, 0, 0, "", "a b c", "")))
                .containsExactly(
                        Optional.of("all 3 sessions of view 1 ended within 2 s: ZooKeeper?"), Optional.empty());
    }

    @Test
    void sessionsThatEndInChangesCloseToOneAnotherAreOneOutage() {
        Optional<String> outage = Optional.of("all 3 sessions of view 1 ended within 2 s: ZooKeeper?");
        assertThat(marks(
                        entry(4, 2, 70_000, 10, "b2 c2", "a2", ""),
                        entry(3, 2, 62_000, 10, "b2", "c2", "a"),
                        entry(2, 2, 60_000, 10, "a", "b2", "b c")))
                .containsExactly(Optional.empty(), outage, outage);
        assertThat(marks(entry(3, 2, 62_001, 10, "b2", "c2", "a"), entry(2, 2, 60_000, 10, "a", "b2", "b c")))
                .as("further apart")
                .containsExactly(Optional.empty(), Optional.empty());
    }

    @Test
    void mostSessionsAreAnOutageToo() {
        assertThat(marks(entry(2, 2, 0, 0, "a b", "f", "c d e")))
                .containsExactly(Optional.of("3 of 5 sessions of view 1 ended within 2 s: ZooKeeper?"));
        assertThat(marks(entry(2, 2, 0, 0, "a b c", "f", "d e f"))).containsExactly(Optional.empty());
    }

    @Test
    void membersThatStoppedOrWereEvictedDoNotCount() {
        assertThat(marks(entry(2, 2, 0, 0, "", "d", "a:stopped b:stopped c"))).containsExactly(Optional.empty());
    }

    @Test
    void theOnlyMemberIsNoOutage() {
        assertThat(marks(entry(2, 2, 0, 0, "", "b", "a"))).containsExactly(Optional.empty());
        assertThat(marks()).isEmpty();
    }
}
