// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.base.data;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.discoveryzk.base.Crew;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.extension.ExtendWith;
import org.pastalab.fray.junit.junit5.FrayTestExtension;
import org.pastalab.fray.junit.junit5.annotations.FrayTest;

/** The listener of shared data is called by several threads that put contents, in many orders of their steps. */
@ExtendWith(FrayTestExtension.class)
class MailboxInterleavings {

    @FrayTest(iterations = 5_000, resetClassLoaderPerIteration = false)
    void callsAreOneAtATimeAndTheLastHasTheNewest() {
        Crew crew = new Crew();
        AtomicInteger running = new AtomicInteger();
        List<Integer> received = Collections.synchronizedList(new ArrayList<>());
        Mailbox<Integer> mailbox = new Mailbox<>(
                value -> {
                    received.add(running.getAndIncrement() == 0 ? value : -1);
                    running.decrementAndGet();
                },
                crew);
        crew.execute(() -> {
            mailbox.put(1);
            mailbox.put(2);
        });
        crew.execute(() -> mailbox.put(3));
        crew.join();
        assertThat(received).doesNotContain(-1).doesNotHaveDuplicates();
        assertThat(received.get(received.size() - 1)).isIn(2, 3);
    }

    @FrayTest(iterations = 5_000, resetClassLoaderPerIteration = false)
    void noCallBeginsAfterTheClose() {
        Crew crew = new Crew();
        AtomicInteger received = new AtomicInteger();
        Mailbox<Integer> mailbox = new Mailbox<>(value -> received.incrementAndGet(), task -> crew.execute(task));
        crew.execute(() -> {
            mailbox.put(1);
            mailbox.put(2);
        });
        mailbox.close();
        crew.join();
        int before = received.get();
        mailbox.put(3);
        crew.join();
        assertThat(received).hasValue(before);
    }
}
