// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.it.chaos;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.sling.discovery.it.chaos.Recording.Received;
import org.apache.sling.discovery.it.chaos.Recording.View;

/**
 * L4: one number, one view; the views form one chain. The chain is promised under the assumption that only this product writes
 * below the root: a view that is published while another client writes may follow another view than the last.
 */
final class AgreementLaw implements Law {

    @Override
    public String name() {
        return "L4 Agreement";
    }

    @Override
    public List<String> objections(Recording recording) {
        List<String> objections = new ArrayList<>();
        Map<Long, Received> first = new HashMap<>();
        Map<Long, View> chain = recording.chain();
        for (Received call : recording.received()) {
            Received other = first.computeIfAbsent(call.view(), number -> call);
            if (!content(call).equals(content(other))) {
                objections.add(call + " but " + other);
            }
            View published = chain.get(call.view());
            if (published != null && !published.ids().equals(call.ids())) {
                objections.add(call + " but published was " + published);
            }
        }
        chain(recording, objections);
        return objections;
    }

    private static List<Object> content(Received call) {
        return List.of(call.ids(), call.leader(), call.cluster());
    }

    private static void chain(Recording recording, List<String> objections) {
        List<View> views = recording.views();
        for (int i = 1; i < views.size(); i++) {
            View before = views.get(i - 1);
            View view = views.get(i);
            if (view.number() == before.number()) {
                objections.add("two views have one number: " + before + " and " + view);
            } else if (view.previous() != before.number() && !recording.mayStartNewChain(view)) {
                objections.add(view + " does not follow " + before);
            }
        }
    }
}
