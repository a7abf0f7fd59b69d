// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import org.apache.sling.discovery.PropertyProvider;
import org.apache.sling.discovery.commons.report.TopologyReport.State;

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

    /** Starts an instance and returns when it is settled. */
    final VirtualInstance settled(String id) {
        VirtualInstance instance = started(id);
        assertThat(instance.await(State.SETTLED)).isTrue();
        return instance;
    }
}
