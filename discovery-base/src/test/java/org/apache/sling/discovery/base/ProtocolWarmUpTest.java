// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ProtocolWarmUpTest {

    @Test
    void imaginedInstanceSettlesAloneAndWithAnother() {
        assertThat(ProtocolWarmUp.run()).isTrue();
    }
}
