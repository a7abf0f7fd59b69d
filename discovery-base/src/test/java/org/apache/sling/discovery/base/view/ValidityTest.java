// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.view;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.apache.sling.discovery.testing.Effort;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class ValidityTest {

    private static final int ROUNDS = Effort.of("discovery.validity.rounds", 500, 2_000);

    private final AtomicLong clock = new AtomicLong();

    private final Validity validity = new Validity(clock::get, 100);

    private boolean isCurrentAt(long time) {
        clock.set(time);
        return validity.isCurrent("shown");
    }

    @Test
    void endsWithTheLeaseForGoodThoughTheClockGoesBack() {
        assertThat(isCurrentAt(99)).isTrue();
        assertThat(isCurrentAt(100)).isFalse();
        assertThat(isCurrentAt(0)).isFalse();
    }

    @Test
    void isExtendedInTime() {
        assertThat(validity.extend(200)).isTrue();
        assertThat(validity.extend(50)).as("an earlier end changes nothing").isTrue();
        assertThat(isCurrentAt(199)).isTrue();
        clock.set(200);
        assertThat(validity.extend(300)).isFalse();
        assertThat(isCurrentAt(200)).isFalse();
    }

    @Test
    void noneIsOver() {
        assertThat(Validity.none().isCurrent("shown")).isFalse();
        assertThat(Validity.none().extend(Long.MAX_VALUE)).isFalse();
    }

    @Test
    void whatIsShownAgainIsCurrentAgainWhileTheLeaseLasts() {
        Validity one = validity;
        Validity two = one.next();
        one.supersede("blue");
        assertThat(one.isCurrent("red")).isFalse();
        assertThat(two.isCurrent("blue")).isTrue();
        Validity three = two.next();
        assertThat(three.isCurrent("red")).as("before it is the latest view").isTrue();
        two.supersede("red");
        assertThat(one.isCurrent("red")).isTrue();
        assertThat(two.isCurrent("blue")).isFalse();
        assertThat(three.isCurrent("red")).isTrue();

        clock.set(100);
        assertThat(one.isCurrent("red")).isFalse();
        clock.set(0);
        assertThat(one.isCurrent("red")).as("the end of the lease is final").isFalse();
    }

    /** A renewal arrives just when a query has found the lease over: its result and all later answers agree. */
    @Test
    void aQuestionAndARenewalThatMeetAgree() {
        AtomicBoolean armed = new AtomicBoolean(true);
        Validity[] holder = new Validity[1];
        boolean[] extended = new boolean[1];
        LongSupplier tricky = () -> {
            if (armed.getAndSet(false)) {
                extended[0] = holder[0].extend(300);
                return 150;
            }
            return 99;
        };
        holder[0] = new Validity(tricky, 100);

        boolean current = holder[0].isCurrent("shown");
        assertThat(extended[0]).isTrue();
        assertThat(current)
                .as("the renewal was accepted, so the answer must not be no")
                .isTrue();
        assertThat(holder[0].isCurrent("shown")).isTrue();
    }

    @Test
    @Timeout(60)
    void neverComesBackUnderARaceOfQuestionsAndRenewals() throws InterruptedException {
        for (int round = 0; round < ROUNDS; round++) {
            race(new Validity(clock::get, clock.get() + 1));
        }
    }

    private void race(Validity raced) throws InterruptedException {
        List<Boolean> answers = new ArrayList<>();
        AtomicBoolean accepted = new AtomicBoolean();
        CyclicBarrier start = new CyclicBarrier(3);
        long until = clock.get() + 2;
        List<Thread> threads = List.of(
                racer(start, () -> {
                    for (int i = 0; i < 10; i++) {
                        answers.add(raced.isCurrent("shown"));
                    }
                }),
                racer(start, clock::incrementAndGet),
                racer(start, () -> accepted.set(raced.extend(until))));
        for (Thread thread : threads) {
            thread.join();
        }
        answers.add(raced.isCurrent("shown"));

        assertThat(answers.subList(
                        answers.indexOf(false) < 0 ? answers.size() : answers.indexOf(false), answers.size()))
                .doesNotContain(true);
        assertThat(raced.isCurrent("shown"))
                .as("the result of the renewal holds")
                .isEqualTo(accepted.get());
    }

    private static Thread racer(CyclicBarrier start, Runnable task) {
        Thread thread = new Thread(() -> {
            try {
                start.await();
                task.run();
            } catch (InterruptedException | BrokenBarrierException e) {
                throw new IllegalStateException(e);
            }
        });
        thread.setDaemon(true);
        thread.start();
        return thread;
    }
}
