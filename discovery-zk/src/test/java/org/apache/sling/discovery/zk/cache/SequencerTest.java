// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.zk.cache;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SequencerTest {
    private final List<Throwable> failures = new ArrayList<>();
    private final Sequencer sequencer = new Sequencer(failures::add);
    private final List<String> happened = new ArrayList<>();

    @Test
    void thingsHappenInTheOrderOfTheirPlaces() {
        Sequencer.Reservation first = sequencer.reserve();
        Sequencer.Reservation second = sequencer.reserve();
        sequencer.append(() -> happened.add("third"));
        second.fill(() -> happened.add("second"));
        assertThat(happened).isEmpty();
        first.fill(() -> {
            sequencer.append(() -> happened.add("fourth"));
            happened.add("first");
        });
        assertThat(happened).containsExactly("first", "second", "third", "fourth");
    }

    @Test
    void whatWasForgottenNeverHappens() {
        Sequencer.Reservation old = sequencer.reserve();
        assertThat(old.isPending()).isTrue();
        sequencer.clear();
        assertThat(old.isPending()).isFalse();
        old.fill(() -> happened.add("old"));
        sequencer.append(() -> happened.add("new"));
        assertThat(happened).containsExactly("new");
    }

    @Test
    void whatFailsDoesNotKeepBackWhatFollows() {
        Error error = new LinkageError("thrown by a test");
        sequencer.append(() -> {
            sequencer.append(() -> happened.add("next"));
            throw error;
        });
        assertThat(happened).containsExactly("next");
        assertThat(failures).containsExactly(error);
    }
}
