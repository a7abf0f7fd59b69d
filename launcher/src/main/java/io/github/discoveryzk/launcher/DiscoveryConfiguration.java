// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.launcher;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Dictionary;
import java.util.Hashtable;
import java.util.Map;
import java.util.Set;
import org.apache.felix.cm.file.FilePersistenceManager;
import org.osgi.framework.Constants;

/**
 * The configuration of discovery in a container that is not running, in the format of its configuration admin.
 */
final class DiscoveryConfiguration {

    static final String PID = "io.github.discoveryzk.zk";
    static final String CONNECT_STRING = "connectString";
    static final String CLUSTER_NAME = "clusterName";
    static final String SESSION_TIMEOUT_MILLIS = "sessionTimeoutMillis";

    /** These are set by the command line only: those that it does not give are removed. */
    private static final Set<String> DECIDED = Set.of(CONNECT_STRING, CLUSTER_NAME, SESSION_TIMEOUT_MILLIS);

    static final String INSTANCE_PID = "io.github.discoveryzk.base";

    static final String CONNECTORS_PID = "io.github.discoveryzk.connectors";
    static final String CONNECTOR_URLS = "topologyConnectorUrls";

    static final String SERVER_PID = "io.github.discoveryzk.zk.server";
    static final String SERVERS = "servers";
    static final String SERVER_FOLDER = "folder";

    private DiscoveryConfiguration() {}

    /**
     * Writes values into a folder of configurations and keeps all others that were set there, by the console for example.
     *
     * @param folder the folder of the configuration admin; created if missing
     * @param settings the settings of the container
     * @throws IOException if the folder or the stored configuration cannot be read or written
     */
    static void write(Path folder, ContainerSettings settings) throws IOException {
        write(folder, PID, DECIDED, settings.discovery());
        if (!settings.instance().isEmpty()) {
            write(folder, INSTANCE_PID, Set.of(), settings.instance());
        }
        if (settings.connectors().isPresent()) {
            String[] urls = settings.connectors().get().toArray(String[]::new);
            write(folder, CONNECTORS_PID, Set.of(), Map.of(CONNECTOR_URLS, urls));
        }
        if (settings.server().isEmpty()) {
            store(folder).delete(SERVER_PID);
        } else {
            write(folder, SERVER_PID, Set.of(SERVER_FOLDER), settings.server());
        }
    }

    private static FilePersistenceManager store(Path folder) throws IOException {
        try {
            return new FilePersistenceManager(folder.toString());
        } catch (IllegalArgumentException e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    @SuppressWarnings("unchecked")
    private static void write(Path folder, String pid, Set<String> removed, Map<String, ?> values) throws IOException {
        FilePersistenceManager store = store(folder);
        Dictionary<String, Object> stored = store.exists(pid) ? store.load(pid) : new Hashtable<>();
        removed.forEach(stored::remove);
        values.forEach(stored::put);
        stored.put(Constants.SERVICE_PID, pid);
        store.store(pid, stored);
    }
}
