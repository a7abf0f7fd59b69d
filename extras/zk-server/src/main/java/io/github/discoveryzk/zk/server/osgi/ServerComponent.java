// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.zk.server.osgi;

import io.github.discoveryzk.model.ReasonCode;
import io.github.discoveryzk.report.AddedSection;
import io.github.discoveryzk.report.Concern;
import io.github.discoveryzk.report.Health.Finding;
import io.github.discoveryzk.report.Reporter;
import io.github.discoveryzk.report.Startup;
import io.github.discoveryzk.report.TopologyReport.Cluster;
import io.github.discoveryzk.report.TopologyReport.Instance;
import io.github.discoveryzk.spi.ConfigurationReader;
import io.github.discoveryzk.zk.server.ensemble.OwnServer;
import io.github.discoveryzk.zk.server.ensemble.Servers;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.sling.discovery.PropertyProvider;
import org.osgi.framework.BundleContext;
import org.osgi.framework.Constants;
import org.osgi.service.cm.ConfigurationAdmin;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.ConfigurationPolicy;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Modified;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicy;
import org.osgi.service.metatype.annotations.Designate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The server of this container, as long as it is configured. A list that cannot be used is reported, and neither starts a server nor
 * ends one. Another list restarts the server, after discovery has left.
 */
@Component(
        immediate = true,
        property = PropertyProvider.PROPERTY_PROPERTIES + "=" + ServerComponent.PID,
        configurationPid = ServerComponent.PID,
        configurationPolicy = ConfigurationPolicy.REQUIRE)
@Designate(ocd = ServerConfig.class)
public final class ServerComponent implements AddedSection, PropertyProvider {
    static final String PID = Instance.SERVER_PROPERTY;

    /** A container that stops ends its server up to 7 s after its instance has left, and answers are up to 6 s old. */
    private static final long STOP_MILLIS = 15_000;

    /** How an instance leaves whose process ends. */
    private static final Set<ReasonCode> ENDED = EnumSet.of(
            ReasonCode.STOPPED, ReasonCode.DIED, ReasonCode.DIED_BY, ReasonCode.CRASHED, ReasonCode.CRASHED_BY);

    private static final Logger LOG = LoggerFactory.getLogger(ServerComponent.class);

    private final BundleContext context;
    private final ConfigurationAdmin configurations;

    @Reference(cardinality = ReferenceCardinality.OPTIONAL, policy = ReferencePolicy.DYNAMIC)
    private volatile Reporter reporter;

    private volatile Optional<Running> running = Optional.empty();
    private volatile List<String> problems = List.of();
    private volatile Map<String, String> names = Map.of();

    /** What runs as long as the component is active. */
    private record Running(
            Servers servers,
            Path folder,
            OwnServer server,
            ConnectStringConfiguration connectString,
            CleanLeave leave) {
        private void close() {
            leave.close();
            connectString.close();
            server.close();
        }
    }

    @Activate
    public ServerComponent(
            BundleContext context, Map<String, Object> configuration, @Reference ConfigurationAdmin configurations) {
        this.context = context;
        this.configurations = configurations;
        configure(configuration);
    }

    @Modified
    void configure(Map<String, Object> configuration) {
        ConfigurationReader reader = new ConfigurationReader(PID, ServerConfig.class, configuration);
        List<String> found = new ArrayList<>();
        try {
            Path folder = folder(context, reader.text("folder"));
            Servers servers = Servers.parse(reader.text("servers"));
            if (running.isEmpty()) {
                run(servers, folder);
            } else if (!running.get().servers().equals(servers)
                    || !running.get().folder().equals(folder)) {
                OwnServer.check(servers, folder);
                running.get().leave().during(() -> {
                    running.get().close();
                    // Before the clients start, which read it.
                    run(servers, folder).accept();
                });
            }
        } catch (IllegalArgumentException | IOException e) {
            found.add("The list 'servers' in the configuration " + PID + " cannot be used: " + e.getMessage() + ".");
        }
        found.addAll(reader.problems());
        problems = found;
        problems.forEach(LOG::warn);
    }

    private ConnectStringConfiguration run(Servers servers, Path folder) {
        ConnectStringConfiguration connectString =
                new ConnectStringConfiguration(context, configurations, servers.connectString());
        OwnServer server = new OwnServer(servers, folder, connectString::accept);
        server.start();
        running = Optional.of(new Running(servers, folder, server, connectString, new CleanLeave(context)));
        return connectString;
    }

