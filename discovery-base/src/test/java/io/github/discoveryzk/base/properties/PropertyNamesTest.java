// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.base.properties;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PropertyNamesTest {

    @Test
    void readsATextAnArrayOrACollection() {
        assertThat(read("p").legal()).containsExactly("p");
        assertThat(read(new String[] {"p", "q.r"}).legal()).containsExactly("p", "q.r");
        assertThat(read(List.of("p", "q_r")).legal()).containsExactly("p", "q_r");
        assertThat(read(Set.of("q-1")).legal()).containsExactly("q-1");
        assertThat(read(new String[] {" p ", "p", "q"}).legal()).containsExactly("p", "q");
        assertThat(read(new String[0])).isEqualTo(new PropertyNames(List.of(), List.of()));
    }

    @Test
    void reportsWhatIsMissingAndOtherTypes() {
        assertThat(read(null).legal()).isEmpty();
        assertThat(read(null).problems())
                .singleElement()
                .asString()
                .contains("the provider", "instance.properties", "is missing", "String[]");
        assertThat(read(42).legal()).isEmpty();
        assertThat(read(42).problems()).singleElement().asString().contains("java.lang.Integer");
        assertThat(read(new int[] {1}).problems()).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "a b", "a,b", "a/b", "ä", "a=b", "a:b"})
    void reportsIllegalNamesAndKeepsTheOthers(String illegal) {
        PropertyNames names = read(new String[] {"p", illegal, "q"});

        assertThat(names.legal()).containsExactly("p", "q");
        assertThat(names.problems()).singleElement().asString().contains("\"" + illegal.trim() + "\"", "is ignored");
    }

    @Test
    void reportsAMissingName() {
        PropertyNames names = read(Arrays.asList("p", null));

        assertThat(names.legal()).containsExactly("p");
        assertThat(names.problems()).hasSize(1);
    }

    private static PropertyNames read(Object value) {
        return PropertyNames.of(value, "the provider");
    }
}
