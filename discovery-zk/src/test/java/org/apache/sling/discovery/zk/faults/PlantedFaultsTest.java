// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.zk.faults;

import java.util.stream.Stream;
import org.apache.sling.discovery.testing.fault.PlantedFault;
import org.apache.sling.discovery.testing.fault.PlantedFaultsContract;

/** Shows that the tests of the store can fail. */
class PlantedFaultsTest implements PlantedFaultsContract {

    @Override
    public Stream<PlantedFault> faults() {
        return PlantedFault.read("/faults/store.txt").stream();
    }
}
