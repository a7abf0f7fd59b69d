// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.it.cluster;

import static io.github.discoveryzk.it.outside.Limit.awaitThat;
import static io.github.discoveryzk.it.outside.Limit.untilAsserted;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import io.github.discoveryzk.report.Concern;
import io.github.discoveryzk.report.Health;
import io.github.discoveryzk.testing.server.TestServer;
import io.github.discoveryzk.zk.ZooKeeperStoreConfig;
import io.github.discoveryzk.zk.security.Access;
import io.github.discoveryzk.zk.security.Security;
import io.github.discoveryzk.zk.security.Security.Login;
import io.github.discoveryzk.zk.security.Security.Secret;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What an instance says that ZooKeeper, or another instance, keeps out. */
@SuppressWarnings("try") // An instance need not be used to be a member.
class RefusalIT {
    private static final Access CREATOR = Access.of(List.of("creator"), List.of());

    @AutoClose
    private TestServer server;

    private ZooKeeperStoreConfig open;

    @BeforeEach
    void startServer(@TempDir Path folder) throws Exception {
        server = new TestServer(folder);
        open = ZooKeeperStoreConfig.of(server.address()).withSessionTimeout(PlainInstance.SESSION_MILLIS);
    }

    private ZooKeeperStoreConfig secured(String credentials) {
        Login login = new Login("digest", new Secret(credentials, ""), "", "", "", "", Secret.NONE);
        return open.withAccess(CREATOR).withSecurity(new Security(login, Optional.empty()));
    }

    @Test
    void stateAndFirstFindingNameTheCause() {
        assertCause(open.withAccess(CREATOR), "does not let this instance use the nodes");
        try (PlainInstance first = new PlainInstance("first", secured("app:secret")).join()) {
            assertCause(secured("app:wrong"), "ZooKeeper replies NOAUTH");
        }
    }

    @Test
    void bothSidesSayWhichOfThemToChange() {
        try (PlainInstance leader = new PlainInstance("leader", open).join();
                PlainInstance reader = new PlainInstance("reader", open).join();
                PlainInstance writer = new PlainInstance("writer", secured("app:secret"))) {
            writer.start();
            awaitThat(
                    "the reader to see the writer",
                    () -> !reader.report().problems().isEmpty());
            leader.close();
            untilAsserted(() -> {
                assertThat(Health.of(reader.report()).findings().get(0))
                        .returns(Health.Severity.CRITICAL, Health.Finding::status)
                        .extracting(Health.Finding::sentence, STRING)
                        .contains("give this instance the credentials of that one, or set acl=open there");
                assertThat(Health.of(writer.report(), Concern.ACCESS)
                                .findings()
                                .get(0)
                                .sentence())
                        .contains("Set acl=open here");
            });
        }
    }

    private static void assertCause(ZooKeeperStoreConfig config, String cause) {
        try (PlainInstance refused = new PlainInstance("refused", config)) {
            refused.start();
            untilAsserted(() -> {
                assertThat(refused.report().sentence()).contains(cause).doesNotContain("no server");
                assertThat(Health.of(refused.report()).findings())
                        .filteredOn(finding -> finding.sentence().contains(cause))
                        .singleElement()
                        .isEqualTo(Health.of(refused.report()).findings().get(0))
                        .returns(Concern.ACCESS, Health.Finding::concern);
            });
        }
    }
}
