// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.zk.tree;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class CodecWarmUpTest {

    @Test
    void recordsAreReadAsTheyWereWritten() {
        assertThat(CodecWarmUp.run(Codecs.CURRENT)).isTrue();
    }

    @Test
    void failureIsNotThrown() {
        assertThat(CodecWarmUp.run(null)).isFalse();
    }
}
