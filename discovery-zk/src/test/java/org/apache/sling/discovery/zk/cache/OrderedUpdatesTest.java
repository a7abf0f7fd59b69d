// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.zk.cache;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

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
}
