// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.launcher;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Collections;
import java.util.Dictionary;
import java.util.Hashtable;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.felix.cm.file.FilePersistenceManager;
import org.osgi.framework.Constants;

/**
 * The configuration of discovery in a container that is not running, in the format of its configuration admin.
 */
final class DiscoveryConfiguration {

    static final String PID = "org.apache.sling.discovery.zk";
    static final String CONNECT_STRING = "connectString";
    static final String CLUSTER_NAME = "clusterName";
    static final String SESSION_TIMEOUT_MILLIS = "sessionTimeoutMillis";

    /** These are set by the command line only: those that it does not give are removed. */
    private static final Set<String> DECIDED = Set.of(CONNECT_STRING, CLUSTER_NAME, SESSION_TIMEOUT_MILLIS);

    static final String CONNECTORS_PID = "org.apache.sling.discovery.base.connectors";
    static final String CONNECTOR_URLS = "topologyConnectorUrls";

    private DiscoveryConfiguration() {}

    /**
     * Writes values into a folder of configurations and keeps all others that were set there, by the console for example.
     *
     * @param folder the folder of the configuration admin; created if missing
     * @param values the values to set
     * @throws IOException if the folder or the stored configuration cannot be read or written
     */
    static void write(Path folder, Map<String, ?> values) throws IOException {
        FilePersistenceManager store = open(folder);
        store.store(PID, merge(store.exists(PID) ? load(store, PID) : new Hashtable<>(), values));
    }

    /**
     * Configures the topology connectors, and keeps all other settings of theirs.
     *
     * @param folder the folder of the configuration admin; created if missing
     * @param urls the connectors to open; may be empty
     * @throws IOException if the folder or the stored configuration cannot be read or written
     */
    static void writeConnectors(Path folder, List<String> urls) throws IOException {
        FilePersistenceManager store = open(folder);
        Dictionary<String, Object> values =
                store.exists(CONNECTORS_PID) ? load(store, CONNECTORS_PID) : new Hashtable<>();
        values.put(CONNECTOR_URLS, urls.toArray(String[]::new));
        values.put(Constants.SERVICE_PID, CONNECTORS_PID);
        store.store(CONNECTORS_PID, values);
    }

    private static FilePersistenceManager open(Path folder) throws IOException {
        try {
            return new FilePersistenceManager(folder.toString());
        } catch (IllegalArgumentException e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    /** Returns the configuration to store, given the stored one. */
    static Dictionary<String, Object> merge(Dictionary<String, Object> stored, Map<String, ?> values) {
        Dictionary<String, Object> merged = new Hashtable<>();
        Collections.list(stored.keys()).stream()
                .filter(key -> !DECIDED.contains(key))
                .forEach(key -> merged.put(key, stored.get(key)));
        values.forEach(merged::put);
        merged.put(Constants.SERVICE_PID, PID);
        return merged;
    }

    @SuppressWarnings("unchecked")
    private static Dictionary<String, Object> load(FilePersistenceManager store, String pid) throws IOException {
        return store.load(pid);
    }
}
