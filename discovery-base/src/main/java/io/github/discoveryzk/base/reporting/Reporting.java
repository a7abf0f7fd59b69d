// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.base.reporting;

import io.github.discoveryzk.base.dispatch.Subscriptions;
import io.github.discoveryzk.base.engine.TopologyEngine;
import io.github.discoveryzk.base.environment.Execution;
import io.github.discoveryzk.base.environment.InstanceIdentity;
import io.github.discoveryzk.base.journal.Journal;
import io.github.discoveryzk.base.journal.Standing;
import io.github.discoveryzk.base.neighbour.Neighbours;
import io.github.discoveryzk.base.properties.PropertyCollection;
import io.github.discoveryzk.model.Reason;
import io.github.discoveryzk.model.ReasonCode;
import io.github.discoveryzk.report.AddedSection;
import io.github.discoveryzk.report.Concern;
import io.github.discoveryzk.report.ConnectorReport;
import io.github.discoveryzk.report.Health;
import io.github.discoveryzk.report.Health.Finding;
import io.github.discoveryzk.report.History;
import io.github.discoveryzk.report.InstanceNames;
import io.github.discoveryzk.report.Metric;
import io.github.discoveryzk.report.Startup;
import io.github.discoveryzk.report.TopologyReport;
import io.github.discoveryzk.report.TopologyReport.ExplainedState;
import io.github.discoveryzk.report.TopologyReport.Instances;
import io.github.discoveryzk.report.TopologyReport.Listener;
import io.github.discoveryzk.report.TopologyReport.Situation;
import io.github.discoveryzk.report.TopologyReport.Source;
import io.github.discoveryzk.report.TopologyReport.View;
import io.github.discoveryzk.spi.ClusterStore;
import io.github.discoveryzk.spi.SettlingPolicy;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Reports on an instance and its cluster. Futures are completed on the threads that call listeners. */
public final class Reporting extends StoreReadings {

    private final InstanceIdentity identity;
    private final TopologyEngine engine;
    private final Subscriptions subscriptions;
    private final PropertyCollection properties;
    private final Neighbours neighbours;
    private final MetricAssembly metrics;
    private final Supplier<SettlingPolicy> policy;
    private final Revision revision = new Revision();
    private volatile Supplier<List<Finding>> configurationProblems = List::of;
    private volatile AddedParts parts = new AddedParts(List::of);
    private volatile boolean started;
    private volatile Supplier<List<String>> connectorProblems = List::of;
    private volatile Supplier<ConnectorReport> connectors = () -> ConnectorReport.NONE;

