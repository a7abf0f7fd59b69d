// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.commons.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.apache.sling.discovery.TopologyEvent;
import org.apache.sling.discovery.TopologyEvent.Type;
import org.apache.sling.discovery.TopologyEventListener;
import org.apache.sling.discovery.TopologyView;
import org.junit.jupiter.api.Test;

/**
 * One listener under every short sequence of what can happen: {@code S} a view is settled, {@code C} it is not current any more,
 * {@code P} its properties differ, {@code B} a call that was handed to the executor begins, {@code E} it ends. So the listener is as
 * fast and as slow as can be, and everything happens before, during and after each call.
 */
class DispatchGrammarTest {

    private static final int LENGTH = 10;
    private static final String NAME = "the listener";

    @Test
    void grammarHoldsUnderEveryInterleaving() {
        List<String> plays = new ArrayList<>();
        enumerate("", false, false, plays);
        assertThat(plays).hasSizeGreaterThan(10_000).contains("SBECBSEBEP", "SBCSEBEBEC");

        plays.forEach(play -> {
            for (int boundAt = 0; boundAt < 3; boundAt++) {
                new Play(play, boundAt).run();
            }
        });
    }

    /** What a settling protocol and an executor can do; a call need not be waiting for {@code B}, then nothing begins. */
    private static void enumerate(String play, boolean settled, boolean running, List<String> plays) {
        if (play.length() == LENGTH) {
            plays.add(play);
            return;
        }
        if (settled) {
            enumerate(play + "C", false, running, plays);
            enumerate(play + "P", true, running, plays);
        } else {
            enumerate(play + "S", true, running, plays);
        }
        enumerate(play + (running ? "E" : "B"), settled, !running, plays);
    }

    private static final class Play implements TopologyEventListener {

        private final String play;
        private final int boundAt;
        private final Deque<Runnable> calls = new ArrayDeque<>();
        private final List<TopologyEvent> events = new ArrayList<>();
        private final Subscriptions subscriptions = new Subscriptions(calls::add, () -> 0, () -> {});
        private TopologyView current;
        private int position;
        private int depth;

        Play(String play, int boundAt) {
            this.play = play;
            this.boundAt = boundAt;
        }

        void run() {
            while (position < play.length()) {
                act();
            }
            while (!calls.isEmpty()) {
                calls.poll().run();
            }
            assertLawful();
            assertComplete();
        }

        private void act() {
            if (position == boundAt) {
                subscriptions.add(this, NAME);
            }
            switch (play.charAt(position++)) {
                case 'S', 'P' -> {
                    current = view();
                    subscriptions.settled(current);
                }
                case 'C' -> {
                    current = null;
                    subscriptions.changing();
                }
                case 'B' -> begin();
                default -> {}
            }
            assertActing();
        }

        private void begin() {
            Runnable call = calls.poll();
            if (call != null) {
                call.run();
            }
        }

        @Override
        public void handleTopologyEvent(TopologyEvent event) {
            depth++;
            assertThat(depth).as("calls at one time in %s", play).isEqualTo(1);
            events.add(event);
            while (position < play.length() && play.charAt(position) != 'E') {
                act();
            }
            depth--;
        }

        /** Whoever acts on a view, or may still because a call has not returned, is waited for. */
        private void assertActing() {
            boolean told = !events.isEmpty() && last().getType() != Type.TOPOLOGY_CHANGING;
            boolean busy = depth > 0 || !calls.isEmpty();
            assertThat(subscriptions.acting())
                    .as("acting after %s in %s: %s", position, play, events)
                    .isEqualTo(told || busy ? List.of(NAME) : List.of());
            subscriptions.status().forEach(status -> assertThat(status.pending())
                    .isBetween(0, 2));
        }

        private void assertLawful() {
            TopologyView acted = null;
            boolean changing = false;
            for (TopologyEvent event : events) {
                Type type = event.getType();
                if (acted == null) {
                    assertThat(type).as(play).isEqualTo(Type.TOPOLOGY_INIT);
                } else {
                    List<Type> legal = changing
                            ? List.of(Type.TOPOLOGY_CHANGED)
                            : List.of(Type.TOPOLOGY_CHANGING, Type.PROPERTIES_CHANGED);
                    assertThat(legal).as("%s: %s", play, events).contains(type);
                    assertThat(event.getOldView()).as(play).isSameAs(acted);
                }
                changing = type == Type.TOPOLOGY_CHANGING;
                acted = changing ? acted : event.getNewView();
            }
        }

        /** In the end the listener knows what holds. */
        private void assertComplete() {
            if (current != null) {
                assertThat(last().getNewView()).as(play).isSameAs(current);
            } else if (!events.isEmpty()) {
                assertThat(last().getType()).as(play).isEqualTo(Type.TOPOLOGY_CHANGING);
            }
            assertThat(subscriptions.acting()).isEqualTo(current == null ? List.of() : List.of(NAME));
        }

        private TopologyEvent last() {
            return events.get(events.size() - 1);
        }

        private static TopologyView view() {
            return DispatchViews.view();
        }
    }
}
