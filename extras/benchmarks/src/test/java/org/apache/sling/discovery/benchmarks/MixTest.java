// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class MixTest {

    @Test
    void theMostSeniorMembersAreRealAndTheOthersAreSpread() {
        Mix mix = new Mix(20, 5);

        assertThat(real(mix)).containsExactly(0, 1, 2, 11, 19);
        assertThat(mix.seniors()).isEqualTo(3);
    }

    @Test
    void thereAreAsManyRealMembersAsAskedFor() {
        for (int real = 1; real <= 100; real++) {
            assertThat(real(new Mix(100, real))).hasSize(real);
        }
    }

    @Test
    void aSingleNewcomerIsRealAndManyAreMixed() {
        Mix mix = new Mix(1000, 10);

        assertThat(mix.isLightNewcomer(0, 1)).isFalse();
        assertThat(IntStream.range(0, 200).filter(i -> !mix.isLightNewcomer(i, 200)))
                .hasSize(2);
    }

    @Test
    void thereIsAtLeastOneRealMember() {
        assertThatThrownBy(() -> new Mix(3, 0)).isInstanceOf(IllegalArgumentException.class);
    }

    private static int[] real(Mix mix) {
        return IntStream.range(0, mix.members()).filter(i -> !mix.isLight(i)).toArray();
    }
}
