// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class InstanceNamesTest {

    private static final String ID = "a3f0c1d2-0000-4000-8000-00000000000a";

    private final InstanceNames names =
            new InstanceNames(Map.of(ID, "author", "node-17.example", "seventeen", "stable", "s"));

    @Test
    void anInstanceIsNamedByItsNameAndTheBeginningOfItsId() {
        assertThat(names.label(ID)).isEqualTo("author (a3f0c1d2)");
        assertThat(names.label("node-17.example")).isEqualTo("seventeen (node-17.example)");
        assertThat(names.label("unknown")).isEqualTo("unknown");
        assertThat(InstanceNames.label("same", Optional.of("same"))).isEqualTo("same");
        assertThat(InstanceNames.shortId("x".repeat(200))).hasSize(21);
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
