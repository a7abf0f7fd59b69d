// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.zk.cache;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SnapshotGateTest {
    private final List<String> happened = new ArrayList<>();
    private final SnapshotGate gate = new SnapshotGate(() -> happened.add("told"));

    @Test
    void whatIsWholeIsToldAtOnce() {
        gate.notifyObserver();
        gate.afterNotification(() -> happened.add("reply"));
        assertThat(happened).containsExactly("told", "reply");
    }

    @Test
    void whatIsNotIsToldOnceAndBeforeWhatWaits() {
        gate.close();
        gate.close();
        gate.notifyObserver();
        gate.afterNotification(() -> happened.add("first"));
        gate.notifyObserver();
        gate.open();
        gate.afterNotification(() -> happened.add("second"));
        assertThat(happened).isEmpty();
        gate.open();
        assertThat(happened).containsExactly("told", "first", "second");
    }

    @Test
    void nothingIsToldWhenNothingChanged() {
        gate.close();
        gate.notifyObserver();
        gate.open();
        gate.close();
        gate.open();
        assertThat(happened).containsExactly("told");
    }

    @Test
    void whatWasForgottenNeverHappens() {
        gate.close();
        gate.notifyObserver();
        gate.afterNotification(() -> happened.add("old"));
        gate.reset();
        gate.afterNotification(() -> happened.add("new"));
        gate.close();
        gate.open();
        assertThat(happened).containsExactly("new");
    }
}
