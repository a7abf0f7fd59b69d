// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.zk.cache;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SnapshotGateTest {
    private final List<String> happened = new ArrayList<>();
    private final SnapshotGate wholeness = new SnapshotGate(() -> happened.add("told"));

    @Test
    void whatIsWholeIsToldAtOnce() {
        wholeness.tell();
        wholeness.whenWhole(() -> happened.add("reply"));
        assertThat(happened).containsExactly("told", "reply");
    }

    @Test
    void whatIsNotIsToldOnceAndBeforeWhatWaits() {
        wholeness.begin();
        wholeness.begin();
        wholeness.tell();
        wholeness.whenWhole(() -> happened.add("first"));
        wholeness.tell();
        wholeness.end();
        wholeness.whenWhole(() -> happened.add("second"));
        assertThat(happened).isEmpty();
        wholeness.end();
        assertThat(happened).containsExactly("told", "first", "second");
    }

    @Test
    void nothingIsToldWhenNothingChanged() {
        wholeness.begin();
        wholeness.tell();
        wholeness.end();
        wholeness.begin();
        wholeness.end();
        assertThat(happened).containsExactly("told");
    }

    @Test
    void whatWasForgottenNeverHappens() {
        wholeness.begin();
        wholeness.tell();
        wholeness.whenWhole(() -> happened.add("old"));
        wholeness.forget();
        wholeness.whenWhole(() -> happened.add("new"));
        wholeness.begin();
        wholeness.end();
        assertThat(happened).containsExactly("new");
    }
}
