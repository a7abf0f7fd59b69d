// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.testing;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;

/**
 * What the settling protocol relies on in a back end, as tests. Each back end, the one in memory included, extends this class and
 * thereby keeps all contracts; each test begins with an empty cluster. Requires JUnit Jupiter and AssertJ.
 */
public abstract class ClusterStoreContract
        implements SessionContract, MemberContract, ViewContract, OrderContract, LeaseContract, ReadingContract {

    private final List<Peer> peers = new ArrayList<>();

    @Override
    public final Peer peer(String id) {
        Peer peer = new Peer(id, this);
        peers.add(peer);
        return peer;
    }

    /** What must hold whatever a test did: lawful calls, and one reply to each request. */
    @AfterEach
    public final void assertLawfulAndClose() {
        try {
            peers.forEach(Peer::assertLawful);
        } finally {
            peers.forEach(Peer::close);
        }
    }
}
