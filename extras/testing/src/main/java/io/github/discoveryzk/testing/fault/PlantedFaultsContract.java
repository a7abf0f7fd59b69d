// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.testing.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.github.discoveryzk.testing.Effort;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Tests that find nothing prove nothing. Each fault of the lists of a module is planted into main code, and the test that the list
 * names must fail with the fault and succeed without it. Each build plants a few faults for each law, the profile {@code thorough}
 * all; the system property {@code discovery.simulation.fault} chooses those that have its text in their name instead.
 */
public interface PlantedFaultsContract {

    /** Returns the faults to plant. A parallel stream plants several at a time. */
    Stream<PlantedFault> faults();

    /** Runs the test that must catch the fault and returns its first failure, or empty when it does not notice the fault. */
    default Optional<String> failure(PlantedFault fault) {
        return fault.failure();
    }

    /** Returns the faults that the system property or the profile selects. */
    default Stream<PlantedFault> selectedFaults() {
        String only = System.getProperty("discovery.simulation.fault", "");
        return faults().filter(fault -> only.isEmpty()
                ? Effort.isThorough() || fault.breaks().isPresent()
                : fault.name().contains(only));
    }

    /** The texts of all faults are those of the sources as they are now. */
    @Test
    default void eachFaultHasItsPlace() {
        assertThat(faults()).isNotEmpty().allSatisfy(PlantedFault::changedSources);
    }

    @Test
    default void eachFaultIsCaught() {
        assumeThat(selectedFaults()).as("faults with that text in their name").isNotEmpty();
        List<String> survivors = selectedFaults()
                .filter(fault -> fault.caughtBy().isPresent())
                .filter(fault -> {
                    Optional<String> caught = failure(fault);
                    System.out.println(fault + " - " + caught.orElse("SURVIVES"));
                    return caught.isEmpty();
                })
                .map(PlantedFault::name)
                .toList();
        assertThat(survivors).isEmpty();
    }

    /** The build runs these tests without a fault anyway, so that in each build one suffices to show that the loader harms nothing. */
    @Test
    default void theNamedTestsSucceedWithoutFault() {
        assertThat(selectedFaults()
                        .sequential()
                        .flatMap(fault -> fault.caughtBy().stream())
                        .filter(test -> !test.equals(PlantedFault.SIMULATION))
                        .distinct()
                        .limit(Effort.isThorough() ? Long.MAX_VALUE : 1))
                .allSatisfy(test ->
                        assertThat(PlantedFault.failureWithoutFault(test)).isEmpty());
    }
}
