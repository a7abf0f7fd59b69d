// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.connector.trust;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class FingerprintsTest {

    @Test
    void containsWhatWasAdded() {
        Fingerprints all = new Fingerprints();
        long[] numbers = LongStream.concat(
                        LongStream.of(0, 1, -1, 64, 128, 63, 127, Long.MIN_VALUE),
                        new Random(5).longs().limit(10_000))
                .toArray();
        for (long number : numbers) {
            assertThat(all.contains(number)).isFalse();
            all.add(number);
        }
        assertThat(LongStream.of(numbers)).allMatch(all::contains);
        assertThat(new Random(6).longs().limit(10_000)).noneMatch(all::contains);
        assertThat(all.size()).isEqualTo(numbers.length);
    }
}
