// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;
import org.apache.sling.discovery.base.environment.Execution;
import org.junit.jupiter.api.Test;

class WarmUpTest {

    @Test
    void imaginedInstanceSettlesAsLeaderAndAsFollower() {
        assertThat(WarmUp.start(Execution.ofThread("warm-up"), Duration.ZERO))
                .succeedsWithin(Duration.ofMinutes(1))
                .isEqualTo(true);
    }

    @Test
    void endsWithoutThreadsForCalls() {
        Execution threads = Execution.ofThread("warm-up");
        Execution closing = new Execution(
                threads.time(),
                threads.decisions(),
                call -> {
                    throw new RejectedExecutionException("closed");
                },
                threads.end());
        assertThat(WarmUp.start(closing, Duration.ZERO))
                .succeedsWithin(Duration.ofMinutes(1))
                .isEqualTo(false);
    }
}
