// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.it.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.apache.sling.discovery.it.outside.Limit;
import org.apache.sling.discovery.testing.server.Certificates;
import org.apache.sling.discovery.testing.server.Kdc;
import org.apache.sling.discovery.testing.server.SecuredServer;
import org.apache.sling.discovery.zk.ZooKeeperStoreConfig;
import org.apache.sling.discovery.zk.client.Access;
import org.apache.sling.discovery.zk.security.Security;
import org.apache.sling.discovery.zk.security.Security.Login;
import org.apache.sling.discovery.zk.security.Security.Secret;
import org.apache.sling.discovery.zk.security.Security.Store;
import org.apache.sling.discovery.zk.security.Security.Tls;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Three instances settle at a server that requires them to authenticate, and their nodes are those of the creator. */
class SecuredClusterIT {
    @TempDir
    private Path folder;

    private SecuredServer server;

    @BeforeEach
    void prepare() throws Exception {
        server = new SecuredServer(folder, Limit.millis());
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private static Secret secret(String value) {
        return new Secret(value, "");
    }

    private static Security login(
            String scheme, String data, String principal, String keytab, String user, String password) {
        return new Security(
                new Login(scheme, secret(data), "", principal, keytab, user, secret(password)), Optional.empty());
    }

    private void assertThreeSettle(Security security, String identity) {
        ZooKeeperStoreConfig config = ZooKeeperStoreConfig.of("127.0.0.1:" + server.port())
                .withSessionTimeout(PlainInstance.SESSION_MILLIS)
                .withSecurity(security)
                .withAccess(Access.of(List.of("creator"), List.of()));
        try (Instances instances = new Instances(id -> new PlainInstance(id, config))) {
            instances.startAll("a", "b", "c");
            instances.awaitSettled();
            Limit.awaitThat("compared", () -> instances.all().stream()
                    .allMatch(each -> each.report().situation().access().isPresent()));
            assertThat(instances.all()).allSatisfy(each -> assertThat(
                            each.report().situation().access().orElseThrow())
                    .returns(0, access -> access.differing())
                    .satisfies(access -> assertThat(access.identity()).contains(identity)));
        }
    }

    @Test
    void withDigest() throws Exception {
        server.start("", "enforce.auth.enabled=true", "enforce.auth.schemes=digest");
        assertThreeSettle(login("digest", "app:secret", "", "", "", ""), "digest:app");
    }

    @Test
    @Tag("thorough")
    void withSaslAndDigestMd5() throws Exception {
        server.startWithSasl("secret");
        assertThreeSettle(login("", "", "", "", "app", "secret"), "sasl:app");
    }

    @Test
    @Tag("thorough")
    void withKerberos() throws Exception {
        try (Kdc kdc = new Kdc(folder)) {
            kdc.start(server);
            String keytab = kdc.keytab("app").toString();
            assertThreeSettle(login("", "", kdc.principal("app"), keytab, "", ""), "sasl:" + kdc.principal("app"));
        }
    }

    @Test
    void withCertificates() throws Exception {
        Certificates certificates = new Certificates(folder);
        Path own = certificates.key("server");
        Path client = certificates.key("client");
        Path trust = certificates.trust("trust", own, client);
        server.start(
                "",
                "ssl.keyStore.location=" + own,
                "ssl.keyStore.password=" + Certificates.PASSWORD,
                "ssl.trustStore.location=" + trust,
                "ssl.trustStore.password=" + Certificates.PASSWORD);
        Tls tls = new Tls(
                new Store(client.toString(), secret(Certificates.PASSWORD), ""),
                new Store(trust.toString(), secret(Certificates.PASSWORD), ""),
                true,
                "",
                "");
        assertThreeSettle(new Security(Security.NONE.login(), Optional.of(tls)), "x509:CN=client");
    }
}
