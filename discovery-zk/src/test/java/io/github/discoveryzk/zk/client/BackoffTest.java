// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.zk.client;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class BackoffTest {

    @Test
    void eachWaitIsTwiceAsLongUpToAMinuteShortenedByUpToHalf() {
        Backoff backoff = new Backoff();
        assertThat(backoff.isDue(0)).isTrue();
        for (long longest : new long[] {1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000}) {
            backoff.attempt(0);
            assertThat(backoff.isDue(longest / 2 - 1)).isFalse();
            assertThat(backoff.isDue(longest)).isTrue();
        }
        backoff.reset();
        assertThat(backoff.isDue(0)).isTrue();
        backoff.attempt(0);
        assertThat(backoff.isDue(1_000)).isTrue();
    }
}
