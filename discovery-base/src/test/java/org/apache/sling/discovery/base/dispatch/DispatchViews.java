// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.dispatch;

import java.util.List;
import java.util.Map;
import org.apache.sling.discovery.TopologyView;
import org.apache.sling.discovery.base.protocol.SampleViews;
import org.apache.sling.discovery.base.view.Validity;
import org.apache.sling.discovery.base.view.Views;
import org.apache.sling.discovery.commons.model.Member;

/** The successive views of one instance, as its engine makes them. */
final class DispatchViews {

    private Validity validity = Validity.none();

    /** A view after a change. */
    TopologyView settled(String color) {
        validity.end();
        return show(color, new Validity(() -> 0, 1));
    }

    /** Returns a view that differs in properties at most. */
    TopologyView properties(String color) {
        return show(color, validity.next());
    }

    void changing() {
        validity.end();
    }

    private TopologyView show(String color, Validity next) {
        Member member = SampleViews.member("a", 1, Map.of("color", color));
        TopologyView view = Views.of(SampleViews.held("m-a", "the-cluster", 7, List.of(member)), next);
        Views.supersede(validity, view);
        validity = next;
        return view;
    }
}
