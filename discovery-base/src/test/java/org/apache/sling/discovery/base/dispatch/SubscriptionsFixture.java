// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.dispatch;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.sling.discovery.TopologyEvent;
import org.apache.sling.discovery.TopologyEvent.Type;
import org.apache.sling.discovery.TopologyEventListener;
import org.apache.sling.discovery.TopologyView;

/** Listeners of one service on a clock of the test. Calls wait in a queue until the test runs them. */
abstract class SubscriptionsFixture {

    final Deque<Runnable> calls = new ArrayDeque<>();
    final AtomicLong clock = new AtomicLong(1_000);
    final AtomicInteger returned = new AtomicInteger();
    final Subscriptions subscriptions = new Subscriptions(calls::add, clock::get, returned::incrementAndGet);
    final DispatchViews views = new DispatchViews();
    final TopologyView first = views.settled("first");
    final TopologyView second = views.properties("second");

    /** Returns a deadline of one second; waiting for it advances the clock. */
    final Deadline deadline(List<Long> waits) {
        return new Deadline(1_000, clock::get, (awaited, millis) -> {
            waits.add(millis);
            clock.addAndGet(millis);
        });
    }

    final void runCalls() {
        while (!calls.isEmpty()) {
            calls.poll().run();
        }
    }

    static Thread thread(Runnable task) {
        Thread thread = new Thread(task, "test");
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    static final class Recorder implements TopologyEventListener {

        final List<Type> types = new ArrayList<>();

        @Override
        public void handleTopologyEvent(TopologyEvent event) {
            types.add(event.getType());
        }
    }

    /** A listener that does not return before it is released. */
    final class Blocked implements TopologyEventListener {

        final List<String> log = new CopyOnWriteArrayList<>();
        final CountDownLatch begun = new CountDownLatch(1);
        final CountDownLatch released = new CountDownLatch(1);
        private Thread call;

        Blocked begin(Subscriptions of) throws InterruptedException {
            of.notifySettled(first);
            of.add(this, "blocked");
            call = thread(calls.poll());
            begun.await();
            return this;
        }

        /** Returns when the call has returned. */
        void release() throws InterruptedException {
            released.countDown();
            call.join();
        }

        @Override
        public void handleTopologyEvent(TopologyEvent event) {
            begun.countDown();
            try {
                released.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            log.add("returned");
        }
    }
}
