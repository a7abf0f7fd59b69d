// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.it;

import static io.github.discoveryzk.it.outside.Limit.untilAsserted;
import static org.assertj.core.api.Assertions.assertThat;
import static org.ops4j.pax.exam.CoreOptions.options;

import io.github.discoveryzk.it.cluster.PlainInstance;
import io.github.discoveryzk.it.outside.Limit;
import io.github.discoveryzk.leader.LeaderLease;
import io.github.discoveryzk.model.EstablishedView;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.felix.hc.api.HealthCheck;
import org.apache.felix.hc.api.Result;
import org.junit.After;
import org.junit.Before;
import org.junit.Test;
import org.ops4j.pax.exam.Option;
import org.ops4j.pax.exam.ProbeBuilder;
import org.ops4j.pax.exam.TestProbeBuilder;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleException;
import org.osgi.framework.ServiceReference;

/** The references that make a component run on the leader only, or while the topology is settled, and their display. */
public class LeaderLeaseIT extends ContainerTest {

    private static final String STABLE =
            "(&(objectClass=org.osgi.service.condition.Condition)(osgi.condition.id=discovery.settled))";

    private CountDownLatch release = new CountDownLatch(0);

    @Override
    protected Option[] more() {
        return options(Setup.bundles("org.apache.felix.healthcheck.api"));
    }

    @Override
    @ProbeBuilder
    public TestProbeBuilder probe(TestProbeBuilder probe) {
        return super.probe(probe).setHeader("Service-Component", "OSGI-INF/only-on-the-leader.xml");
    }

    @Before
    public void settleAsLeader() {
        untilAsserted(() -> {
            assertThat(container().topology().isCurrent()).isTrue();
            assertThat(container().members()).containsExactly(ID);
            assertThat(OnlyOnTheLeader.active()).isPresent();
        });
    }

    @After
    public void goOn() {
        release.countDown();
    }

    private Optional<ServiceReference<LeaderLease>> marker() {
        return container().find(LeaderLease.class);
    }

    private boolean isStable() {
        return container().finds(STABLE);
    }

    private Result health() {
        return container().ask(HealthCheck.class, HealthCheck::execute);
    }

    private EstablishedView view() {
        return container().report().view().orElseThrow().established();
    }

    @Test
    public void theLeaseIsAServiceOfTheLeader() {
        ServiceReference<LeaderLease> marker = marker().orElseThrow();
        LeaderLease lease = LeaderLease.of(container().topology()).orElseThrow();
        assertThat(lease.isHeld()).isTrue();
        assertThat(lease.token()).isEqualTo(view().token());
        assertThat(marker.getProperty(LeaderLease.TOKEN)).isEqualTo(view().token());
        assertThat(marker.getProperty(LeaderLease.VIEW)).isEqualTo(view().number());
        assertThat(OnlyOnTheLeader.active().orElseThrow().lease()).isEqualTo(lease);
        assertThat(isStable()).isTrue();
    }

    @Test
    public void componentsOfTheLeaderAreDeactivatedBeforeTheNextView() throws Exception {
        OnlyOnTheLeader before = OnlyOnTheLeader.active().orElseThrow();
        release = OnlyOnTheLeader.hang();
        CompletableFuture<Boolean> activeWhenJoined = new CompletableFuture<>();
        CompletableFuture<PlainInstance> joining = CompletableFuture.supplyAsync(() -> {
            PlainInstance peer = join("peer");
            activeWhenJoined.complete(
                    OnlyOnTheLeader.active().filter(now -> now == before).isPresent());
            return peer;
        });
        untilAsserted(() -> {
            assertThat(health().getStatus()).isEqualTo(Result.Status.CRITICAL);
            assertThat(health().toString()).contains("LeaderLease", ownBundle());
        });
        assertThat(container().report().sentence()).contains("LeaderLease", ownBundle());
        assertThat(joining).as("no instance continues meanwhile").isNotDone();
        assertThat(before.lease().isHeld()).isFalse();
        assertThat(isStable()).isFalse();

        release.countDown();
        try (PlainInstance peer = joining.get(Limit.millis(), TimeUnit.MILLISECONDS)) {
            assertThat(activeWhenJoined.get(Limit.millis(), TimeUnit.MILLISECONDS))
                    .isFalse();
            untilAsserted(() -> assertThat(peer.members()).containsExactly(ID, "peer"));
            untilAsserted(() -> assertThat(OnlyOnTheLeader.active()).get().isNotSameAs(before));
            LeaderLease next = OnlyOnTheLeader.active().orElseThrow().lease();
            assertThat(next.token()).isEqualTo(before.lease().token());
            assertThat(before.lease().isHeld()).isFalse();
            untilAsserted(() -> assertThat(isStable()).isTrue());
        }
    }

    @Test
    public void aFollowerHasNoLeaseAndTheNextLeaderHasAGreaterToken() throws BundleException {
        long token = view().token();
        try (PlainInstance peer = join("peer")) {
            untilAsserted(() -> assertThat(container().members()).containsExactly(ID, "peer"));
            Bundle base = container().bundle("io.github.discoveryzk.base");
            base.stop();
            assertThat(marker()).isEmpty();
            assertThat(isStable()).isFalse();
            assertThat(OnlyOnTheLeader.active()).isEmpty();

            base.start();
            untilAsserted(() -> {
                assertThat(container().members()).containsExactly("peer", ID);
                assertThat(peer.members()).containsExactly("peer", ID);
                assertThat(isStable()).isTrue();
            });
            assertThat(LeaderLease.of(container().topology())).isEmpty();
            assertThat(marker()).isEmpty();
            assertThat(OnlyOnTheLeader.active()).isEmpty();
        }
        settleAsLeader();
        assertThat(OnlyOnTheLeader.active().orElseThrow().lease().token()).isGreaterThan(token + 1);
    }

    @Test
    public void aSettledInstanceIsHealthy() {
        assertThat(health().getStatus()).isEqualTo(Result.Status.OK);
        assertThat(health().toString()).contains("1 instance, leader ");
        ServiceReference<HealthCheck> check =
                container().find(HealthCheck.class).orElseThrow();
        assertThat(check.getProperty(HealthCheck.NAME)).isEqualTo("Discovery");
        assertThat((String[]) check.getProperty(HealthCheck.TAGS)).containsExactly("discovery", "system");
    }
}
