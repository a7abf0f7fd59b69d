// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.github.discoveryzk.model.Acknowledgement;
import io.github.discoveryzk.model.StoreSnapshot;
import io.github.discoveryzk.spi.Outcome.Status;
import io.github.discoveryzk.spi.Request;
import io.github.discoveryzk.spi.StoreObserver;
import io.github.discoveryzk.testing.RecordingObserver.Connected;
import io.github.discoveryzk.testing.RecordingObserver.Expired;
import io.github.discoveryzk.testing.RecordingObserver.Observed;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The contract of connections to a store and of their sessions. */
interface SessionContract extends StoreContract {

    // Connecting

    @Test
    default void connectsAndThenShowsTheCluster() {
        Witness a = open("a");

        assertThat(a.calls(Connected.class)).hasSize(1);
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
        Witness a = open("a");
        Witness b = open("b");
        a.close();
        b.close();
        Witness c = open("c");

        assertThat(a.snapshot().clusterId())
                .isEqualTo(b.snapshot().clusterId())
                .isEqualTo(c.snapshot().clusterId())
                .isNotEmpty();
        assertThat(a.session()).isNotEqualTo(b.session());
    }

    @Test
    default void isOpenedOnce() {
        Witness a = open("a");
        StoreObserver another = new RecordingObserver();

        assertThatIllegalStateException().isThrownBy(() -> a.store().open(another));
        a.close();
        assertThatIllegalStateException().isThrownBy(() -> a.store().open(another));
    }

    @Test
    default void mayBeAskedFromWithinACall() {
        Witness a = peer("a");
        a.observer.react(call -> {
            if (call instanceof Observed && a.calls(Observed.class).size() == 1) {
                a.send(new Request.Announce(a.record(Map.of())));
                a.store().collect(true);
            }
        });
        a.open();

        a.awaitSnapshot(
                seen -> seen.members().size() == 1 && seen.acknowledgements().isPresent());
    }

    // Connections and sessions

    @Test
    default void requestsWithoutAConnectionHaveUnknownOutcome() {
        Witness a = open("a");
        interrupt(a);

        a.ask(new Request.Probe(), Status.UNKNOWN);
        a.ask(new Request.Announce(a.record(Map.of())), Status.UNKNOWN);
        restore(a);
        a.perform(new Request.Probe());
    }

    @Test
    default void requestsUnderWayWhenTheConnectionBreaksAreCompletedOnce() {
        Witness a = open("a");
        for (int i = 0; i < REPEATED; i++) {
            a.send(new Request.Probe());
        }
        interrupt(a.store());
        for (int i = 0; i < REPEATED; i++) {
            a.send(new Request.Probe());
        }

        await(a::isCompleted);
        restore(a.store());
        await(() -> a.calls(Connected.class).size() > 1);
    }

    @Test
    default void theSessionOutlivesAnInterruption() {
        Witness a = joined("a");
        Witness b = open("b");
        long session = a.session();
        interrupt(a);
        b.join();
        b.publishNext();
        restore(a);

        assertThat(a.session()).isEqualTo(session);
        assertThat(a.calls(Expired.class)).isEmpty();
        StoreSnapshot fresh = a.firstAfterLastConnected();
        assertThat(fresh.members()).containsExactly(a.member, b.member);
        assertThat(fresh.view()).isPresent();
    }

    @Test
    default void collectingOutlivesAnInterruption() {
        Witness a = open("a");
        Witness b = joined("b");
        a.store().collect(true);
        a.awaitSnapshot(seen -> seen.acknowledgements().isPresent());
        interrupt(a);
        Acknowledgement ofB = b.acknowledge(5);
        restore(a);

        a.awaitAcknowledgements(ofB);
    }

    @Test
    default void changesAreShownAfterAnInterruptionToo() {
        Witness a = open("a");
        Witness b = open("b");
        interrupt(a);
        restore(a);
        b.join();

        a.awaitSnapshot(seen -> seen.members().equals(List.of(b.member)));
    }

    @Test
    default void anEndedSessionTakesAllItOwnedAndIsReplaced() {
        Witness a = joined("a");
        Witness b = open("b");
        b.store().collect(true);
        b.awaitAcknowledgements(a.acknowledge(5));
        long session = a.session();
        expire(a.store());

        await(() -> a.calls(Connected.class).size() > 1);
        a.awaitSnapshot(any -> true);
        assertThat(a.session()).isNotEqualTo(session);
        List<RecordingObserver.Received> calls = a.calls();
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
        Witness a = joined("a");
        Witness b = open("b");
        b.store().collect(true);
        b.awaitAcknowledgements(a.acknowledge(5));
        a.close();

        b.awaitSnapshot(
                seen -> seen.members().isEmpty() && seen.acknowledgements().equals(Optional.of(Set.of())));
    }

    @Test
    default void noCallFollowsAfterClosing() {
        Witness a = joined("a");
        Witness b = open("b");
        a.send(new Request.Probe());
        a.close();
        int notified = a.calls().size();
        a.store().request(new Request.Probe());
        a.store().collect(true);
        b.join();
        b.publishNext();
        b.awaitMembers(1);
        b.perform(new Request.Probe());

        assertThat(a.calls()).hasSize(notified);
    }

    @Test
    default void closesTwiceAndUnopenedAndUnconnected() {
        Witness a = open("a");
        a.close();
        a.store().close();
        newStore().close();
        Witness b = open("b");
        interrupt(b);
        b.close();
        b.store().close();
    }
}
