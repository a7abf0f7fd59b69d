// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.reporting;

import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.sling.discovery.base.dispatch.Subscriptions;
import org.apache.sling.discovery.base.engine.TopologyEngine;
import org.apache.sling.discovery.base.environment.Execution;
import org.apache.sling.discovery.base.environment.InstanceIdentity;
import org.apache.sling.discovery.base.journal.Journal;
import org.apache.sling.discovery.base.journal.Standing;
import org.apache.sling.discovery.base.neighbour.Neighbours;
import org.apache.sling.discovery.base.properties.PropertyCollection;
import org.apache.sling.discovery.commons.report.Concern;
import org.apache.sling.discovery.commons.report.ConnectorReport;
import org.apache.sling.discovery.commons.report.Health;
import org.apache.sling.discovery.commons.report.Health.Finding;
import org.apache.sling.discovery.commons.report.History;
import org.apache.sling.discovery.commons.report.InstanceNames;
import org.apache.sling.discovery.commons.report.Metric;
import org.apache.sling.discovery.commons.report.TopologyReport;
import org.apache.sling.discovery.commons.report.TopologyReport.Instances;
import org.apache.sling.discovery.commons.report.TopologyReport.Listener;
import org.apache.sling.discovery.commons.report.TopologyReport.Situation;
import org.apache.sling.discovery.commons.report.TopologyReport.Source;
import org.apache.sling.discovery.commons.report.TopologyReport.View;
import org.apache.sling.discovery.commons.spi.ClusterStore;

/** Reports on an instance and its cluster. Futures are completed on the threads that call listeners. */
public final class Reporting extends StoreReadings {

    private final InstanceIdentity identity;
    private final TopologyEngine engine;
    private final Subscriptions subscriptions;
    private final PropertyCollection properties;
    private final Neighbours neighbours;
    private final MetricAssembly metrics;
    private final Revision revision = new Revision();
    private volatile Supplier<List<Finding>> configurationProblems = List::of;
    private volatile Supplier<List<String>> connectorProblems = List::of;
    private volatile Supplier<ConnectorReport> connectors = () -> ConnectorReport.NONE;

    public Reporting(
            InstanceIdentity identity,
            ClusterStore store,
            TopologyEngine engine,
            Subscriptions subscriptions,
            PropertyCollection properties,
            Neighbours neighbours,
            Execution execution) {
        super(store.inspector(), engine.journal(), execution);
        this.identity = identity;
        this.engine = engine;
        this.subscriptions = subscriptions;
        this.properties = properties;
        this.neighbours = neighbours;
        this.metrics = new MetricAssembly(engine, subscriptions, properties);
    }

    /**
     * Sets what reports say about the configuration.
     *
     * @param clusterAddress for display
     * @param problems requested on any thread, for each report; must not block
     */
    public void describe(String clusterAddress, Supplier<List<Finding>> problems) {
        configurationProblems = problems;
        engine.journal().session().describe(clusterAddress);
    }

    /**
     * Sets what supplies the state of the connectors.
     *
     * @param report requested on any thread, for each report; must not block
     * @param problems sentences about other clusters; requested as the report is
     */
    public void describeConnectors(Supplier<ConnectorReport> report, Supplier<List<String>> problems) {
        connectors = report;
        connectorProblems = problems;
    }

    @Override
    public TopologyReport report() {
        // The content of a later report must not get an earlier number.
        synchronized (revision) {
            return assemble();
        }
    }

    private TopologyReport assemble() {
        Journal journal = engine.journal();
        Standing standing = journal.standing();
        // The topology changes within a turn, the standing at its end.
        boolean current = standing.state().isHolding() && engine.topology().isCurrent();
        ReportAssembly assembly = new ReportAssembly(
                standing,
                journal.departures(),
                new MemberStates(
                        standing,
                        journal,
                        subscriptions.acting(),
                        acknowledgements.acknowledgements(
                                standing, journal.session().isUsable())),
                identity.process().runtimeId(),
                current);
        long now = execution.time().wall().getAsLong();
        Instances instances = assembly.instances();
        Situation situation = new Situation(
                standing.status(),
                journal.session().connection(),
                standing.acting().map(acting -> new View(acting.held().view(), current, acting.sinceMillis())),
                assembly.change(instances),
                standing.lastChange(),
                subscriptions.status().stream()
                        .map(each -> new Listener(each.name(), each.pending(), each.busyMillis()))
                        .toList(),
                inspector.access());
        ConnectorReport connected = connectors.get();
        History known = history.known();
        List<Finding> problems = problems(journal, assembly.missing(instances, now));
        long number = revision.of(situation, instances, connected, List.of(journal.recent(), known, problems));
        return new TopologyReport(
                new Source(now, number, identity.instanceId(), journal.session().address()),
                situation,
                instances,
                connected,
                journal.recent(),
                known,
                problems);
    }

    private List<Finding> problems(Journal journal, List<String> missing) {
        InstanceNames names = journal.departures().names();
        return Stream.of(
                        configurationProblems.get().stream(),
                        journal.problems(names).stream(),
                        Finding.warnings(Concern.PAYLOAD, properties.oversized().stream()),
                        Finding.warnings(Concern.OTHER, properties.problems().stream()),
                        Finding.warnings(Concern.OTHER, connectorProblems.get().stream()),
                        Finding.warnings(
                                Concern.OTHER,
                                neighbours.problems(journal.store()).stream().map(one -> one.sentence(names::label))),
                        Finding.warnings(Concern.OTHER, missing.stream()))
                .flatMap(each -> each)
                .toList();
    }

    @Override
    public List<Metric> metrics() {
        List<Metric> all = metrics.metrics(execution.time().wall().getAsLong());
        List<Finding> findings = Health.attention(report());
        all.add(new Metric(
                "findings",
                Metric.Type.GAUGE,
                "what needs attention",
                "concern",
                Stream.of(Concern.values()).collect(Collectors.toMap(Concern::name, each -> (double)
                        findings.stream().filter(one -> one.concern() == each).count()))));
        return all;
    }
}
