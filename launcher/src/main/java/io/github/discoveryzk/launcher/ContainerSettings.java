// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.launcher;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * How to start a container. Immutable; no component and no element of one is null.
 *
 * @param directory its folder, which is its working directory and keeps its state and log; created if missing; its
 *     last name is the name of the instance
 * @param httpPort the port of its console
 * @param discovery values of the configuration {@code io.github.discoveryzk.zk}, by name
 * @param instance values of the configuration {@code io.github.discoveryzk.base}, by name
 * @param frameworkProperties framework properties, which win over those of the launcher
 * @param addedBundles bundles to start in addition to those of the distribution
 * @param connectors the topology connectors that it opens, each as in the configuration; empty to accept only those of others on this
 *     machine. Without a value its connectors stay as they were configured before, which is off at first
 * @param server values of the configuration {@code io.github.discoveryzk.zk.server}, by name; empty for a container without
 */
public record ContainerSettings(
        Path directory,
        int httpPort,
        Map<String, Object> discovery,
        Map<String, Object> instance,
        Map<String, String> frameworkProperties,
        List<Path> addedBundles,
        Optional<List<String>> connectors,
        Map<String, Object> server) {

    /** Makes settings; the folder is made absolute. */
    public ContainerSettings {
        directory = directory.toAbsolutePath().normalize();
        discovery = Map.copyOf(discovery);
        instance = Map.copyOf(instance);
        frameworkProperties = Map.copyOf(frameworkProperties);
        addedBundles = List.copyOf(addedBundles);
        connectors = connectors.map(List::copyOf);
        server = Map.copyOf(server);
    }

    /** Returns settings with the required values only. */
    public static ContainerSettings of(Path directory, int httpPort, String connectString) {
        return new ContainerSettings(
                directory,
                httpPort,
                Map.of(DiscoveryConfiguration.CONNECT_STRING, connectString),
                Map.of(),
                Map.of(),
                List.of(),
                Optional.empty(),
                Map.of());
    }

    /** Returns these settings with a value of the discovery configuration. */
    public ContainerSettings withDiscovery(String name, Object value) {
        Map<String, Object> values = new HashMap<>(discovery);
        values.put(name, value);
        return new ContainerSettings(
                directory, httpPort, values, instance, frameworkProperties, addedBundles, connectors, server);
    }

    /** Returns these settings with a value of the configuration of the instance. */
    public ContainerSettings withInstance(String name, Object value) {
        Map<String, Object> values = new HashMap<>(instance);
        values.put(name, value);
        return new ContainerSettings(
                directory, httpPort, discovery, values, frameworkProperties, addedBundles, connectors, server);
    }

    /** Returns these settings with a framework property. */
    public ContainerSettings withFrameworkProperty(String name, String value) {
        Map<String, String> properties = new HashMap<>(frameworkProperties);
        properties.put(name, value);
        return new ContainerSettings(
                directory, httpPort, discovery, instance, properties, addedBundles, connectors, server);
    }

    /** Returns these settings with a further bundle. */
    public ContainerSettings withBundle(Path jar) {
        List<Path> jars = new ArrayList<>(addedBundles);
        jars.add(jar);
        return new ContainerSettings(
                directory, httpPort, discovery, instance, frameworkProperties, jars, connectors, server);
    }

    /** Returns these settings with topology connectors. */
    public ContainerSettings withConnectors(List<String> urls) {
        return new ContainerSettings(
                directory, httpPort, discovery, instance, frameworkProperties, addedBundles, Optional.of(urls), server);
    }

    /** Returns these settings with a ZooKeeper server in the container. */
    public ContainerSettings withServer(Map<String, Object> values) {
        return new ContainerSettings(
                directory, httpPort, discovery, instance, frameworkProperties, addedBundles, connectors, values);
    }

    /** Returns the name of the instance. */
    public String name() {
        return directory.getFileName().toString();
    }
}
