// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.slingpeer;

import java.net.URL;
import java.util.List;
import javax.json.JsonArray;
import javax.json.JsonObject;
import javax.json.JsonString;
import org.apache.sling.discovery.base.connectors.BaseConfig;

/** The configuration that discovery.oak would read; the names of the values are those of its component. */
final class PeerConfig implements BaseConfig {

    private final JsonObject values;

    PeerConfig(JsonObject values) {
        this.values = values;
    }

    /** Returns the id of the cluster. */
    String clusterId() {
        return values.getString("clusterId");
    }

    /** Returns the path of the servlet context; empty for the root. */
    String contextPath() {
        return values.getString("contextPath", "");
    }

    /** Returns the charset that the server assumes for a body that names none; empty for the one of the server. */
    String assumedCharset() {
        return values.getString("assumedCharset", "");
    }

    @Override
    public int getSocketConnectTimeout() {
        return values.getInt("socketConnectTimeout", 10);
    }

    @Override
    public int getSoTimeout() {
        return values.getInt("soTimeout", 10);
    }

    @Override
    public URL[] getTopologyConnectorURLs() {
        return new URL[0];
    }

    @Override
    public String[] getTopologyConnectorWhitelist() {
        JsonArray entries = values.getJsonArray("topologyConnectorWhitelist");
        return entries == null
                ? new String[] {"localhost", "127.0.0.1"}
                : List.copyOf(entries.getValuesAs(JsonString.class)).stream()
                        .map(JsonString::getString)
                        .toArray(String[]::new);
    }

    @Override
    public String getClusterInstancesPath() {
        return "/var/discovery/oak/clusterInstances";
    }

    @Override
    public boolean isHmacEnabled() {
        return values.getBoolean("hmacEnabled", false);
    }

    @Override
    public String getSharedKey() {
        return values.getString("sharedKey", "");
    }

    @Override
    public long getKeyInterval() {
        return values.getInt("hmacSharedKeyTTL", 14_400_000);
    }

    @Override
    public boolean isEncryptionEnabled() {
        return values.getBoolean("enableEncryption", false);
    }

    @Override
    public boolean isGzipConnectorRequestsEnabled() {
        return values.getBoolean("gzipConnectorRequestsEnabled", false);
    }

    @Override
    public boolean isAutoStopLocalLoopEnabled() {
        return values.getBoolean("autoStopLocalLoopEnabled", false);
    }

    @Override
    public int getBackoffStandbyFactor() {
        return values.getInt("backoffStandbyFactor", 5);
    }

    @Override
    public int getBackoffStableFactor() {
        return values.getInt("backoffStableFactor", 5);
    }

    @Override
    public long getBackoffStandbyInterval() {
        int factor = getBackoffStandbyFactor();
        return factor > 1 ? factor * getConnectorPingInterval() : -1;
    }

    @Override
    public long getConnectorPingInterval() {
        return values.getInt("connectorPingInterval", 30);
    }

    @Override
    public long getConnectorPingTimeout() {
        return values.getInt("connectorPingTimeout", 120);
    }

    @Override
    public int getMinEventDelay() {
        return 0;
    }
}