    /** Returns a folder that outlives the bundle: an update that installs another bundle keeps the data. */
    private static Path folder(BundleContext context, String configured) {
        if (!configured.isEmpty()) {
            return Path.of(configured).toAbsolutePath();
        }
        return Stream.of("sling.home", "karaf.data")
                .map(context::getProperty)
                .filter(home -> home != null && !home.isBlank())
                .findFirst()
                .map(Path::of)
                .orElseGet(() -> context.getBundle(Constants.SYSTEM_BUNDLE_LOCATION)
                        .getBundleContext()
                        .getDataFile("")
                        .toPath())
                .resolve("discovery-zk-server")
                .toAbsolutePath();
    }

    @Deactivate
    public void deactivate() {
        running.ifPresent(Running::close);
    }

    /** Each instance publishes the address of its server, so that the pages of all containers name it. */
    @Override
    public String getProperty(String name) {
        return running.flatMap(each -> each.server().address()).orElse(null);
    }

    /** Returns what a function says of the instances, by the addresses of the servers in their containers. */
    private Map<String, String> instances(Function<Instance, String> name) {
        return Optional.ofNullable(reporter).map(Reporter::report).stream()
                .flatMap(report -> Stream.concat(
                        report.clusters().stream().filter(Cluster::local).flatMap(each -> each.instances().stream()),
                        report.recentlyLeft().stream()))
                .filter(each -> each.properties().containsKey(PID))
                .collect(Collectors.toMap(each -> each.properties().get(PID), name, (one, other) -> one));
    }

    /** A report asks for what names servers, so it has the names of before. */
    private String named(String address) {
        return Optional.ofNullable(names.get(address))
                .map(name -> name + " (" + address + ")")
                .orElse(address);
    }

    private String label(Instance instance) {
        return reporter.report().names().label(instance.id());
    }

    @Override
    public Startup startup() {
        Optional<String> unusable = problems.stream().findFirst();
        return running.map(each -> each.server().startup())
                .orElseGet(() -> unusable.map(each -> new Startup(Startup.Stage.STARTING, each))
                        .orElse(Startup.OVER));
    }

    @Override
    public List<String> objections() {
        names = instances(this::label);
        return running.flatMap(each -> each.server().objection(this::named, leaving())).stream()
                .toList();
    }

    /** Returns the addresses of the servers in containers that have just ended or are about to: a stop ends the server last. */
    private Set<String> leaving() {
        return Optional.ofNullable(reporter).map(Reporter::report).stream()
                .flatMap(report -> report.recentlyLeft().stream()
                        .filter(each -> each.status().why().stream().anyMatch(why -> ENDED.contains(why.code())))
                        .filter(each -> each.status().sinceMillis().orElse(0) > report.generatedMillis() - STOP_MILLIS))
                .flatMap(each -> Optional.ofNullable(each.properties().get(PID)).stream())
                .collect(Collectors.toSet());
    }

    @Override
    public Map<String, String> lateRestarts() {
        return byInstance(each -> each.server().late());
    }

    @Override
    public List<Finding> findings() {
        Stream<String> ofServer = running.stream().flatMap(each -> each.server().problems(this::named));
        return Finding.warnings(Concern.SERVERS, Stream.concat(problems.stream(), ofServer))
                .toList();
    }

    @Override
    public Optional<String> whyUnreachable() {
        return running.flatMap(each -> each.server().whyUnreachable(this::named));
    }

    @Override
    public Map<String, String> roles() {
        return byInstance(each -> each.server().states());
    }

    /** Returns what is known of servers by address, by the instances of their containers. */
    private Map<String, String> byInstance(Function<Running, Map<String, String>> known) {
        Map<String, String> byAddress = instances(Instance::id);
        Map<String, String> found = new TreeMap<>();
        running.map(known).orElse(Map.of()).forEach((address, text) -> Optional.ofNullable(byAddress.get(address))
                .ifPresent(id -> found.put(id, text)));
        return found;
    }

    @Override
    public Content content() {
        return running.map(each -> each.server().content(instances(this::label)))
                .orElseGet(() -> new Content(
                        "Servers",
                        Stream.concat(Stream.of("This container starts no server."), problems.stream())
                                .toList(),
                        List.of(),
                        List.of()));
    }
}
