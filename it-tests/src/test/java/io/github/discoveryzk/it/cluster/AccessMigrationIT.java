// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.it.cluster;

import static io.github.discoveryzk.it.outside.Limit.awaitThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.github.discoveryzk.leader.ViewNumber;
import io.github.discoveryzk.report.Health;
import io.github.discoveryzk.report.StoreAccess;
import io.github.discoveryzk.testing.server.TestServer;
import io.github.discoveryzk.zk.ZooKeeperStoreConfig;
import io.github.discoveryzk.zk.security.Access;
import io.github.discoveryzk.zk.security.Security;
import io.github.discoveryzk.zk.security.Security.Login;
import io.github.discoveryzk.zk.security.Security.Secret;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.sling.discovery.InstanceDescription;
import org.apache.sling.discovery.TopologyEvent;
import org.apache.sling.discovery.TopologyView;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooDefs.Perms;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.data.Id;
import org.apache.zookeeper.server.auth.DigestAuthenticationProvider;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;

/** A cluster of five gets access rights and loses them again, one instance after the other, while members come, go and change. */
@Tag("thorough")
class AccessMigrationIT {
    private static final String CREDENTIALS = "app:secret";
    private static final String ROOT = "/sling";
    private static final Security DIGEST = new Security(
            new Login("digest", new Secret(CREDENTIALS, ""), "", "", "", "", Secret.NONE), Optional.empty());
    private static final Access CREATOR = Access.of(List.of("creator"), List.of());

    private final List<PlainInstance> all = new CopyOnWriteArrayList<>();
    private final Instances instances = new Instances(this::make);
    private TestServer server;
    private ZooKeeperStoreConfig config;
    private int changes;

    @BeforeEach
    void startFive(@TempDir Path folder) throws Exception {
        server = new TestServer(folder);
        config = ZooKeeperStoreConfig.of(server.address()).withSessionTimeout(PlainInstance.SESSION_MILLIS);
        instances.startAll(5);
    }

    @AfterEach
    void stop() {
        instances.close();
        server.close();
    }

    private PlainInstance make(String id) {
        PlainInstance made = new PlainInstance(id, config);
        all.add(made);
        return made;
    }

    /** Restarts each instance with the present configuration, while another one comes and goes and a property changes. */
    private void roll(Security security, Access access) {
        config = config.withSecurity(security).withAccess(access);
        for (int i = 0; i < 5; i++) {
            instances.stop("i" + i);
            instances.get("i" + (i + 1) % 5).offer("p" + ++changes, "v");
            if (i % 2 == 0) {
                instances.start("guest" + changes);
                instances.start("i" + i);
                instances.awaitSettled();
                instances.stop("guest" + changes);
            } else {
                instances.start("i" + i);
            }
            instances.awaitSettled();
        }
    }

    /** Repairs twice at the same time from two instances, while a member joins and leaves and a property changes. */
    private void repair() throws Exception {
        CompletableFuture<StoreAccess> first = repairBy("i0");
        CompletableFuture<StoreAccess> second = repairBy("i3");
        instances.start("guest");
        instances.get("i1").offer("p" + ++changes, "v");
        instances.awaitSettled();
        instances.stop("guest");
        assertThat(first.join().differing() + second.join().differing()).isZero();
        assertThat(first.join().changed()).isPositive();
        instances.awaitSettled();
        // What was created by an instance with other rights since its folder was read would be found now.
        assertThat(repairBy("i2").join()).returns(0, StoreAccess::changed).returns(0, StoreAccess::differing);
        awaitThat("no differing nodes", () -> instances.all().stream()
                .allMatch(
                        each -> each.report().situation().access().orElseThrow().differing() == 0));
    }

    private CompletableFuture<StoreAccess> repairBy(String id) {
        return instances.get(id).discovery().reporter().checkAccess(true).toCompletableFuture();
    }

    private void assertAll(List<ACL> acl) throws Exception {
        for (String path : server.paths(ROOT)) {
            assertThat(server.acl(path)).as(path).isEqualTo(acl);
        }
    }

    private void awaitProblem(String sentence) {
        awaitThat(sentence, () -> Health.of(instances.get("i4").report()).findings().stream()
                .anyMatch(finding -> finding.status() == Health.Severity.WARN
                        && finding.sentence().contains(sentence)));
    }

    private void migrate() throws Exception {
        List<ACL> secured =
                List.of(new ACL(Perms.ALL, new Id("digest", DigestAuthenticationProvider.generateDigest(CREDENTIALS))));
        roll(DIGEST, Access.OPEN);
        assertAll(Ids.OPEN_ACL_UNSAFE);

        roll(DIGEST, CREATOR);
        assertThat(server.acl(ROOT)).isEqualTo(Ids.OPEN_ACL_UNSAFE);
        assertThat(members().stream().map(server::acl)).hasSize(5).containsOnly(secured);
        awaitProblem("/sling has world:anyone:cdrwa. All instances need one identity");

        repair();
        assertAll(secured);
        server.with(outsider -> assertThatExceptionOfType(KeeperException.NoAuthException.class)
                .isThrownBy(() -> outsider.getChildren(ROOT + "/discovery", false)));

        roll(DIGEST, Access.OPEN);
        assertThat(server.acl(ROOT)).isEqualTo(secured);
        assertThat(members().stream().map(server::acl)).hasSize(5).containsOnly(Ids.OPEN_ACL_UNSAFE);
        awaitProblem("/sling has digest:app:…:cdrwa. All instances need one identity");

        repair();
        assertAll(Ids.OPEN_ACL_UNSAFE);
        roll(Security.NONE, Access.OPEN);
        instances.close();
        assertLawful();
    }

    private List<String> members() throws Exception {
        return server.paths(ROOT + "/discovery/clusters/default/members").stream()
                .skip(1)
                .toList();
    }

    /** Checks the order of the events of each listener, and that equal views have equal members. */
    private void assertLawful() {
        Map<Long, List<String>> views = new HashMap<>();
        for (PlainInstance one : all) {
            long last = 0;
            for (TopologyEvent event : one.events()) {
                TopologyView view = event.getNewView();
                if (view == null) {
                    continue;
                }
                long number = ViewNumber.of(view).orElseThrow();
                boolean properties = event.getType() == TopologyEvent.Type.PROPERTIES_CHANGED;
                assertThat(properties ? number == last : number > last)
                        .as("%s at %s: view %d after %d", event.getType(), one.id(), number, last)
                        .isTrue();
                last = number;
                List<String> ids = view.getLocalInstance().getClusterView().getInstances().stream()
                        .map(InstanceDescription::getSlingId)
                        .toList();
                assertThat(ids)
                        .isEqualTo(views.computeIfAbsent(number, first -> ids))
                        .doesNotHaveDuplicates();
            }
            StringBuilder types = new StringBuilder();
            one.types().forEach(type -> types.append(type.replaceFirst("TOPOLOGY_", ""))
                    .append(' '));
            assertThat(types.toString())
                    .as(one.id())
                    .matches("(INIT (PROPERTIES_CHANGED |CHANGING CHANGED )*(CHANGING )?)?");
        }
    }

    @RepeatedTest(3)
    void noMemberIsLostAndNoEventIsNeedless() throws Exception {
        migrate();
    }
}
