// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.base.dispatch;

import io.github.discoveryzk.base.protocol.SampleViews;
import io.github.discoveryzk.base.view.ImmutableTopologyView;
import io.github.discoveryzk.base.view.Lease;
import io.github.discoveryzk.base.view.RemoteClusters;
import io.github.discoveryzk.model.Member;
import java.util.List;
import java.util.Map;
import org.apache.sling.discovery.TopologyView;

/** The successive views of one instance, as its engine makes them. */
final class DispatchViews {

    private Lease lease = Lease.none();
    private ImmutableTopologyView last =
            ImmutableTopologyView.unsettled(SampleViews.record("a", Map.of()), "the-cluster");

    /** A view after a change. */
    TopologyView settled(String color) {
        lease.end();
        lease = new Lease(() -> 0, 1);
        return properties(color);
    }

    /** Returns a view that differs in properties at most. */
    TopologyView properties(String color) {
        Member member = SampleViews.member("a", 1, Map.of("color", color));
        ImmutableTopologyView view = ImmutableTopologyView.of(
                SampleViews.held("m-a", "the-cluster", 7, List.of(member)), RemoteClusters.NONE, lease);
        last.supersede(view);
        last = view;
        return view;
    }

    void changing() {
        lease.end();
    }
}
