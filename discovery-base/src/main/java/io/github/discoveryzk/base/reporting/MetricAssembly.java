// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.base.reporting;

import io.github.discoveryzk.base.dispatch.Subscriptions;
import io.github.discoveryzk.base.engine.TopologyEngine;
import io.github.discoveryzk.base.journal.Standing;
import io.github.discoveryzk.base.properties.PropertyCollection;
import io.github.discoveryzk.base.protocol.HeldView;
import io.github.discoveryzk.model.EstablishedView;
import io.github.discoveryzk.report.Metric;
import io.github.discoveryzk.report.StoreConnection;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Supplier;

/** The metrics of an instance: those that are read now, and those that are counted. */
record MetricAssembly(
        TopologyEngine engine,
        Subscriptions subscriptions,
        PropertyCollection properties,
        Supplier<List<Metric>> data) {

    List<Metric> metrics(long now) {
        Standing standing = engine.journal().standing();
        Optional<EstablishedView> view = standing.held().map(HeldView::view);
        Optional<StoreConnection> connection = engine.journal().session().connection();
        int current = engine.topology().isCurrent() ? 1 : 0;
        int leads = standing.held().filter(HeldView::leads).isPresent() ? current : 0;
        int members = view.map(each -> each.members().size()).orElse(0);
        int excluded = view.map(each -> each.excluded().size()).orElse(0);
        long token = view.map(EstablishedView::token).orElse(0L);
        long age = standing.past().heldSince().isPresent() ? now - standing.heldSinceMillis() : 0;
        long lease = engine.topology().leaseMillis();
        long reply = connection.map(each -> each.roundTripMillis().orElse(0)).orElse(0L);
        List<Metric> all = new ArrayList<>();
        all.add(Metric.gauge("settled", "whether this instance acts on a current view", current));
        all.add(Metric.gauge("leader", "whether this instance leads that view", leads));
        all.add(Metric.gauge("members", "members of the last view", members));
        all.add(Metric.gauge("excluded_members", "live members that the last view excludes", excluded));
        all.add(Metric.gauge("token", "fencing token of the leadership of the last view", (double) token));
        all.add(seconds("view_age", "time since this instance received its last view", age));
        all.add(seconds("lease_left", "time until the lease ends without a further reply", lease));
        all.add(seconds("round_trip", "time that the last reply of the store took", reply));
        all.add(seconds("longest_pause", "longest delay of a timer of this instance", engine.longestPauseMillis()));
        all.add(Metric.gauge("properties_bytes", "size of the properties of this instance", properties.usedBytes()));
        all.add(longestCalls());
        all.addAll(data.get());
        all.addAll(engine.journal().counters().metrics());
        return all;
    }

    private static Metric seconds(String name, String help, long millis) {
        return Metric.gauge(name + "_seconds", help, Math.max(0, millis) / 1_000.0);
    }

    private Metric longestCalls() {
        Map<String, Double> seconds = new TreeMap<>();
        subscriptions.status().forEach(each -> seconds.merge(each.type(), each.longestMillis() / 1_000.0, Math::max));
        String help = "longest call of a listener, by its class";
        return new Metric("listener_longest_call_seconds", Metric.Type.GAUGE, help, "listener", seconds);
    }
}
