// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.connectors.faults;

import io.github.discoveryzk.testing.fault.PlantedFault;
import io.github.discoveryzk.testing.fault.PlantedFaultsContract;
import java.util.stream.Stream;

/** Shows that the tests of the connectors can fail. */
class PlantedFaultsTest implements PlantedFaultsContract {

    @Override
    public Stream<PlantedFault> faults() {
        return PlantedFault.read("/faults/connector.txt").stream().parallel();
    }
}
