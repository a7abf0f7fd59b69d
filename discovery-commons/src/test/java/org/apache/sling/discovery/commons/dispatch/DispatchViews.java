// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.commons.dispatch;

import java.util.Map;
import org.apache.sling.discovery.TopologyView;
import org.apache.sling.discovery.commons.model.MemberRecord;
import org.apache.sling.discovery.commons.model.ProcessInfo;
import org.apache.sling.discovery.commons.view.Views;

/** Views that differ by identity; dispatch looks at nothing else. */
final class DispatchViews {

    private DispatchViews() {}

    static TopologyView view() {
        ProcessInfo process = new ProcessInfo("run-a", "host", 1, "/home", 0);
        return Views.unsettled(MemberRecord.of("a", process, Map.of()), "the-cluster");
    }
}
