// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.clusterinfo;

import java.lang.management.ManagementFactory;
import java.lang.management.MemoryUsage;
import java.lang.management.OperatingSystemMXBean;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import org.osgi.service.clusterinfo.NodeStatus;

/** The node of this process, the only one whose metrics are known here; they have the names of the specification's example. */
final class LocalNode implements NodeStatus {

    @Override
    public Map<String, Object> getMetrics(String... names) {
        OperatingSystemMXBean system = ManagementFactory.getOperatingSystemMXBean();
        MemoryUsage heap = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage();
        MemoryUsage other = ManagementFactory.getMemoryMXBean().getNonHeapMemoryUsage();
        Map<String, Object> metrics = new TreeMap<>(Map.of(
                "availableProcessors", system.getAvailableProcessors(),
                "systemLoadAverage", (float) system.getSystemLoadAverage(),
                "heapMemoryMax", heap.getMax(),
                "heapMemoryUsed", heap.getUsed(),
                "nonHeapMemoryMax", other.getMax(),
                "nonHeapMemoryUsed", other.getUsed()));
        if (names.length > 0) {
            metrics.keySet().retainAll(Arrays.asList(names));
        }
        return metrics;
    }
}
