// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.webconsole;

import java.util.List;
import org.apache.sling.discovery.commons.report.Health;
import org.apache.sling.discovery.commons.report.TopologyReport;
import org.apache.sling.discovery.commons.report.TopologyReport.Instance;
import org.apache.sling.discovery.commons.report.TopologyReport.Listener;

/** What the page and the text say in the same words. */
final class Words {

    private Words() {}

    static String listener(Listener listener) {
        if (listener.pending() == 0) {
            return "idle";
        }
        String pending = count(listener.pending(), "event") + " pending";
        return listener.busyMillis() <= 0
                ? pending
                : "busy for " + Times.duration(listener.busyMillis()) + ", " + pending;
    }

    /** What a human must look at, in the words of the health check. */
    static List<String> problems(TopologyReport report) {
        return Health.attention(report).stream().map(Health.Finding::sentence).toList();
    }

    static String session(Instance instance) {
        return instance.session().isEmpty()
                ? "none"
                : instance.session() + ", timeout " + Times.duration(instance.sessionTimeoutMillis());
    }

    static String count(int number, String noun) {
        return number + " " + noun + (number == 1 ? "" : "s");
    }
}
