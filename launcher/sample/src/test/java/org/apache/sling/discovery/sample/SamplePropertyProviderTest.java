// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.sample;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class SamplePropertyProviderTest {

    private final SamplePropertyProvider provider = new SamplePropertyProvider();

    @Test
    void publishesItsConfiguration() {
        provider.configure(Map.of("sample.value1", "a", "sample.value2", "b"));

        assertThat(provider.getProperty("sample.value1")).isEqualTo("a");
        assertThat(provider.getProperty("sample.value2")).isEqualTo("b");
    }

    @Test
    void anEmptyOrMissingValueIsNoProperty() {
        provider.configure(Map.of("sample.value1", ""));

        assertThat(provider.getProperty("sample.value1")).isNull();
        assertThat(provider.getProperty("sample.value2")).isNull();
    }

    @Test
    void knowsNoOtherName() {
        provider.configure(Map.of("other", "a"));

        assertThat(provider.getProperty("other")).isNull();
    }
}
