// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.zk.requests;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.sling.discovery.commons.model.Renewal;
import org.apache.sling.discovery.commons.spi.Request;
import org.apache.sling.discovery.zk.client.Session;
import org.apache.sling.discovery.zk.tree.Paths;
import org.apache.sling.discovery.zk.tree.RenewalCodec;
import org.apache.zookeeper.Op;

/** Renews the lease by a write, because a write is only acknowledged by a quorum. */
final class LeaseRenewer {
    private LeaseRenewer() {}

    /** Renews the lease, unless the member node has gone or the view has another version. */
    static CompletableFuture<Void> renew(Session session, Paths paths, Request.Renew request) {
        return session.commit(List.of(
                Op.check(paths.member(request.node()), -1),
                Op.check(paths.view(), request.slotVersion()),
                operation(paths, request.renewal(), -1)));
    }

    /**
     * Returns the write that counts as a renewal.
     *
     * @param version the version that the lease must have; -1 for any
     */
    static Op operation(Paths paths, Renewal renewal, int version) {
        return Op.setData(paths.lease(), RenewalCodec.write(renewal), version);
    }
}
