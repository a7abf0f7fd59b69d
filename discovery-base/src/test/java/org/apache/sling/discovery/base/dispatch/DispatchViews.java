// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.dispatch;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.sling.discovery.TopologyView;
import org.apache.sling.discovery.base.protocol.HeldView;
import org.apache.sling.discovery.base.view.Validity;
import org.apache.sling.discovery.base.view.Views;
import org.apache.sling.discovery.commons.model.EstablishedView;
import org.apache.sling.discovery.commons.model.Member;
import org.apache.sling.discovery.commons.model.MemberRecord;
import org.apache.sling.discovery.commons.model.ProcessInfo;
import org.apache.sling.discovery.commons.model.Reason;
import org.apache.sling.discovery.commons.model.ViewHead;

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
        TopologyView view = view(color, next);
        Views.supersede(validity, view);
        validity = next;
        return view;
    }

    private static TopologyView view(String color, Validity validity) {
        ProcessInfo process = new ProcessInfo("run-a", "host", 1, "/home", 0);
        Member member = new Member("m-a", 1, 0, 1, MemberRecord.of("a", process, Map.of("color", color)));
        EstablishedView established = new EstablishedView(
                new ViewHead(7, 6, 5, 9_000, 0, Reason.ofText("a test"), "a"), List.of(member.incarnation()), Set.of());
        return Views.of(new HeldView("m-a", "the-cluster", established, List.of(member)), validity);
    }
}
