// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.zk.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.discoveryzk.zk.client.StoreThread;
import io.github.discoveryzk.zk.testing.OneServer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** The order of updates, and when everything is read again. */
class OrderedUpdatesTest {
    private final List<Throwable> failures = new ArrayList<>();
    private final List<String> happened = new ArrayList<>();
    private final Queue<Runnable> tasks = new ArrayDeque<>();
    private final OrderedUpdates updates =
            new OrderedUpdates(tasks::add, () -> happened.add("notified"), failures::add);

    private void apply(String what) {
        happened.add(what);
        updates.notifyObserver();
    }

    @Test
    void updatesAreAppliedInTheOrderOfTheirPlaces() {
        CompletableFuture<String> first = new CompletableFuture<>();
        CompletableFuture<String> second = new CompletableFuture<>();
        updates.add(first, value -> {
            updates.afterUpdates(() -> happened.add("fourth"));
            happened.add(value);
        });
        updates.add(second, happened::add);
        updates.afterUpdates(() -> happened.add("third"));
        second.complete("second");
        assertThat(happened).isEmpty();
        first.complete("first");
        assertThat(happened).containsExactly("first", "second", "third", "fourth");
    }

    @Test
    void whatFailsDoesNotKeepBackWhatFollows() {
        Error error = new LinkageError("thrown by a test");
        updates.reserve().fill(() -> {
            updates.afterUpdates(() -> happened.add("next"));
            throw error;
        });
        assertThat(happened).containsExactly("next");
        assertThat(failures).containsExactly(error);
    }

    @Test
    void anUpdateThatIsAheadIsNotifiedWithThoseThatWereReportedBehindIt() {
        CompletableFuture<String> view = new CompletableFuture<>();
        CompletableFuture<String> member = new CompletableFuture<>();
        updates.addAhead(view, this::apply);
        updates.add(member, this::apply);
        updates.afterUpdates(() -> happened.add("reply"));
        assertThat(updates.isAheadPending()).isTrue();
        view.complete("view");
        assertThat(updates.isAheadPending()).isFalse();
        assertThat(happened).containsExactly("view");
        member.complete("member");
        assertThat(happened).containsExactly("view", "member", "notified", "reply");
    }

    @Test
    void theNotificationIsHeldAndComesOnceAndBeforeTheReplies() {
        updates.notifyObserver();
        updates.hold();
        updates.hold();
        updates.notifyObserver();
        updates.afterUpdates(() -> happened.add("first"));
        updates.notifyObserver();
        updates.release();
        updates.afterUpdates(() -> happened.add("second"));
        assertThat(happened).containsExactly("notified");
        updates.release();
        updates.applyTogether(() -> {});
        assertThat(happened).containsExactly("notified", "notified", "first", "second");
    }

    @Test
    void eventsThatWaitTogetherCauseOneNotification() {
        updates.holdForEvents();
        apply("one");
        updates.holdForEvents();
        apply("two");
        assertThat(tasks).hasSize(1);
        tasks.remove().run();
        assertThat(happened).containsExactly("one", "two", "notified");
    }

    @Test
    void whatWasDiscardedNeverHappens() {
        OrderedUpdates.Update old = updates.reserve();
        assertThat(old.isPending()).isTrue();
        updates.holdForEvents();
        updates.notifyObserver();
        updates.clear();
        assertThat(old.isPending()).isFalse();
        old.fill(() -> happened.add("old"));
        old.fillAhead(() -> happened.add("old"));
        tasks.remove().run();
        updates.afterUpdates(() -> happened.add("new"));
        assertThat(happened).containsExactly("new");
    }

    /** All instances connect again at the same time, so the reads of a large cluster are spread. */
    @Nested
    class ReadsAfterAConnect {
        private final StoreThread thread = new StoreThread("schedule-test");
        private final AtomicInteger reads = new AtomicInteger();
        private final List<Long> bounds = new CopyOnWriteArrayList<>();
        private final FullReadSchedule schedule = new FullReadSchedule(thread, reads::incrementAndGet);

        private void connect(int members) {
            schedule.expect(members);
            schedule.readAfterConnect(60_000, bound -> {
                bounds.add(bound);
                return 1;
            });
        }

        @Test
        void areSpreadOnlyInALargeClusterAndOverASmallPartOfTheSessionTimeout() {
            assertThat(FullReadSchedule.longestDelay(0, 10_000)).isZero();
            assertThat(FullReadSchedule.longestDelay(100, 10_000)).isZero();
            assertThat(FullReadSchedule.longestDelay(300, 10_000)).isEqualTo(300);
            assertThat(FullReadSchedule.longestDelay(1_000, 60_000)).isEqualTo(1_000);
            assertThat(FullReadSchedule.longestDelay(1_000, 6_000)).isEqualTo(500);
            assertThat(FullReadSchedule.longestDelay(100_000, 12_000)).isEqualTo(1_000);
            connect(10);
            assertThat(reads).hasValue(1);
            assertThat(bounds).isEmpty();
        }

        @Test
        void areCancelledWithTheConnection() {
            thread.execute(() -> {
                connect(1_000);
                bounds.add((long) reads.get());
                schedule.cancel();
                connect(10);
                thread.schedule(5, () -> bounds.add((long) reads.get()));
                schedule.end(() -> connect(1_000));
            });
            await().atMost(OneServer.LONG).until(() -> bounds.size() == 4 && reads.get() == 2);
            assertThat(bounds).startsWith(1_000L, 0L, 1_000L);
            thread.shutDown(1_000);
        }
    }
}
