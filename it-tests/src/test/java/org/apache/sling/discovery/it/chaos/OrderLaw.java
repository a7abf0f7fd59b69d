// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.it.chaos;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.sling.discovery.it.chaos.Recording.Node;
import org.apache.sling.discovery.it.chaos.Recording.View;

/** L2: survivors keep their order and come first, newcomers come last. */
final class OrderLaw implements Law {

    @Override
    public String name() {
        return "L2 Order";
    }

    @Override
    public List<String> objections(Recording recording) {
        List<String> objections = new ArrayList<>();
        Map<Long, View> chain = recording.chain();
        for (View view : recording.views()) {
            View before = chain.get(view.previous());
            if (before != null) {
                List<Node> survivors = before.members().stream()
                        .filter(node -> view.same(node).isPresent())
                        .toList();
                if (!view.members().subList(0, survivors.size()).equals(survivors)) {
                    objections.add("the survivors of " + before + " are not the first of " + view);
                }
            }
        }
        return objections;
    }
}
