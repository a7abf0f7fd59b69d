// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.zk.security;

import org.apache.sling.discovery.zk.security.Security.Store;
import org.apache.sling.discovery.zk.security.Security.Tls;
import org.apache.zookeeper.client.ZKClientConfig;

/** Sets ZooKeeper's options for TLS for one client, which reads the files at each attempt to connect. */
final class TlsOptions {
    private TlsOptions() {}

    static ZKClientConfig of(Tls tls) {
        ZKClientConfig client = new ZKClientConfig();
        set(client, tls);
        return client;
    }

    static void set(ZKClientConfig client, Tls tls) {
        client.setProperty(ZKClientConfig.SECURE_CLIENT, "true");
        // Only this one knows TLS. It is named because its class may not be loaded without TLS.
        client.setProperty(ZKClientConfig.ZOOKEEPER_CLIENT_CNXN_SOCKET, "org.apache.zookeeper.ClientCnxnSocketNetty");
        set(client, "keyStore.", tls.keyStore());
        set(client, "trustStore.", tls.trustStore());
        set(client, "hostnameVerification", String.valueOf(tls.hostnameVerification()));
        set(client, "enabledProtocols", tls.enabledProtocols());
        set(client, "ciphersuites", tls.ciphersuites());
    }

    private static void set(ZKClientConfig client, String prefix, Store store) {
        set(client, prefix + "location", store.location());
        set(client, prefix + "password", store.password().value());
        set(client, prefix + "passwordPath", store.password().path());
        set(client, prefix + "type", store.type());
    }

    private static void set(ZKClientConfig client, String name, String value) {
        if (!value.isEmpty()) {
            client.setProperty("zookeeper.ssl." + name, value);
        }
    }
}
