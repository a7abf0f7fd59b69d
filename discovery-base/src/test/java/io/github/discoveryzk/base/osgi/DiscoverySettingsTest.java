// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.base.osgi;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.discoveryzk.model.ForeignText;
import io.github.discoveryzk.spi.SettlingPolicy;
import io.github.discoveryzk.spi.SettlingPolicy.Quarantine;
import io.github.discoveryzk.spi.SettlingPolicy.SuspendedPolicy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DiscoverySettingsTest {

    private static DiscoverySettings read(Map<String, ?> configuration) {
        return DiscoverySettings.of(configuration, 10_000);
    }

    private static DiscoverySettings of(Object seconds) {
        return read(Map.of("propertyRefreshSeconds", seconds));
    }

    @Test
    void nothingConfiguredIsTheDefaultPolicy() {
        assertThat(read(Map.of("service.pid", "x")).policy()).isEqualTo(SettlingPolicy.DEFAULT);
    }

    @Test
    void aPolicyCanBeConfiguredAlsoAsText() {
        DiscoverySettings settings = DiscoverySettings.of(
                Map.of(
                        "settleTimeoutMillis", 5000,
                        "quietMillis", " 7 ",
                        "suspendedPolicy", "strict",
                        "leaseMillis", "2000",
                        "quarantineLosses", "0"),
                4_000);
        assertThat(settings.problems()).isEmpty();
        assertThat(settings.policy())
                .isEqualTo(
                        new SettlingPolicy(5000, 7, 2000, 1000, SuspendedPolicy.STRICT, Quarantine.after(0), 1, 2_000));
    }

    @ParameterizedTest
    @CsvSource({
        "settleTimeoutMillis, -1|1.5",
        "quietMillis, -1",
        "leaseMillis, 999|600001",
        "quarantineLosses, -1|1001|few",
        "suspendedPolicy, maybe|"
    })
    void aWrongPolicyIsReportedAndReplacedByTheDefault(String key, String values) {
        List<Object> all = new ArrayList<>(List.of(values.split("\\|", -1)));
        all.add(new Object());
        all.add(new int[] {1});
        for (Object value : all) {
            DiscoverySettings settings = read(Map.of(key, value));
            assertThat(settings.problems())
                    .singleElement()
                    .asString()
                    .contains("'" + value + "'", key, DiscoverySettings.PID, "cannot be used: ", "is used instead.");
            assertThat(settings.policy()).isEqualTo(SettlingPolicy.DEFAULT);
        }
    }

    @Test
    void theSettleTimeoutIsNeverBelowTheSessionTimeout() {
        DiscoverySettings settings = DiscoverySettings.of(Map.of("settleTimeoutMillis", 5000), 8_000);
        assertThat(settings.policy().settleTimeoutMillis()).isEqualTo(8000);
        assertThat(settings.problems()).singleElement().asString().contains("settleTimeoutMillis", "5000", "8000");
        DiscoverySettings longer = DiscoverySettings.of(Map.of(), 60_000);
        assertThat(longer.policy().settleTimeoutMillis()).isEqualTo(60_000);
        assertThat(longer.problems()).isEmpty();
    }

    @Test
    void theDefaultIsThatOfSling() {
        DiscoverySettings settings = read(Map.of());

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
        assertThat(of(7).policy().minInstances()).isEqualTo(1);
        assertThat(read(Map.of("minInstances", " 3 ")).policy().minInstances()).isEqualTo(3);
        DiscoverySettings settings = read(Map.of("minInstances", "0", "propertyRefreshSeconds", "no"));
        assertThat(settings.policy().minInstances()).isEqualTo(1);
        assertThat(settings.problems())
                .hasSize(2)
                .anyMatch(each -> each.contains("'0' of minInstances") && each.contains("1 to 1000"));
    }

    @Test
    void thePortAndTheAddressForNeighboursAreRead() {
        DiscoverySettings none = read(Map.of());
        assertThat(none.neighbourPort()).isZero();
        assertThat(none.neighbourAddress()).isEmpty();

        DiscoverySettings given = read(Map.of("neighbourPort", "7951", "neighbourAddress", " ::1 "));
        assertThat(given.neighbourPort()).isEqualTo(7951);
        assertThat(given.neighbourAddress()).contains(ForeignText.address("::1").orElseThrow());
        assertThat(given.problems()).isEmpty();
        assertThat(read(Map.of("neighbourPort", -1)).neighbourPort()).isEqualTo(-1);
    }

    @Test
    void aRefusalIsProofOnlyOnRequest() {
        assertThat(read(Map.of()).refusalIsProof()).isFalse();
        assertThat(read(Map.of("refusalIsProof", true)).refusalIsProof()).isTrue();
        DiscoverySettings wrong = read(Map.of("refusalIsProof", "maybe"));
        assertThat(wrong.refusalIsProof()).isFalse();
        assertThat(wrong.problems())
                .containsExactly("The value 'maybe' of refusalIsProof in the configuration"
                        + " io.github.discoveryzk.base cannot be used: it is neither true nor false. 'false' is"
                        + " used instead.");
    }

    @Test
    void aPortOrAddressThatCannotBeUsedIsReportedAndReplaced() {
        DiscoverySettings settings = read(Map.of("neighbourPort", 65_536, "neighbourAddress", "host.example.org"));
        assertThat(settings.neighbourPort()).isZero();
        assertThat(settings.neighbourAddress()).isEmpty();
        assertThat(settings.problems()).hasSize(2).anySatisfy(problem -> assertThat(problem)
                .contains("neighbourAddress", "host.example.org", "one IP address of this machine, not a name"));
        assertThat(read(Map.of("neighbourAddress", "0.0.0.0")).problems()).hasSize(1);
    }
}
