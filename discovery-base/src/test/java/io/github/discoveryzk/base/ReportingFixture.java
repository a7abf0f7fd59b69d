// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.base;

import java.util.HashMap;
import java.util.Map;
import org.apache.sling.discovery.PropertyProvider;

/** Instances that offer the properties of a map. */
abstract class ReportingFixture extends VirtualCluster {

    final Map<String, String> values = new HashMap<>();
    final PropertyProvider provider = values::get;

    final void offer(VirtualInstance instance, String name, String value) {
        values.put(name, value);
        instance.instance().addPropertyProvider(provider, values.keySet().toArray(String[]::new));
        instance.instance().refreshProperties();
        time.run(300);
    }
}
