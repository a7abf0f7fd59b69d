// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.sling.discovery.testing.fault.PlantedFault;
import org.apache.sling.discovery.testing.fault.PlantedFault.Change;
import org.junit.jupiter.api.Test;

/**
 * Tests that find nothing prove nothing. Each fault of the lists is planted into main code. The simulation must find it within a few
 * thousand histories, or the test that the list names must fail.
 */
class PlantedFaultsTest {

    private static final long SEEDS = Long.getLong("discovery.simulation.faulty", 3_000);
    private static final String ONLY = System.getProperty("discovery.simulation.fault", "");

    private static final List<PlantedFault> FAULTS = Stream.of(
                    "/faults/protocol.txt", "/faults/engine.txt", "/faults/dispatch.txt")
            .flatMap(layer -> PlantedFault.read(layer).stream())
            .filter(fault -> fault.name().contains(ONLY))
            .toList();

    @Test
    void eachFaultIsCaught() {
        List<String> survivors = FAULTS.parallelStream()
                .filter(fault -> fault.caughtBy().isPresent())
                .filter(PlantedFaultsTest::survives)
                .map(PlantedFault::name)
                .toList();
        assertThat(survivors).isEmpty();
    }

    @Test
    void theNamedTestsSucceedWithoutFault() {
        assertThat(FAULTS.stream()
                        .flatMap(fault -> fault.caughtBy().stream())
                        .filter(test -> !test.equals(PlantedFault.SIMULATION))
                        .distinct())
                .allSatisfy(test ->
                        assertThat(PlantedFault.failureWithoutFault(test)).isEmpty());
    }

    /** A fault that changes nothing can at least be planted and compiles. */
    @Test
    void faultsThatChangeNothingCanBePlanted() {
        FAULTS.stream().filter(fault -> fault.caughtBy().isEmpty()).forEach(PlantedFault::plant);
    }

    @Test
    void aTextThatDoesNotOccurOnceIsNoFault() {
        assertThatThrownBy(() -> planting("return null-and-void;", "").plant()).hasMessageContaining("occurs 0 times");
        assertThatThrownBy(() -> planting("return", "").plant()).hasMessageContaining("not once");
        assertThatThrownBy(() ->
                        planting("(valid(sessionMillis) * 3 + 3)", "nonsense").plant())
                .hasMessageContaining("does not compile");
    }

    private static PlantedFault planting(String original, String replacement) {
        Change change = new Change("base.protocol.LeaseTerm", original, replacement);
        return new PlantedFault("a fault", List.of(change), Optional.of(PlantedFault.SIMULATION), Optional.empty());
    }

    private static boolean survives(PlantedFault fault) {
        var caught = fault.caughtBy().filter(PlantedFault.SIMULATION::equals).isPresent()
                ? fault.lawBroken("base.simulation.SeedPlayer", SEEDS)
                : fault.failure();
        System.out.println(fault + " - " + caught.orElse("SURVIVES"));
        return caught.isEmpty();
    }
}
