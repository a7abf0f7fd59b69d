// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

class ThreadTimesTest {
    private static final int READINGS = 1_000;

    @Test
    @EnabledOnOs(value = OS.LINUX, disabledReason = "Only Linux counts the times of threads.")
    void threadThatReadsTakesTime() throws Exception {
        long self = ProcessHandle.current().pid();
        ThreadTimes before = ThreadTimes.of(self);
        ThreadTimes since = ThreadTimes.NONE;
        for (int i = 0; i < READINGS && since.others() == 0; i++) {
            since = ThreadTimes.of(self).since(before);
        }

        assertThat(before.compiler()).isPositive();
        assertThat(since.others()).isPositive();
        assertThat(since.compiler()).isNotNegative();
    }

    @Test
    void processThatHasEndedHasNoTimes() throws Exception {
        assertThat(ThreadTimes.of(Long.MAX_VALUE)).isEqualTo(ThreadTimes.NONE);
    }
}
