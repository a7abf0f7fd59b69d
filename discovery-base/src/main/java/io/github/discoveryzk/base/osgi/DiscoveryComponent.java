// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.base.osgi;

import io.github.discoveryzk.base.DiscoveryInstance;
import io.github.discoveryzk.base.environment.Execution;
import io.github.discoveryzk.base.environment.InstanceIdentity;
import io.github.discoveryzk.base.environment.Time;
import io.github.discoveryzk.data.SharedData;
import io.github.discoveryzk.model.ForeignText;
import io.github.discoveryzk.report.AddedSection;
import io.github.discoveryzk.report.Concern;
import io.github.discoveryzk.report.DifferentSettings;
import io.github.discoveryzk.report.Health.Finding;
import io.github.discoveryzk.report.Health.Severity;
import io.github.discoveryzk.spi.ClusterBackend;
import io.github.discoveryzk.spi.LocalInstance;
import io.github.discoveryzk.spi.SettlingPolicy;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.apache.sling.discovery.DiscoveryService;
import org.apache.sling.discovery.TopologyView;
import org.osgi.framework.BundleContext;
import org.osgi.framework.ServiceRegistration;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.ConfigurationPolicy;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Modified;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferencePolicy;
import org.osgi.service.component.annotations.ReferencePolicyOption;
import org.osgi.service.metatype.annotations.Designate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The discovery service of this container: an instance in the cluster of the back end, with the listeners and property
 * providers of the service registry. Active as long as the back end is registered; {@link WhiteboardComponent} starts it.
 */
@Component(
        // The last one is for components of this bundle; others do not know it.
        service = {DiscoveryService.class, DiscoveryComponent.class},
        immediate = true,
        configurationPid = DiscoverySettings.PID,
        configurationPolicy = ConfigurationPolicy.OPTIONAL)
@Designate(ocd = DiscoveryConfig.class)
public final class DiscoveryComponent implements DiscoveryService {

    private static final Logger LOG = LoggerFactory.getLogger(DiscoveryComponent.class);

    /** What is open. Felix SCR drops an object that it creates while the back end goes, and does not deactivate it; the next one closes that. */
    private static final AtomicReference<DiscoveryComponent> OPEN = new AtomicReference<>();

    /** Whether listeners of this process have received an INIT, perhaps of an earlier discovery service. */
    private static volatile boolean initialized;

    private final Execution execution;
    private final RunLock runLock;
    private final DiscoveryInstance instance;
    private final List<SettledService> services;
    private final Consumers consumers;
    private final OtherDiscoveryServices others;
    private final List<ServiceRegistration<?>> offered;
    private final Monitoring monitoring;
    private final int sessionTimeoutMillis;
    private volatile DiscoverySettings settings;

    @Reference(policy = ReferencePolicy.DYNAMIC, policyOption = ReferencePolicyOption.GREEDY)
    private volatile List<AddedSection> added = List.of();

    private volatile List<String> differences = List.of();

    @Activate
    public DiscoveryComponent(
            BundleContext context, @Reference(policyOption = ReferencePolicyOption.GREEDY) ClusterBackend backend) {
        Optional.ofNullable(OPEN.getAndSet(null)).ifPresent(DiscoveryComponent::close);
        sessionTimeoutMillis = backend.sessionTimeoutMillis();
        settings = DiscoverySettings.of(Map.of(), sessionTimeoutMillis);
        String id = new InstanceIdSource(context).instanceId();
        execution = Execution.ofThreads(id);
        InstanceIdentity identity = InstanceIdentity.ofThisProcess(id, Time.SYSTEM);
        runLock = RunLock.acquire(
                context.getDataFile("run").toPath(), identity.process().runtimeId());
        instance = DiscoveryInstance.ofThisContainer(
                runLock.predecessor().map(identity::after).orElse(identity),
                backend.newStore(),
                this::policy,
                execution);
        others = new OtherDiscoveryServices(context);
        instance.describe(backend.address(), () -> Stream.of(
                        others.problems().stream()
                                .map(each -> new Finding(Concern.SECOND_SERVICE, Severity.CRITICAL, each)),
                        Finding.warnings(
                                Concern.OTHER,
                                Stream.of(settings.problems(), backend.problems())
                                        .flatMap(List::stream)))
                .flatMap(each -> each)
                .toList());
        instance.describeParts(() -> added, HealthChecks.hasStarted());
        // An event comes before reports have its view.
        instance.addOwnClusterListener(
                event -> execution.decisions().schedule(this::warnOfDifferences, 1, TimeUnit.SECONDS),
                () -> "comparison of settings");
        services = SettledService.all(context);
        services.forEach(each -> instance.addOwnClusterListener(each, each::name));
        consumers = new Consumers(context, instance);
        monitoring = new Monitoring(context, id, instance.reporter(), instance.operator());
        offered = List.of(
                context.registerService(LocalInstance.class, instance.local(), null),
                context.registerService(SharedData.class, instance.data(), null),
                context.registerService(AddedSection.class, instance.dataSection(), null));
        OPEN.set(this);
    }

    /** Logs each difference between members when it appears. Called by the thread of decisions. */
    private void warnOfDifferences() {
        List<String> found = DifferentSettings.of(instance.reporter().report()).toList();
        found.stream()
                .filter(each -> !differences.contains(each))
                .map(ForeignText::line)
                .forEach(LOG::warn);
        differences = found;
    }

    private SettlingPolicy policy() {
        initialized = initialized || getTopology().isCurrent();
        return initialized ? settings.policy().withMinInstances(1) : settings.policy();
    }

    /** Takes the listeners and providers, and joins the cluster. Called once this service is active; a repeated call does nothing. */
    void start() {
        consumers.open();
        instance.start();
    }

    /** Applies the settings; none of them makes the instance leave its cluster. */
    @Activate
    @Modified
    void configure(Map<String, Object> configuration) {
        settings = DiscoverySettings.of(configuration, sessionTimeoutMillis);
        settings.problems().forEach(LOG::warn);
        instance.refreshPropertiesEvery(settings.propertyRefresh());
        instance.listenForNeighbours(settings.neighbourPort(), settings.neighbourAddress(), settings.refusalIsProof());
    }

    @Deactivate
    void deactivate() {
        if (OPEN.compareAndSet(this, null)) {
            close();
        }
    }

    private void close() {
        withdraw();
        monitoring.close();
        others.close();
        instance.close();
        services.forEach(SettledService::close);
        execution.close();
        runLock.release();
        consumers.close();
    }

    /** Connectors and users of shared data end, as long as the instance still has its session. */
    private void withdraw() {
        try {
            offered.forEach(ServiceRegistration::unregister);
        } catch (IllegalStateException e) {
            LOG.debug("The bundle has stopped", e);
        }
    }

    @Override
    public TopologyView getTopology() {
        return instance.getTopology();
    }
}
