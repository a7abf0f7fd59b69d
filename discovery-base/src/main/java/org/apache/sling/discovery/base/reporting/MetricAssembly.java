// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.reporting;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.apache.sling.discovery.base.dispatch.Subscriptions;
import org.apache.sling.discovery.base.engine.TopologyEngine;
import org.apache.sling.discovery.base.journal.Standing.Acting;
import org.apache.sling.discovery.base.protocol.HeldView;
import org.apache.sling.discovery.commons.model.EstablishedView;
import org.apache.sling.discovery.commons.report.Metric;
import org.apache.sling.discovery.commons.report.StoreConnection;
import org.apache.sling.discovery.commons.spi.ClusterStore;

/** The metrics of an instance: those that are read now, those that are counted, and those of the store. */
record MetricAssembly(TopologyEngine engine, Subscriptions subscriptions, ClusterStore store) {

    List<Metric> metrics(long now) {
        Optional<Acting> acting = engine.journal().standing().acting();
        Optional<EstablishedView> view = acting.map(Acting::held).map(HeldView::view);
        OptionalLong roundTrip = engine.journal()
                .session()
                .connection()
                .map(StoreConnection::roundTripMillis)
                .orElse(OptionalLong.empty());
        boolean settled = engine.topology().isCurrent();
        boolean leads = settled && acting.filter(each -> each.held().leads()).isPresent();
        List<Metric> all = new ArrayList<>();
        all.add(Metric.gauge("settled", "whether this instance acts on a current view", settled ? 1 : 0));
        all.add(Metric.gauge("leader", "whether this instance leads that view", leads ? 1 : 0));
        int members = view.map(each -> each.members().size()).orElse(0);
        all.add(Metric.gauge("members", "members of the last view", members));
        int excluded = view.map(each -> each.excluded().size()).orElse(0);
        all.add(Metric.gauge("excluded_members", "live members that the last view excludes", excluded));
        long token = view.map(EstablishedView::token).orElse(0L);
        all.add(Metric.gauge("token", "fencing token of the leadership of the last view", token));
        long age = acting.map(each -> now - each.sinceMillis()).orElse(0L);
        all.add(seconds("view_age", "time since this instance received its last view", age));
        all.add(seconds("lease_left", "time until the lease ends without a further reply", engine.leaseMillis()));
        all.add(seconds("round_trip", "time that the last reply of the store took", roundTrip.orElse(0)));
        all.add(seconds("longest_pause", "longest delay of a timer of this instance", engine.longestPauseMillis()));
        all.add(longestCalls());
        all.addAll(engine.journal().counters().metrics());
        all.addAll(store.metrics());
        return all;
    }

    private static Metric seconds(String name, String help, long millis) {
        return Metric.gauge(name + "_seconds", help, Math.max(0, millis) / 1_000.0);
    }

    private Metric longestCalls() {
        Map<String, Double> seconds = new TreeMap<>();
        subscriptions.status().forEach(each -> seconds.merge(each.type(), each.longestMillis() / 1_000.0, Math::max));
        String help = "longest call of a listener, by its class";
        return Metric.labelled("listener_longest_call_seconds", Metric.Type.GAUGE, help, "listener", seconds);
    }
}
