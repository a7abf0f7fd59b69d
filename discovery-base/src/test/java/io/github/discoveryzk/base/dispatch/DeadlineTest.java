// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.base.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class DeadlineTest {

    private final AtomicLong clock = new AtomicLong(50);
    private final List<Long> waits = new ArrayList<>();
    private final CompletableFuture<Void> never = new CompletableFuture<>();
    private final CompletableFuture<Void> slow = new CompletableFuture<>();
    private final Deadline deadline = new Deadline(1_000, clock::get, this::await);

    /** Simulates a slow action of 300 ms. */
    private void await(CompletableFuture<?> awaited, long millis) {
        waits.add(millis);
        clock.addAndGet(awaited == slow ? Math.min(300, millis) : millis);
        slow.complete(null);
    }

    @Test
    void timeSpentOnOneIsNotLeftForTheNext() {
        assertThat(deadline.await(slow)).isTrue();
        assertThat(deadline.await(never)).isFalse();
        assertThat(deadline.await(never)).isFalse();

        assertThat(waits).containsExactly(1_000L, 700L);
    }

    @Test
    void whatHasCompletedIsNotWaitedFor() {
        assertThat(deadline.await(CompletableFuture.completedFuture("done"))).isTrue();
        assertThat(deadline.await(CompletableFuture.failedFuture(new IllegalStateException("on purpose"))))
                .isTrue();

        assertThat(waits).isEmpty();
    }

    @Test
    void anInterruptedThreadDoesNotWaitAndStaysInterrupted() {
        Thread.currentThread().interrupt();
        assertThat(Deadline.in(60_000, clock::get).await(never)).isFalse();

        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void aThreadIsBlockedUntilItIsOver() {
        assertThat(Deadline.in(1, clock::get).await(never)).isFalse();
    }
}
