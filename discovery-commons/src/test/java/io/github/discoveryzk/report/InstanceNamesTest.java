// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class InstanceNamesTest {

    private static final String ID = "a3f0c1d2-0000-4000-8000-00000000000a";

    @Test
    void anInstanceIsNamedByItsNameAndByTheBeginningOfItsIdIfAnotherOneHasThatName() {
        InstanceNames names = InstanceNames.of(Map.of(ID, "author", "node-17", "author", "stable", "s"));
        assertThat(names.label(ID)).isEqualTo("author (a3f0c1d2)");
        assertThat(names.label("node-17")).isEqualTo("author (node-17)");
        assertThat(names.label("stable")).isEqualTo("s");
        assertThat(names.label("unknown")).isEqualTo("unknown");
        assertThat(InstanceNames.shortId("x".repeat(200))).hasSize(21);
    }

    @Test
    void namesReplaceIdsInTextsOfOtherBundles() {
        InstanceNames names = InstanceNames.of(Map.of(ID, "author $1"));
        String other = ID.replace('a', 'b');
        assertThat(names.named("from " + ID + " to " + other + ".")).isEqualTo("from author $1 to " + other + ".");
    }

    @Test
    void aNameIsTrimmedAndBounded() {
        assertThat(InstanceNames.name(Map.of(InstanceNames.PROPERTY, " a "))).contains("a");
        assertThat(InstanceNames.name(Map.of(InstanceNames.PROPERTY, " "))).isEmpty();
        assertThat(InstanceNames.name(Map.of())).isEmpty();
        assertThat(InstanceNames.name(Map.of(InstanceNames.PROPERTY, "x".repeat(500)))
                        .orElseThrow())
                .hasSize(81);
    }
}
