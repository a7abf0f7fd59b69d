// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.github.discoveryzk.spi.SettlingPolicy.Quarantine;
import io.github.discoveryzk.spi.SettlingPolicy.SuspendedPolicy;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SettlingPolicyTest {

    @ParameterizedTest
    @CsvSource({"0,0", "2,0", "3,10", "4,20", "5,40", "6,70", "50,70"})
    void restDoublesWithEachLossUpToTheLongest(int losses, long millis) {
        assertThat(new Quarantine(2, 1, 10, 70).restMillis(losses)).isEqualTo(millis);
    }

    @ParameterizedTest
    @CsvSource({"-1,1,1,1", "0,0,1,1", "0,1,0,1", "0,1,2,1"})
    void quarantineThatMakesNoSenseIsRefused(int tolerated, long window, long first, long longest) {
        assertThatIllegalArgumentException().isThrownBy(() -> new Quarantine(tolerated, window, first, longest));
    }

    @Test
    void smallestQuarantineIsOne() {
        assertThat(new Quarantine(0, 1, 1, 1).restMillis(1)).isEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource({"0,0,1", "1,-1,1", "1,0,0"})
    void policyThatMakesNoSenseIsRefused(long settle, long quiet, long stepIn) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new SettlingPolicy(settle, quiet, stepIn, SuspendedPolicy.LEASE));
    }
}
