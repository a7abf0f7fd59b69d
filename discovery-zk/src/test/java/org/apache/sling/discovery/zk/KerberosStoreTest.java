// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.zk;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.kerby.kerberos.kerb.server.SimpleKdcServer;
import org.apache.sling.discovery.testing.RecordingObserver;
import org.apache.sling.discovery.testing.Witness;
import org.apache.sling.discovery.testing.server.SecuredServer;
import org.apache.sling.discovery.testing.server.TcpProxy;
import org.apache.sling.discovery.zk.testing.OneServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/** Stores at a server that requires Kerberos, with a KDC in this process. */
@Isolated("The JVM has one configuration of Kerberos.")
class KerberosStoreTest extends OneServer {
    private static final String REALM = "TEST.REALM";
    private static final String CONFIGURATION = "java.security.krb5.conf";

    @TempDir
    private Path folder;

    private final SimpleKdcServer kdc = newKdc();
    private TcpProxy wayToKdc;
    private SecuredServer secured;
    private String before;

    private static SimpleKdcServer newKdc() {
        try {
            return new SimpleKdcServer();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    @BeforeEach
    void prepare() throws Exception {
        before = System.getProperty(CONFIGURATION);
        kdc.setWorkDir(folder.toFile());
        kdc.setKdcHost("127.0.0.1");
        kdc.setKdcRealm(REALM);
        kdc.setAllowUdp(false);
        try (ServerSocket free = new ServerSocket(0)) {
            kdc.setKdcTcpPort(free.getLocalPort());
        }
        kdc.init();
        kdc.start();
        wayToKdc = new TcpProxy(kdc.getKdcSetting().getKdcTcpPort());
        Path configuration = Files.writeString(
                folder.resolve("own-krb5.conf"),
                "[libdefaults]\n default_realm = " + REALM + "\n udp_preference_limit = 1\n kdc_timeout = 2000\n"
                        + " max_retries = 1\n[realms]\n " + REALM + " = {\n  kdc = " + wayToKdc.address() + "\n }\n");
        System.setProperty(CONFIGURATION, configuration.toString());
        String host = InetAddress.getByName("127.0.0.1").getCanonicalHostName();
        String service = "zookeeper/" + host + "@" + REALM;
        secured = new SecuredServer(folder, LONG.toMillis());
        secured.start(
                "Server { com.sun.security.auth.module.Krb5LoginModule required useKeyTab=true storeKey=true keyTab=\""
                        + keytab(service) + "\" principal=\"" + service + "\"; };",
                "authProvider.sasl=org.apache.zookeeper.server.auth.SASLAuthenticationProvider",
                "enforce.auth.enabled=true",
                "enforce.auth.schemes=sasl");
    }

    private Path keytab(String principal) throws Exception {
        File file = folder.resolve(principal.replaceAll("\\W", "-") + ".keytab").toFile();
        kdc.createPrincipals(principal);
        kdc.exportPrincipal(principal, file);
        return file.toPath();
    }

    @AfterEach
    void stop() throws Exception {
        secured.close();
        wayToKdc.close();
        kdc.stop();
        if (before == null) {
            System.clearProperty(CONFIGURATION);
        } else {
            System.setProperty(CONFIGURATION, before);
        }
    }

    @Test
    void instancesLogInAndSayWhyTheyCannot() throws Exception {
        Path right = keytab("app@" + REALM);
        Path wrong = keytab("other@" + REALM);
        Path used = Files.copy(wrong, folder.resolve("used.keytab"));
        ZooKeeperStoreConfig config = BackendSettings.of(Map.of(
                        "connectString", "127.0.0.1:" + secured.port(),
                        "kerberosPrincipal", "app@" + REALM,
                        "kerberosKeytab", used.toString()))
                .store();
        Witness first = witness("a", config);
        first.awaitTrouble("or the login failed: Kerberos principal app@" + REALM + " with the keytab " + used);
        assertThat(first.calls(RecordingObserver.Connected.class)).isEmpty();

        wayToKdc.loseAll();
        int port = wayToKdc.lastPort();
        Files.copy(right, used, StandardCopyOption.REPLACE_EXISTING);
        eventually(() -> wayToKdc.lastPort() != port);
        assertThat(first.calls(RecordingObserver.Connected.class)).isEmpty();

        wayToKdc.restore();
        first.awaitSnapshot(any -> true);
        List<Witness> all = Stream.concat(Stream.of(first), Stream.of("b", "c").map(id -> witness(id, config)))
                .toList();
        all.forEach(Witness::join);
        all.forEach(each -> each.awaitMembers(3));
        assertThat(first.troubles()).endsWith("");
    }
}
