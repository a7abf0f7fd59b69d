// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.testing;

/** What the contracts have in common: each test begins with an empty cluster and opens the stores it needs. */
interface StoreContract extends StoreUnderTest {

    /** How often a test repeats an action that must succeed each time. */
    int REPEATED = 20;

    /** Returns a peer with a new store that is not open yet; it is closed after the test. */
    Peer peer(String id);

    /** Returns a peer whose store is open and has shown the cluster. */
    default Peer open(String id) {
        Peer peer = peer(id);
        peer.open();
        return peer;
    }

    /** Returns a peer whose store is open and has a member node. */
    default Peer joined(String id) {
        Peer peer = open(id);
        peer.join();
        return peer;
    }
}
