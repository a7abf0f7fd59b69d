// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.zk.cache;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.apache.sling.discovery.zk.tree.HistoryEntryName;
import org.junit.jupiter.api.Test;

class HistoryNamesTest {
    @Test
    void historyKnowsItsHighestNumberWhateverElseIsThere() {
        HistoryNames history = new HistoryNames();
        assertThat(history.highest()).isZero();
        history.set(List.of("note", "9223372036854775807", "9999999999999999999", HistoryEntryName.of(41)), 41);
        assertThat(history.highest()).isEqualTo(41);
        history.set(List.of(), 41);
        assertThat(history.highest()).isZero();
    }
}
