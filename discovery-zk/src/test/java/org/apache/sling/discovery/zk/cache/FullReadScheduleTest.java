// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.zk.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.sling.discovery.zk.client.StoreThread;
import org.apache.sling.discovery.zk.testing.Witness;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class FullReadScheduleTest {
    private final StoreThread thread = new StoreThread("schedule-test");
    private final AtomicInteger reads = new AtomicInteger();
    private final List<Long> bounds = new CopyOnWriteArrayList<>();
    private final FullReadSchedule schedule = new FullReadSchedule(thread, reads::incrementAndGet);

    @AfterEach
    void end() {
        thread.shutDown(1_000);
    }

    private long remember(long bound) {
        bounds.add(bound);
        return 1;
    }

    @Test
    void readAfterAConnectIsSpreadOnlyInALargeCluster() {
        assertThat(FullReadSchedule.longestDelay(0, 10_000)).isZero();
        assertThat(FullReadSchedule.longestDelay(100, 10_000)).isZero();
        assertThat(FullReadSchedule.longestDelay(300, 10_000)).isEqualTo(300);
        assertThat(FullReadSchedule.longestDelay(1_000, 60_000)).isEqualTo(1_000);
    }

    @Test
    void delayIsASmallPartOfTheSessionTimeout() {
        assertThat(FullReadSchedule.longestDelay(1_000, 6_000)).isEqualTo(500);
        assertThat(FullReadSchedule.longestDelay(100_000, 12_000)).isEqualTo(1_000);
    }

    @Test
    void smallClusterIsReadAtOnce() {
        schedule.expect(10);
        schedule.readAfterConnect(10_000, this::remember);
        assertThat(reads).hasValue(1);
        assertThat(bounds).isEmpty();
    }

    @Test
    void largeClusterIsReadOnceAfterARandomDelay() {
        thread.execute(() -> {
            schedule.expect(1_000);
            schedule.readAfterConnect(60_000, this::remember);
            bounds.add((long) reads.get());
        });
        await().atMost(Witness.LONG).until(() -> reads.get() == 1);
        assertThat(bounds).containsExactly(1_000L, 0L);
    }

    @Test
    void lossOfTheConnectionCancelsADelayedRead() {
        thread.execute(() -> {
            schedule.expect(1_000);
            schedule.readAfterConnect(60_000, this::remember);
            schedule.cancel();
            schedule.expect(10);
            schedule.readAfterConnect(60_000, this::remember);
            thread.schedule(5, () -> bounds.add((long) reads.get()));
        });
        await().atMost(Witness.LONG).until(() -> bounds.size() == 2);
        assertThat(bounds).containsExactly(1_000L, 1L);
    }
}
