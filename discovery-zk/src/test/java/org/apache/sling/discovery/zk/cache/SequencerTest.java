// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.zk.cache;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SequencerTest {
    private final Sequencer line = new Sequencer();
    private final List<String> happened = new ArrayList<>();

    @Test
    void thingsHappenInTheOrderOfTheirPlaces() {
        Sequencer.Place first = line.take();
        Sequencer.Place second = line.take();
        line.append(() -> happened.add("third"));
        second.ready(() -> happened.add("second"));
        assertThat(happened).isEmpty();
        first.ready(() -> {
            line.append(() -> happened.add("fourth"));
            happened.add("first");
        });
        assertThat(happened).containsExactly("first", "second", "third", "fourth");
    }

    @Test
    void whatWasForgottenNeverHappens() {
        Sequencer.Place old = line.take();
        assertThat(old.isPending()).isTrue();
        line.clear();
        assertThat(old.isPending()).isFalse();
        old.ready(() -> happened.add("old"));
        line.append(() -> happened.add("new"));
        assertThat(happened).containsExactly("new");
    }
}
