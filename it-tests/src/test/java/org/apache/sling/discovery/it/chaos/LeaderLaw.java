// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.it.chaos;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.sling.discovery.it.chaos.Recording.Received;
import org.apache.sling.discovery.it.chaos.Recording.View;

/** L3: the first member leads, as long as it is a member. */
final class LeaderLaw implements Law {

    @Override
    public String name() {
        return "L3 Leader";
    }

    @Override
    public List<String> objections(Recording recording) {
        List<String> objections = new ArrayList<>();
        for (Received call : recording.received()) {
            if (!call.leader().equals(call.ids().get(0))) {
                objections.add(call + " with leader " + call.leader());
            }
        }
        Map<Long, View> chain = recording.chain();
        for (View view : recording.views()) {
            View before = chain.get(view.previous());
            if (before != null
                    && view.same(before.leader()).isPresent()
                    && !view.leader().equals(before.leader())) {
                objections.add(before.leader() + " led " + before + " and is only a member of " + view);
            }
        }
        return objections;
    }
}
