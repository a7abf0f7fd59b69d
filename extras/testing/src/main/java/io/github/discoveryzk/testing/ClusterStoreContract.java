// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.testing;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.discoveryzk.spi.Request;
import io.github.discoveryzk.testing.RecordingObserver.Completed;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;

/**
 * The guarantees of a back end on which the settling protocol relies, as tests. Each back end, including the one in memory,
 * extends this class and so keeps all contracts; each test begins with an empty cluster. Requires JUnit Jupiter and AssertJ.
 */
public abstract class ClusterStoreContract
        implements SessionContract,
                MemberContract,
                ViewContract,
                OrderContract,
                LeaseContract,
                SuspicionContract,
                SharingContract,
                DataContract,
                ReadingContract {

    private final List<Witness> peers = new ArrayList<>();

    @Override
    public final Witness peer(String id) {
        Witness peer = new Witness(id, newStore(), this::await);
        peers.add(peer);
        return peer;
    }

    /** Checks what must hold after every test: lawful calls, and one outcome for each request. */
    @AfterEach
    public final void assertLawfulAndClose() {
        try {
            peers.forEach(this::assertCompletedOnce);
            peers.forEach(Witness::assertLawful);
        } finally {
            peers.forEach(Witness::close);
        }
    }

    private void assertCompletedOnce(Witness peer) {
        if (!peer.unreachable) {
            await(peer::isCompleted);
        }
        List<Request> answered =
                peer.calls(Completed.class).stream().map(Completed::request).toList();
        if (peer.unreachable) {
            assertThat(peer.asked).containsAll(answered);
        } else {
            assertThat(answered).containsExactlyInAnyOrderElementsOf(peer.asked);
        }
    }
}
