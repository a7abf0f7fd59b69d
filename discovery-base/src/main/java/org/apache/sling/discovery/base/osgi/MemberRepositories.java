// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.osgi;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.sling.discovery.InstanceDescription;
import org.apache.sling.discovery.TopologyEvent;
import org.apache.sling.discovery.TopologyEventListener;
import org.apache.sling.discovery.commons.report.InstanceNames;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Finds members of the local cluster with different content repositories. */
final class MemberRepositories implements TopologyEventListener {

    private static final Logger LOG = LoggerFactory.getLogger(MemberRepositories.class);

    private volatile List<String> problems = List.of();

    /** Returns a sentence; none while all members that name their repository name the same. Any thread may ask. */
    List<String> problems() {
        return problems;
    }

    @Override
    public void handleTopologyEvent(TopologyEvent event) {
        if (event.getNewView() == null) {
            return;
        }
        Map<String, String> members = new TreeMap<>();
        for (InstanceDescription each :
                event.getNewView().getLocalInstance().getClusterView().getInstances()) {
            String name = InstanceNames.label(each.getSlingId(), InstanceNames.name(each.getProperties()));
            String repository = each.getProperty(StandardProperties.REPOSITORY);
            members.merge(repository == null ? "" : repository, name, (some, next) -> some + " and " + next);
        }
        members.remove("");
        String sentence = "members of this cluster have different repositories: " + members
                + "; Sling jobs need one: give the members of each repository a clusterName of their own";
        List<String> found = members.size() > 1 ? List.of(sentence) : List.of();
        if (!found.equals(problems)) {
            found.forEach(LOG::warn);
        }
        problems = found;
    }
}
