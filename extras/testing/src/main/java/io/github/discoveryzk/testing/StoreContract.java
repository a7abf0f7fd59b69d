// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.testing;

import io.github.discoveryzk.testing.RecordingObserver.Connected;
import io.github.discoveryzk.testing.RecordingObserver.Suspended;

/** What the contracts have in common: each test begins with an empty cluster and opens the stores it needs. */
interface StoreContract extends StoreUnderTest {

    /** How often a test repeats an action that must succeed each time. */
    int REPEATED = 20;

    /** Returns a peer with a new store that is not open yet; it is closed after the test. */
    Witness peer(String id);

    /** Returns a peer whose store is open and has shown the cluster. */
    default Witness open(String id) {
        Witness peer = peer(id);
        peer.open();
        peer.awaitSnapshot(any -> true);
        return peer;
    }

    /** Returns a peer whose store is open and has a member node. */
    default Witness joined(String id) {
        Witness peer = open(id);
        peer.join();
        return peer;
    }

    /** Interrupts the connection of a peer, and waits until it has noticed. */
    default void interrupt(Witness peer) {
        int before = peer.calls(Suspended.class).size();
        peer.unreachable = true;
        interrupt(peer.store());
        await(() -> peer.calls(Suspended.class).size() > before);
    }

    /** Lets a peer connect again, and waits until it has shown the cluster. */
    default void restore(Witness peer) {
        int before = peer.calls(Connected.class).size();
        restore(peer.store());
        await(() -> peer.calls(Connected.class).size() > before);
        peer.awaitSnapshot(any -> true);
        peer.unreachable = false;
    }
}
