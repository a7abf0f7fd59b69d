// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.osgi;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DiscoverySettingsTest {

    private static DiscoverySettings of(Object seconds) {
        return DiscoverySettings.of(Map.of("propertyRefreshSeconds", seconds));
    }

    @Test
    void theDefaultIsThatOfSling() {
        DiscoverySettings settings = DiscoverySettings.of(Map.of());

        assertThat(settings.propertyRefresh()).isEqualTo(Duration.ofSeconds(30));
        assertThat(settings.problems()).isEmpty();
    }

    @Test
    void aNumberMayBeWrittenInAnyWay() {
        assertThat(of(7).propertyRefresh()).isEqualTo(Duration.ofSeconds(7));
        assertThat(of(8L).propertyRefresh()).isEqualTo(Duration.ofSeconds(8));
        assertThat(of(" 9 ").propertyRefresh()).isEqualTo(Duration.ofSeconds(9));
        assertThat(of("0").propertyRefresh()).isZero();
        assertThat(of("0").problems()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"-1", "soon", "86401", "1.5", ""})
    void nonsenseIsReportedAndReplaced(String nonsense) {
        DiscoverySettings settings = of(nonsense);

        assertThat(settings.propertyRefresh()).isEqualTo(Duration.ofSeconds(30));
        assertThat(settings.problems())
                .singleElement()
                .asString()
                .contains(
                        "'" + nonsense + "'",
                        "propertyRefreshSeconds",
                        "org.apache.sling.discovery.base",
                        "0 to 86400");
    }

    @Test
    void oneInstanceIsEnoughUnlessMoreAreConfigured() {
        assertThat(of(7).minInstances()).isEqualTo(1);
        assertThat(DiscoverySettings.of(Map.of("minInstances", " 3 ")).minInstances())
                .isEqualTo(3);
        DiscoverySettings settings = DiscoverySettings.of(Map.of("minInstances", "0", "propertyRefreshSeconds", "no"));
        assertThat(settings.minInstances()).isEqualTo(1);
        assertThat(settings.problems())
                .hasSize(2)
                .anyMatch(each -> each.contains("'0' of minInstances") && each.contains("1 to 1000"));
    }
}
