// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Stream;
import org.apache.sling.discovery.commons.testing.PlantedFault;
import org.junit.jupiter.api.Test;

/**
 * A simulation that finds nothing proves nothing. Each fault of the lists is planted into main code, and a law must break soon,
 * or the test that is named must fail.
 */
class PlantedFaultsTest {

    private static final long SEEDS = Long.getLong("discovery.simulation.faulty", 3_000);
    private static final String ONLY = System.getProperty("discovery.simulation.fault", "");

    private static final List<PlantedFault> FAULTS = Stream.of(
                    "/faults/settle.txt", "/faults/engine.txt", "/faults/dispatch.txt")
            .flatMap(layer -> PlantedFault.read(layer).stream())
            .filter(fault -> fault.name().contains(ONLY))
            .toList();

    @Test
    void eachFaultIsCaught() {
        List<String> survivors = FAULTS.parallelStream()
                .filter(fault ->
                        fault.caughtBy().filter(PlantedFaultsTest::isHere).isPresent())
                .filter(PlantedFaultsTest::survives)
                .map(PlantedFault::name)
                .toList();
        assertThat(survivors).isEmpty();
    }

    @Test
    void theNamedTestsSucceedWithoutFault() {
        assertThat(FAULTS.stream()
                        .flatMap(fault -> fault.caughtBy().stream())
                        .filter(test -> isHere(test) && !test.equals(PlantedFault.SIMULATION))
                        .distinct())
                .allSatisfy(test ->
                        assertThat(PlantedFault.failureWithoutFault(test)).isEmpty());
    }

    /** The tests of the module below run there. */
    private static boolean isHere(String test) {
        return test.equals(PlantedFault.SIMULATION) || test.startsWith("base.");
    }

    private static boolean survives(PlantedFault fault) {
        var caught = fault.caughtBy().filter(PlantedFault.SIMULATION::equals).isPresent()
                ? fault.lawBroken("base.simulation.SeedPlayer", SEEDS)
                : fault.failure();
        System.out.println(fault + " - " + caught.orElse("SURVIVES"));
        return caught.isEmpty();
    }
}
