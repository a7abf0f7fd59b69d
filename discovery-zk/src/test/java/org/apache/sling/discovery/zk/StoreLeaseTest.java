// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.zk;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.apache.sling.discovery.commons.model.LeaseProbe;
import org.apache.sling.discovery.commons.model.Member;
import org.apache.sling.discovery.commons.model.Renewal;
import org.apache.sling.discovery.commons.spi.Outcome;
import org.apache.sling.discovery.commons.spi.Outcome.Status;
import org.apache.sling.discovery.commons.spi.Request;
import org.apache.sling.discovery.zk.testing.TwoInstances;
import org.apache.sling.discovery.zk.testing.Witness;
import org.junit.jupiter.api.Test;

/** Which writes renew the lease, and which do not. */
class StoreLeaseTest extends TwoInstances {
    @Test
    void renewalIsRefusedWithoutTheNodeOrOverAnotherView() throws Exception {
        Member first = a.join();
        Request renewal = a.renewal();
        a.perform(renewal);
        LeaseProbe before = b.leaseProbe();
        assertThat(b.leaseProbe()).isEqualTo(before);

        a.perform(a.publication(first.node()));
        LeaseProbe published = b.leaseProbe();
        assertThat(published.renewals()).isGreaterThan(before.renewals());
        Outcome stale = a.ask(renewal);
        assertThat(stale.status()).isEqualTo(Status.OVERTAKEN);
        assertThat(stale.detail()).contains("/view");
        a.perform(Witness.leaving(first));
        a.awaitMembers(0);
        Outcome gone =
                a.ask(new Request.Renew(first.node(), a.snapshot().get().slot().version(), 9_000));
        assertThat(gone.status()).isEqualTo(Status.OVERTAKEN);
        assertThat(gone.detail()).contains(first.node());
        assertThat(b.leaseProbe().renewals()).isEqualTo(published.renewals());
    }

    @Test
    void publicationRenewsOnlyWhenThePublisherLeadsTheView() {
        Member first = a.join();
        Member second = b.join();
        b.awaitMembers(2);
        long before = a.leaseProbe().renewals();
        b.perform(b.publication(first.node(), second.node()));
        assertThat(a.leaseProbe().renewals()).isEqualTo(before);
        b.perform(b.publication(second.node(), second.node()));
        assertThat(a.leaseProbe().renewals()).isGreaterThan(before);
    }

    @Test
    void renewalsOfALeaseNodeMadeAgainAreNotMistakenForTheOldOnes() throws Exception {
        a.join();
        a.perform(a.renewal());
        long before = a.leaseProbe().renewals();
        server.delete(CLUSTER + "/lease");
        server.create(CLUSTER + "/lease");
        a.perform(a.renewal());
        assertThat(a.leaseProbe().renewals()).isGreaterThan(before);
    }

    /** An earlier version writes nothing, and another client anything; the next renewal says again how long the lease is. */
    @Test
    void aRenewalThatSaysNothingIsToleratedAndOneThatCannotBeReadIsReported() throws Exception {
        Member first = a.join();
        Request renewal = a.renewal();
        a.perform(renewal);
        write(CLUSTER + "/lease", "");
        assertThat(b.leaseProbe().last()).isEmpty();
        assertThat(b.snapshot().get().problems()).isEmpty();
        for (String broken : List.of(
                "x",
                "{}",
                "{\"format\":1,\"node\":\"m-a\",\"sessionTimeout\":-1}",
                "{\"format\":1,\"sessionTimeout\":9000}")) {
            write(CLUSTER + "/lease", broken);
            assertThat(b.leaseProbe().last()).isEmpty();
            assertThat(b.snapshot().get().problems()).singleElement().asString().contains("/lease cannot be read");
        }
        a.perform(renewal);
        assertThat(b.leaseProbe().last()).contains(new Renewal(first.node(), 9_000));
        assertThat(b.snapshot().get().problems()).isEmpty();
    }

    /** An instance that cannot read the view needs the length of its leader's lease all the more. */
    @Test
    void aRenewalIsReadByInstancesThatCannotReadTheView() throws Exception {
        Member first = a.join();
        a.perform(a.publication(first.node()));
        write(CLUSTER + "/view", "{\"format\":99}");
        b.awaitSnapshot(all -> all.view().isEmpty());
        assertThat(b.leaseProbe().last()).isPresent();
    }
}
