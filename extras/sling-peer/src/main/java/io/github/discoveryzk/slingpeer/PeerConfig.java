// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.slingpeer;

import java.lang.reflect.Proxy;
import java.net.URL;
import java.util.List;
import java.util.Map;
import org.apache.sling.discovery.base.connectors.BaseConfig;

/** The configuration that discovery.oak would read; the names of the values are those of its component. */
final class PeerConfig {

    /** The name and the default of each value, by the method that returns it. */
    private static final Map<String, Map.Entry<String, ?>> VALUES = Map.ofEntries(
            Map.entry("getSocketConnectTimeout", Map.entry("socketConnectTimeout", 10)),
            Map.entry("getSoTimeout", Map.entry("soTimeout", 10)),
            Map.entry(
                    "getTopologyConnectorWhitelist",
                    Map.entry("topologyConnectorWhitelist", List.of("localhost", "127.0.0.1"))),
            Map.entry("getClusterInstancesPath", Map.entry("path", "/var/discovery/oak/clusterInstances")),
            Map.entry("getMinEventDelay", Map.entry("minEventDelay", 0)),
            Map.entry("isHmacEnabled", Map.entry("hmacEnabled", false)),
            Map.entry("getSharedKey", Map.entry("sharedKey", "")),
            Map.entry("getKeyInterval", Map.entry("hmacSharedKeyTTL", 14_400_000)),
            Map.entry("isEncryptionEnabled", Map.entry("enableEncryption", false)),
            Map.entry("isGzipConnectorRequestsEnabled", Map.entry("gzipConnectorRequestsEnabled", false)),
            Map.entry("isAutoStopLocalLoopEnabled", Map.entry("autoStopLocalLoopEnabled", false)),
            Map.entry("getBackoffStandbyFactor", Map.entry("backoffStandbyFactor", 5)),
            Map.entry("getBackoffStableFactor", Map.entry("backoffStableFactor", 5)),
            Map.entry("getConnectorPingInterval", Map.entry("connectorPingInterval", 30)),
            Map.entry("getConnectorPingTimeout", Map.entry("connectorPingTimeout", 120)));

    private PeerConfig() {}

    /** Returns what Sling's classes read of these values. */
    static BaseConfig of(Map<String, ?> values) {
        return (BaseConfig) Proxy.newProxyInstance(
                PeerConfig.class.getClassLoader(), new Class<?>[] {BaseConfig.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("getBackoffStandbyInterval")) {
                        long factor = (Integer) value(values, "getBackoffStandbyFactor");
                        return factor > 1 ? factor * (Integer) value(values, "getConnectorPingInterval") : -1L;
                    }
                    if (method.getReturnType() == URL[].class) {
                        return new URL[0];
                    }
                    Object value = value(values, method.getName());
                    if (value instanceof List<?> list) {
                        return list.toArray(String[]::new);
                    }
                    return method.getReturnType() == long.class ? ((Number) value).longValue() : value;
                });
    }

    private static Object value(Map<String, ?> values, String method) {
        Map.Entry<String, ?> entry = VALUES.get(method);
        if (entry == null) {
            throw new UnsupportedOperationException(method);
        }
        Object value = values.get(entry.getKey());
        return value == null ? entry.getValue() : value;
    }
}
