// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.commons.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.sling.discovery.commons.testing.PlantedFault.Change;
import org.junit.jupiter.api.Test;

/** Each fault that a test of this module has to catch is planted, and that test must fail. */
class PlantedFaultsTest {

    private static final List<PlantedFault> FAULTS = Stream.of("/faults/settle.txt", "/faults/dispatch.txt")
            .flatMap(layer -> PlantedFault.read(layer).stream())
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
                        .filter(PlantedFaultsTest::isHere)
                        .distinct())
                .allSatisfy(test ->
                        assertThat(PlantedFault.failureWithoutFault(test)).isEmpty());
    }

    /** What is said to change nothing is at least still there and compiles. */
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
        Change change = new Change("commons.settle.LeaseTerm", original, replacement);
        return new PlantedFault("a fault", List.of(change), Optional.of(PlantedFault.SIMULATION), Optional.empty());
    }

    private static boolean isHere(String test) {
        return test.startsWith("commons.");
    }

    private static boolean survives(PlantedFault fault) {
        Optional<String> failure = fault.failure();
        System.out.println(fault + " - " + failure.orElse("SURVIVES"));
        return failure.isEmpty();
    }
}
