// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.zk.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.apache.sling.discovery.testing.fault.PlantedFault;
import org.junit.jupiter.api.Test;

/**
 * Plants each fault of the list into main code. The test that the list names must fail with the fault and succeed without it, which
 * shows that the tests of the store can fail.
 */
class PlantedFaultsTest {
    private static final String ONLY = System.getProperty("discovery.simulation.fault", "");

    private static final List<PlantedFault> FAULTS = PlantedFault.read("/faults/store.txt").stream()
            .filter(fault -> fault.name().contains(ONLY))
            .toList();

    @Test
    void eachFaultIsCaught() {
        List<String> survivors = FAULTS.stream()
                .filter(fault -> fault.caughtBy().isPresent())
                .filter(PlantedFaultsTest::survives)
                .map(PlantedFault::name)
                .toList();
        assertThat(survivors).isEmpty();
    }

    @Test
    void theNamedTestsSucceedWithoutFault() {
        assertThat(FAULTS.stream().flatMap(fault -> fault.caughtBy().stream()).distinct())
                .allSatisfy(test ->
                        assertThat(PlantedFault.failureWithoutFault(test)).isEmpty());
    }

    private static boolean survives(PlantedFault fault) {
        var caught = fault.failure();
        System.out.println(fault + " - " + caught.orElse("SURVIVES"));
        return caught.isEmpty();
    }
}
