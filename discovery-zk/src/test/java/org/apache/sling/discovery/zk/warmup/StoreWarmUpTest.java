// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.zk.warmup;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.apache.sling.discovery.zk.tree.Codecs;
import org.junit.jupiter.api.Test;

class StoreWarmUpTest {
    /** Those on the members, the view and the acknowledgements, set before the tree was created and after that. */
    private static final int WATCHES = 6;

    @Test
    void eachJoinAndLeaveIsPublishedAndReportedWithoutReadingAllAgain() throws Exception {
        try (StoreWarmUp warmUp = StoreWarmUp.start(Codecs.CURRENT, 0)) {
            assertThat(warmUp.done())
                    .succeedsWithin(Duration.ofMinutes(1))
                    .isEqualTo(new StoreWarmUp.Played(2 * StoreWarmUp.ROUNDS, WATCHES));
        }
    }
}
