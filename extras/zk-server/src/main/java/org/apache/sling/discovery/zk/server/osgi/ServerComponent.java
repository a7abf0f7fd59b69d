// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.zk.server.osgi;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.sling.discovery.commons.report.AddedSection;
import org.apache.sling.discovery.zk.server.ensemble.OwnServer;
import org.apache.sling.discovery.zk.server.ensemble.Servers;
import org.osgi.framework.BundleContext;
import org.osgi.framework.Constants;
import org.osgi.service.cm.ConfigurationAdmin;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.ConfigurationPolicy;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.metatype.annotations.Designate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The server of this container, as long as it is configured. A list that cannot be used is reported, and starts no server. Another
 * list restarts the server.
 */
@Component(immediate = true, configurationPid = ServerComponent.PID, configurationPolicy = ConfigurationPolicy.REQUIRE)
@Designate(ocd = ServerConfig.class)
public final class ServerComponent implements AddedSection {
    static final String PID = "org.apache.sling.discovery.zk.server";

    private static final Logger LOG = LoggerFactory.getLogger(ServerComponent.class);

    private final AddedSection section;
    private final Optional<Running> running;

    /** What runs as long as the component is active. */
    private record Running(OwnServer server, ConnectStringConfiguration connectString, CleanLeave leave) {
        private void close() {
            leave.close();
            connectString.close();
            server.close();
        }
    }

    @Activate
    public ServerComponent(
            BundleContext context, Map<String, Object> configuration, @Reference ConfigurationAdmin configurations) {
        Path folder = folder(context, Objects.toString(configuration.get("folder"), ""));
        Optional<Running> started = Optional.empty();
        String problem = "";
        try {
            started = Optional.of(
                    run(Servers.parse(text(configuration.get("servers"))), folder, context, configurations));
        } catch (IllegalArgumentException e) {
            problem = "The list 'servers' in the configuration " + PID + " cannot be used: " + e.getMessage() + ".";
            LOG.warn(problem);
        }
        Content without = new Content(
                "ZooKeeper servers in the containers",
                List.of("This container starts no server.", problem),
                List.of(),
                List.of());
        running = started;
        section = started.<AddedSection>map(Running::server).orElse(() -> without);
    }

    private static Running run(Servers servers, Path folder, BundleContext context, ConfigurationAdmin configurations) {
        OwnServer server = new OwnServer(servers, folder);
        server.start();
        return new Running(
                server,
                new ConnectStringConfiguration(context, configurations, servers.connectString()),
                new CleanLeave(context));
    }

    private static String text(Object servers) {
        return servers instanceof Object[] parts
                ? Arrays.stream(parts).map(String::valueOf).collect(Collectors.joining(","))
                : Objects.toString(servers, "");
    }

    /** Returns a folder that outlives the bundle: an update that installs another bundle keeps the data. */
    private static Path folder(BundleContext context, String configured) {
        if (!configured.isBlank()) {
            return Path.of(configured.trim()).toAbsolutePath();
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

    @Override
    public Content content() {
        return section.content();
    }
}
