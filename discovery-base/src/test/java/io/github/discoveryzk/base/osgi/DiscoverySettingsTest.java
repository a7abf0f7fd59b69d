// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.base.osgi;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.discoveryzk.model.ForeignText;
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
                .contains("'" + nonsense + "'", "propertyRefreshSeconds", "io.github.discoveryzk.base", "0 to 86400");
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

    @Test
    void thePortAndTheAddressForNeighboursAreRead() {
        DiscoverySettings none = DiscoverySettings.of(Map.of());
        assertThat(none.neighbourPort()).isZero();
        assertThat(none.neighbourAddress()).isEmpty();

        DiscoverySettings given = DiscoverySettings.of(Map.of("neighbourPort", "7951", "neighbourAddress", " ::1 "));
        assertThat(given.neighbourPort()).isEqualTo(7951);
        assertThat(given.neighbourAddress()).contains(ForeignText.address("::1").orElseThrow());
        assertThat(given.problems()).isEmpty();
        assertThat(DiscoverySettings.of(Map.of("neighbourPort", -1)).neighbourPort())
                .isEqualTo(-1);
    }

    @Test
    void aRefusalIsProofOnlyOnRequest() {
        assertThat(DiscoverySettings.of(Map.of()).refusalIsProof()).isFalse();
        assertThat(DiscoverySettings.of(Map.of("refusalIsProof", true)).refusalIsProof())
                .isTrue();
        DiscoverySettings wrong = DiscoverySettings.of(Map.of("refusalIsProof", "maybe"));
        assertThat(wrong.refusalIsProof()).isFalse();
        assertThat(wrong.problems())
                .containsExactly("The value 'maybe' of refusalIsProof in the configuration"
                        + " io.github.discoveryzk.base cannot be used: it must be true or false. 'false' is used"
                        + " instead.");
    }

    @Test
    void aPortOrAddressThatCannotBeUsedIsReportedAndReplaced() {
        DiscoverySettings settings =
                DiscoverySettings.of(Map.of("neighbourPort", 65_536, "neighbourAddress", "host.example.org"));
        assertThat(settings.neighbourPort()).isZero();
        assertThat(settings.neighbourAddress()).isEmpty();
        assertThat(settings.problems()).hasSize(2).anySatisfy(problem -> assertThat(problem)
                .contains("neighbourAddress", "host.example.org", "one IP address of this machine, not a name"));
        assertThat(DiscoverySettings.of(Map.of("neighbourAddress", "0.0.0.0")).problems())
                .hasSize(1);
    }
}
