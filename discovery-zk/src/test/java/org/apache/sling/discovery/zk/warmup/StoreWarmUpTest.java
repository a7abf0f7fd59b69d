// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.zk.warmup;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.apache.sling.discovery.zk.tree.Codecs;
import org.junit.jupiter.api.Test;

class StoreWarmUpTest {
    /** Those on the cluster, the members, the view and the acknowledgements, set before the tree was created and after that. */
    private static final int WATCHES = 8;

    @Test
    void eachJoinAndLeaveIsPublishedAndReportedWithoutReadingAllAgain() throws Exception {
        try (StoreWarmUp warmUp = StoreWarmUp.start(Codecs.CURRENT, 0)) {
            assertThat(warmUp.done()).succeedsWithin(Duration.ofMinutes(1)).satisfies(played -> {
                assertThat(played.watches()).isEqualTo(WATCHES);
                // The last view may be reported after the end of the play.
                assertThat(played.views()).isBetween(2 * StoreWarmUp.ROUNDS - 1, 2 * StoreWarmUp.ROUNDS);
            });
        }
    }
}