    /** @param data returns the metrics of shared data */
    public Reporting(
            InstanceIdentity identity,
            ClusterStore store,
            TopologyEngine engine,
            Subscriptions subscriptions,
            PropertyCollection properties,
            Neighbours neighbours,
            Supplier<List<Metric>> data,
            Supplier<SettlingPolicy> policy,
            Execution execution) {
        super(store.inspector(), engine.journal(), execution);
        this.identity = identity;
        this.engine = engine;
        this.subscriptions = subscriptions;
        this.properties = properties;
        this.neighbours = neighbours;
        this.policy = policy;
        this.metrics = new MetricAssembly(engine, subscriptions, properties, data);
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
     * Sets what other bundles add.
     *
     * @param sections requested on any thread, for each report; must not block
     * @param before whether the container had started before this instance was made
     */
    public void describeParts(Supplier<List<AddedSection>> sections, boolean before) {
        parts = new AddedParts(sections);
        started |= before;
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
    public Startup startup() {
        // Before the parts are asked: a part may begin when the instance is settled.
        Standing standing = engine.journal().standing();
        Startup found = started ? Startup.OVER : parts.startup();
        if (found.stage() != Startup.Stage.STARTED || started) {
            return found;
        }
        started = standing.past().lastChange().isPresent();
        boolean founds = standing.status().reasons().stream().anyMatch(each -> each.code() == ReasonCode.FEW_INSTANCES);
        return started
                ? Startup.OVER
                : new Startup(founds ? Startup.Stage.FOUNDING : Startup.Stage.STARTING, report().sentence());
    }

    @Override
    public List<String> objections() {
        TopologyReport report = report();
        return Stream.concat(RestartOrder.objections(report, policy.get().minInstances()).stream(), parts.objections())
                .toList();
    }

    @Override
    public List<Restart> restartOrder() {
        readHistory();
        return RestartOrder.of(report(), parts.lateRestarts());
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
        boolean current = standing.name().isHolding() && engine.topology().isCurrent();
        ReportAssembly assembly = new ReportAssembly(
                standing,
                journal.departures(),
                new MemberStates(
                        standing,
                        journal.departures().departed(),
                        subscriptions.acting(),
                        acknowledgements.acknowledgements(standing)),
                identity.process().runtimeId(),
                current);
        long now = execution.time().wall().getAsLong();
        Instances instances = assembly.instances();
        ExplainedState status = explained(standing.status());
        Situation situation = new Situation(
                status,
                journal.session().connection(),
                standing.held().map(held -> new View(held.view(), current, standing.heldSinceMillis())),
                assembly.change(instances),
                standing.past().lastChange(),
                subscriptions.status().stream()
                        .map(each -> new Listener(each.name(), each.pending(), each.busyMillis()))
                        .toList(),
                inspector.access());
        ConnectorReport connected = connectors.get();
        History known = history.known();
        List<Finding> problems = problems(journal, assembly, instances, now).stream()
                .filter(each -> status.equals(standing.status()) || !Health.isReason(each, standing.status()))
                .toList();
        long number = revision.of(
                situation, instances, connected, List.of(standing.past().recent(), known, problems));
        return new TopologyReport(
                new Source(now, number, identity.instanceId(), journal.session().address()),
                situation,
                instances,
                connected,
                standing.past().recent(),
                known,
                problems);
    }

    /** What a part knows of the servers, in its container or others, is more precise than what a client finds. */
    private ExplainedState explained(ExplainedState status) {
        Optional<ReasonCode> code = status.reasons().stream()
                .map(Reason::code)
                .filter(each -> each == ReasonCode.CUT_OFF || each == ReasonCode.NOT_CONNECTED_YET)
                .findFirst();
        return code.flatMap(known -> parts.whyUnreachable()
                        .map(why -> new ExplainedState(
                                status.state(),
                                List.of(Reason.of(known, why)),
                                status.sinceMillis(),
                                status.countdown())))
                .orElse(status);
    }

    private List<Finding> problems(Journal journal, ReportAssembly assembly, Instances instances, long now) {
        InstanceNames names = journal.departures().names();
        List<Finding> ofParts = parts.findings().toList();
        boolean known = ofParts.stream().anyMatch(each -> each.concern() == Concern.SERVERS);
        return Stream.of(
                        configurationProblems.get().stream(),
                        ofParts.stream(),
                        Finding.warnings(Concern.SERVERS, known ? Stream.empty() : assembly.lostServers(instances)),
                        journal.problems(names).stream(),
                        Finding.warnings(Concern.PAYLOAD, properties.oversized().stream()),
                        Finding.warnings(Concern.OTHER, properties.problems().stream()),
                        Finding.warnings(Concern.OTHER, connectorProblems.get().stream()),
                        Finding.warnings(
                                Concern.OTHER,
                                neighbours.problems(journal.store()).stream()
                                        .filter(one -> journal.standing().isUsable())
                                        .map(one -> one.sentence(names::label))),
                        Finding.warnings(Concern.OTHER, assembly.missing(instances, now).stream()))
                .flatMap(each -> each)
                .toList();
    }

    @Override
    public List<Metric> metrics() {
        List<Metric> all = metrics.metrics(execution.time().wall().getAsLong());
        all.addAll(parts.metrics());
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
