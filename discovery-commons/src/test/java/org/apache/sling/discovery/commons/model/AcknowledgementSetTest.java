// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.commons.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class AcknowledgementSetTest {

    @Test
    void behavesAsAnImmutableSetThatCounts() {
        Random random = new Random(1);
        Set<Acknowledgement> expected = new HashSet<>();
        AcknowledgementSet set = AcknowledgementSet.EMPTY;
        for (int step = 0; step < 5_000; step++) {
            Acknowledgement one = new Acknowledgement("m-" + random.nextInt(300), 7L + random.nextInt(3));
            AcknowledgementSet before = set;
            Set<Acknowledgement> expectedBefore = Set.copyOf(expected);
            if (random.nextInt(3) > 0) {
                expected.add(one);
                set = set.with(one);
            } else {
                expected.remove(one);
                set = set.without(one);
            }
            assertThat(set.contains(one)).isEqualTo(expected.contains(one));
            assertThat(set.size()).isEqualTo(expected.size());
            if (step % 100 == 0) {
                assertThat(set).isEqualTo(expected).hasSameHashCodeAs(expected);
                assertThat(before).isEqualTo(expectedBefore);
            }
        }
        assertThat(set.count(8)).isEqualTo((int)
                expected.stream().filter(one -> one.number() == 8).count());
        assertThat(AcknowledgementSet.copyOf(expected)).isEqualTo(set);
    }

    @Test
    void reachesTheHighestNumberOnly() {
        Acknowledgement one = new Acknowledgement("m-1", 7);
        AcknowledgementSet set = AcknowledgementSet.EMPTY.with(one);

        assertThat(set.reaches(7)).isTrue();
        assertThat(set.reaches(8)).isFalse();
        assertThat(set.without(one).reaches(7)).isFalse();
    }
}
