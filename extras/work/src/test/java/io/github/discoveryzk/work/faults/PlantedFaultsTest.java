// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.work.faults;

import io.github.discoveryzk.testing.fault.PlantedFault;
import io.github.discoveryzk.testing.fault.PlantedFaultsContract;
import java.util.Optional;
import java.util.stream.Stream;

/** Shows that the simulation and the tests of work can fail. */
class PlantedFaultsTest implements PlantedFaultsContract {

    private static final long SEEDS = Long.getLong("discovery.simulation.faulty", 3_000);

    @Override
    public Stream<PlantedFault> faults() {
        return PlantedFault.read("/faults/work.txt").parallelStream();
    }

    @Override
    public Optional<String> failure(PlantedFault fault) {
        return fault.caughtBy().filter(PlantedFault.SIMULATION::equals).isPresent()
                ? fault.lawBroken("work.place.SeedPlayer", SEEDS)
                : fault.failure();
    }
}
