// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.base.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.discoveryzk.testing.fault.PlantedFault;
import io.github.discoveryzk.testing.fault.PlantedFault.Change;
import io.github.discoveryzk.testing.fault.PlantedFaultsContract;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Shows that the simulation and the tests of the protocol can fail. A fault that the simulation must find breaks a law within a few
 * thousand histories.
 */
class PlantedFaultsTest implements PlantedFaultsContract {

    private static final long SEEDS = Long.getLong("discovery.simulation.faulty", 3_000);

    @Override
    public Stream<PlantedFault> faults() {
        return Stream.of(
                        "/faults/protocol.txt",
                        "/faults/explorer.txt",
                        "/faults/engine.txt",
                        "/faults/data.txt",
                        "/faults/neighbour.txt",
                        "/faults/dispatch.txt")
                .flatMap(layer -> PlantedFault.read(layer).stream())
                .parallel();
    }

    @Override
    public Optional<String> failure(PlantedFault fault) {
        return fault.caughtBy().filter(PlantedFault.SIMULATION::equals).isPresent()
                ? fault.lawBroken("base.simulation.SeedPlayer", SEEDS)
                : fault.failure();
    }

    /** A fault that changes nothing can at least be planted and compiles. */
    @Test
    void faultsThatChangeNothingCanBePlanted() {
        selectedFaults()
                .sequential()
                .filter(fault -> fault.caughtBy().isEmpty())
                .forEach(PlantedFault::plant);
    }

    /** The interleavings, which must find them, are not part of each build. */
    @Test
    void eachRaceHasItsPlace() {
        assertThat(PlantedFault.read("/faults/races.txt")).isNotEmpty().allSatisfy(PlantedFault::changedSources);
    }

    @Test
    void aTextThatDoesNotOccurOnceIsNoFault() {
        assertThatThrownBy(() -> planting("return null-and-void;", "").plant()).hasMessageContaining("occurs 0 times");
        assertThatThrownBy(() -> planting("return", "").plant()).hasMessageContaining("not once");
        assertThatThrownBy(() -> planting("(valid(sessionTimeoutMillis) * 3 + 3)", "nonsense")
                        .plant())
                .hasMessageContaining("does not compile");
    }

    private static PlantedFault planting(String original, String replacement) {
        Change change = new Change("base.protocol.LeaseTerm", original, replacement);
        return new PlantedFault(
                "a fault",
                List.of(change),
                Optional.of(PlantedFault.SIMULATION),
                Optional.empty(),
                Optional.empty(),
                OptionalLong.empty());
    }
}
