// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.testing;

import static org.apache.sling.discovery.testing.Samples.record;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.sling.discovery.commons.model.Acknowledgement;
import org.apache.sling.discovery.commons.model.StoreSnapshot;
import org.apache.sling.discovery.commons.spi.Outcome.Status;
import org.apache.sling.discovery.commons.spi.Request;
import org.apache.sling.discovery.commons.spi.StoreObserver;
import org.apache.sling.discovery.testing.RecordingObserver.Connected;
import org.apache.sling.discovery.testing.RecordingObserver.Expired;
import org.apache.sling.discovery.testing.RecordingObserver.Observed;
import org.junit.jupiter.api.Test;

/** The contract of connections to a store and of their sessions. */
interface SessionContract extends StoreContract {

    // Connecting

    @Test
    default void connectsAndThenShowsTheCluster() {
        Peer a = open("a");

        assertThat(a.observer.all(Connected.class)).hasSize(1);
        assertThat(a.observer.last(Connected.class).orElseThrow().timeoutMillis())
                .isPositive();
        assertThat(a.session()).isNotZero();
        assertThat(a.snapshot().members()).isEmpty();
        assertThat(a.snapshot().view()).isEmpty();
        assertThat(a.snapshot().acknowledgements()).isEmpty();
        assertThat(a.snapshot().problems()).isEmpty();
    }

    @Test
    default void clusterIdIsTheSameForAllAndStays() {
        Peer a = open("a");
        Peer b = open("b");
        a.close();
        b.close();
        Peer c = open("c");

        assertThat(a.snapshot().clusterId())
                .isEqualTo(b.snapshot().clusterId())
                .isEqualTo(c.snapshot().clusterId())
                .isNotEmpty();
        assertThat(a.session()).isNotEqualTo(b.session());
    }

    @Test
    default void isOpenedOnce() {
        Peer a = open("a");
        StoreObserver another = new RecordingObserver();

        assertThatIllegalStateException().isThrownBy(() -> a.store.open(another));
        a.close();
        assertThatIllegalStateException().isThrownBy(() -> a.store.open(another));
    }

    @Test
    default void mayBeAskedFromWithinACall() {
        Peer a = peer("a");
        a.observer.react(call -> {
            if (call instanceof Observed && a.observer.all(Observed.class).size() == 1) {
                a.ask(new Request.Announce(record("a")));
                a.store.collect(true);
            }
        });
        a.open();

        a.awaitSnapshot(
                seen -> seen.members().size() == 1 && seen.acknowledgements().isPresent());
    }

    // Connections and sessions

    @Test
    default void requestsWithoutAConnectionHaveUnknownOutcome() {
        Peer a = open("a");
        a.interrupt();

        a.ask(new Request.Probe(), Status.UNKNOWN);
        a.ask(new Request.Announce(record("a")), Status.UNKNOWN);
        a.restore();
        a.ask(new Request.Probe(), Status.DONE);
    }

    @Test
    default void requestsUnderWayWhenTheConnectionBreaksAreCompletedOnce() {
        Peer a = open("a");
        for (int i = 0; i < REPEATED; i++) {
            a.ask(new Request.Probe());
        }
        interrupt(a.store);
        for (int i = 0; i < REPEATED; i++) {
            a.ask(new Request.Probe());
        }

        await(a::isCompleted);
        restore(a.store);
        await(() -> a.observer.all(Connected.class).size() > 1);
    }

    @Test
    default void theSessionOutlivesAnInterruption() {
        Peer a = joined("a");
        Peer b = open("b");
        long session = a.session();
        a.interrupt();
        b.join();
        b.publishNext();
        a.restore();

        assertThat(a.session()).isEqualTo(session);
        assertThat(a.observer.all(Expired.class)).isEmpty();
        StoreSnapshot fresh = a.firstAfterLastConnected();
        assertThat(fresh.members()).containsExactly(a.member, b.member);
        assertThat(fresh.view()).isPresent();
    }

    @Test
    default void collectingOutlivesAnInterruption() {
        Peer a = open("a");
        Peer b = joined("b");
        a.store.collect(true);
        a.awaitSnapshot(seen -> seen.acknowledgements().isPresent());
        a.interrupt();
        Acknowledgement ofB = b.acknowledge(5);
        a.restore();

        a.awaitAcknowledgements(ofB);
    }

    @Test
    default void changesAreShownAfterAnInterruptionToo() {
        Peer a = open("a");
        Peer b = open("b");
        a.interrupt();
        a.restore();
        b.join();

        a.awaitSnapshot(seen -> seen.members().equals(List.of(b.member)));
    }

    @Test
    default void anEndedSessionTakesAllItOwnedAndIsReplaced() {
        Peer a = joined("a");
        Peer b = open("b");
        b.store.collect(true);
        b.awaitAcknowledgements(a.acknowledge(5));
        long session = a.session();
        expire(a.store);

        await(() -> a.observer.all(Connected.class).size() > 1);
        await(a::hasFreshSnapshot);
        assertThat(a.session()).isNotEqualTo(session);
        List<RecordingObserver.Call> calls = a.observer.calls();
        assertThat(calls.indexOf(new Expired()))
                .isPositive()
                .isLessThan(calls.indexOf(a.observer.last(Connected.class).orElseThrow()));
        assertThat(a.firstAfterLastConnected().members()).isEmpty();
        b.awaitSnapshot(
                seen -> seen.members().isEmpty() && seen.acknowledgements().equals(Optional.of(Set.of())));
        assertThat(a.join().session()).isEqualTo(a.session());
    }

    @Test
    default void closingTakesAllItOwnedImmediately() {
        Peer a = joined("a");
        Peer b = open("b");
        b.store.collect(true);
        b.awaitAcknowledgements(a.acknowledge(5));
        a.close();

        b.awaitSnapshot(
                seen -> seen.members().isEmpty() && seen.acknowledgements().equals(Optional.of(Set.of())));
    }

    @Test
    default void noCallFollowsAfterClosing() {
        Peer a = joined("a");
        Peer b = open("b");
        a.ask(new Request.Probe());
        a.close();
        int notified = a.observer.calls().size();
        a.store.request(new Request.Probe());
        a.store.collect(true);
        b.join();
        b.publishNext();
        b.awaitMembers(1);
        b.ask(new Request.Probe(), Status.DONE);

        assertThat(a.observer.calls()).hasSize(notified);
    }

    @Test
    default void closesTwiceAndUnopenedAndUnconnected() {
        Peer a = open("a");
        a.close();
        a.store.close();
        newStore().close();
        Peer b = open("b");
        b.interrupt();
        b.close();
        b.store.close();
    }
}
