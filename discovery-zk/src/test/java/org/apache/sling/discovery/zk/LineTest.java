// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.zk;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class LineTest {
    private final Line line = new Line();
    private final List<String> happened = new ArrayList<>();

    @Test
    void thingsHappenInTheOrderOfTheirPlaces() {
        Line.Place first = line.take();
        Line.Place second = line.take();
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
        Line.Place old = line.take();
        assertThat(old.isPending()).isTrue();
        line.clear();
        assertThat(old.isPending()).isFalse();
        old.ready(() -> happened.add("old"));
        line.append(() -> happened.add("new"));
        assertThat(happened).containsExactly("new");
    }
}
