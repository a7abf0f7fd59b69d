// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.zk;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.sling.discovery.commons.model.LeaseProbe;
import org.apache.sling.discovery.commons.model.Member;
import org.apache.sling.discovery.commons.spi.Outcome;
import org.apache.sling.discovery.commons.spi.Outcome.Status;
import org.apache.sling.discovery.commons.spi.Request;
import org.apache.sling.discovery.zk.testing.Witness;
import org.junit.jupiter.api.Test;

/** Which writes renew the lease, and which do not. */
class StoreLeaseTest extends TwoInstances {
    @Test
    void renewalIsRefusedWithoutTheNodeOrOverAnotherView() throws Exception {
        Member first = a.join();
        int version = a.snapshot().get().slot().version();
        a.perform(new Request.Renew(first.node(), version));
        LeaseProbe before = b.leaseProbe();
        assertThat(b.leaseProbe()).isEqualTo(before);

        a.perform(a.publication(first.node()));
        LeaseProbe published = b.leaseProbe();
        assertThat(published.renewals()).isGreaterThan(before.renewals());
        Outcome stale = a.ask(new Request.Renew(first.node(), version));
        assertThat(stale.status()).isEqualTo(Status.OVERTAKEN);
        assertThat(stale.detail()).contains("/view");
        a.perform(Witness.leaving(first));
        a.awaitSnapshot(all -> all.members().isEmpty());
        Outcome gone =
                a.ask(new Request.Renew(first.node(), a.snapshot().get().slot().version()));
        assertThat(gone.status()).isEqualTo(Status.OVERTAKEN);
        assertThat(gone.detail()).contains(first.node());
        assertThat(b.leaseProbe().renewals()).isEqualTo(published.renewals());
    }

    @Test
    void publicationRenewsOnlyWhenThePublisherLeadsTheView() {
        Member first = a.join();
        Member second = b.join();
        b.awaitSnapshot(all -> all.members().size() == 2);
        long before = a.leaseProbe().renewals();
        b.perform(b.publication(first.node(), second.node()));
        assertThat(a.leaseProbe().renewals()).isEqualTo(before);
        b.perform(b.publication(second.node(), second.node()));
        assertThat(a.leaseProbe().renewals()).isGreaterThan(before);
    }

    @Test
    void renewalsOfALeaseNodeMadeAgainAreNotMistakenForTheOldOnes() throws Exception {
        Member first = a.join();
        int version = a.snapshot().get().slot().version();
        a.perform(new Request.Renew(first.node(), version));
        long before = a.leaseProbe().renewals();
        server.delete(CLUSTER + "/lease");
        server.create(CLUSTER + "/lease");
        a.perform(new Request.Renew(first.node(), version));
        assertThat(a.leaseProbe().renewals()).isGreaterThan(before);
    }
}
