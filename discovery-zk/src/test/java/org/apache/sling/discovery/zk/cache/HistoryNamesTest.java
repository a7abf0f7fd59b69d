// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.zk.cache;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import org.apache.sling.discovery.commons.model.EstablishedView;
import org.apache.sling.discovery.commons.model.Incarnation;
import org.apache.sling.discovery.commons.model.Reason;
import org.apache.sling.discovery.commons.model.ViewHead;
import org.apache.sling.discovery.zk.tree.Names;
import org.junit.jupiter.api.Test;

class HistoryNamesTest {
    @Test
    void historyKnowsItsHighestNumberWhateverElseIsThere() {
        HistoryNames history = new HistoryNames();
        assertThat(history.highest()).isZero();
        history.set(List.of("note", "9223372036854775807", "9999999999999999999", Names.entry(41)), 41);
        assertThat(history.highest()).isEqualTo(41);
        history.set(List.of(), 41);
        assertThat(history.highest()).isZero();
    }

    @Test
    void namesAreListedAgainWhenAnEntryIsMissing() {
        HistoryNames history = new HistoryNames();
        history.set(List.of(Names.entry(41)), 1_000);
        history.add(view(42));
        assertThat(history.highest()).isEqualTo(42);
        history.add(view(44));
        assertThat(history.isKnown()).isFalse();
    }

    private static EstablishedView view(long number) {
        return new EstablishedView(
                new ViewHead(number, number - 1, 7, 9_000, 0, Reason.ofText("a test"), "a"),
                List.of(new Incarnation("m-0123456789abcdef-1-1-0000000001", "a")),
                Set.of());
    }
}
