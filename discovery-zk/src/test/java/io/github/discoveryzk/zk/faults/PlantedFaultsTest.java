// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.zk.faults;

import io.github.discoveryzk.testing.fault.PlantedFault;
import io.github.discoveryzk.testing.fault.PlantedFaultsContract;
import java.util.stream.Stream;
import org.junit.jupiter.api.parallel.Isolated;

/** Shows that the tests of the store can fail. */
@Isolated("A run with a fault changes a system property and the class loader.")
class PlantedFaultsTest implements PlantedFaultsContract {

    @Override
    public Stream<PlantedFault> faults() {
        return PlantedFault.read("/faults/store.txt").parallelStream();
    }
}
