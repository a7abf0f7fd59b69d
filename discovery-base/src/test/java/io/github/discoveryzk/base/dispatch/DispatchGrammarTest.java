// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.base.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.discoveryzk.testing.Effort;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.sling.discovery.TopologyEvent;
import org.apache.sling.discovery.TopologyEvent.Type;
import org.apache.sling.discovery.TopologyEventListener;
import org.apache.sling.discovery.TopologyView;
import org.junit.jupiter.api.Test;

/**
 * One listener object under every short sequence of events: {@code A} it is added, {@code R} it is removed, {@code S} a view is
 * settled, {@code C} the view is no longer current, {@code P} its properties change, and change back the next time,
 * {@code B} a submitted call begins, {@code E} the call that began last ends. So the listener is as fast and as slow as
 * possible, everything happens before, during and after each call, and a running call removes and adds its own listener. The
 * executor has a thread for each call: whether two run at a time depends on the tested code.
 */
class DispatchGrammarTest {

    private static final int LENGTH = Effort.of("discovery.dispatch.length", 8, 10);
    private static final String NAME = "the listener";

    /** Plays shorter sequences first, so that the first failure is one of the shortest. */
    @Test
    void grammarHoldsUnderEveryInterleaving() {
        Set<String> plays = new LinkedHashSet<>();
        Deque<String> open = new ArrayDeque<>(List.of(""));
        while (!open.isEmpty()) {
            String acts = open.poll();
            Play play = new Play(acts);
            play.run();
            plays.add(acts);
            if (acts.length() < LENGTH) {
                play.possible().forEach(next -> open.add(acts + next));
            }
        }

        assertThat(plays)
                .hasSizeGreaterThan(5_000)
                .containsAll(Stream.of("ASBECBSEBE", "ASBPPECBSE", "ASBRARAEBE", "ASBERABRAE")
                        .map(play -> play.substring(0, LENGTH))
                        .toList());
    }

    private static final class Play implements TopologyEventListener {

        private final String acts;
        private final DispatchViews views = new DispatchViews();
        private final Deque<Runnable> calls = new ArrayDeque<>();
        private final List<TopologyEvent> events = new ArrayList<>();
        private final List<String> possible = new ArrayList<>();
        private final Subscriptions subscriptions =
                new Subscriptions(calls::add, () -> 0, this::countReturn, new RunningCalls());
        private TopologyView current;
        private boolean red;
        private boolean added;
        private int position;
        private int running;
        private int returned;
        private Throwable broken;

        Play(String acts) {
            this.acts = acts;
        }

        /** Returns the acts that are possible after the last one. */
        List<String> possible() {
            return possible;
        }

        private void countReturn() {
            returned++;
        }

        void run() {
            while (position < acts.length()) {
                act();
            }
            lookAhead();
            while (!calls.isEmpty()) {
                begin();
            }
            if (broken != null) {
                throw new AssertionError(toString(), broken);
            }
            assertComplete();
        }

        /** To be called after all acts and before the running calls return. */
        private void lookAhead() {
            if (possible.isEmpty()) {
                possible.addAll(current == null ? List.of("S") : List.of("C", "P"));
                possible.add(added ? "R" : "A");
                if (!calls.isEmpty()) {
                    possible.add("B");
                }
                if (running > 0) {
                    possible.add("E");
                }
            }
        }

        private void act() {
            switch (acts.charAt(position++)) {
                case 'A' -> add();
                case 'R' -> remove();
                case 'S' -> settle(views.settled(color()));
                case 'P' -> {
                    red = !red;
                    settle(views.properties(color()));
                }
                case 'C' -> change();
                case 'B' -> begin();
                default -> {}
            }
            assertActing();
        }

        private String color() {
            return red ? "red" : "green";
        }

        private void add() {
            added = true;
            events.clear();
            subscriptions.add(this, NAME);
        }

        private void remove() {
            added = false;
            subscriptions.remove(this);
        }

        private void settle(TopologyView view) {
            current = view;
            subscriptions.notifySettled(view);
        }

        private void change() {
            current = null;
            views.changing();
            subscriptions.notifyChanging();
        }

        private void begin() {
            Runnable call = calls.poll();
            int before = returned;
            call.run();
            assertThat(returned).as("notified returns in %s", this).isGreaterThan(before);
        }

        /** The dispatch would treat an exception as a failure of the listener and log it, so it is kept. */
        @Override
        public void handleTopologyEvent(TopologyEvent event) {
            running++;
            try {
                check(event);
            } catch (RuntimeException | AssertionError e) {
                broken = broken == null ? e : broken;
            }
            running--;
        }

        private void check(TopologyEvent event) {
            assertThat(running).as("calls at one time in %s", this).isEqualTo(1);
            assertThat(added).as("a call begins in %s", this).isTrue();
            assertLawful(event);
            events.add(event);
            while (position < acts.length() && acts.charAt(position) != 'E') {
                act();
            }
            if (position == acts.length()) {
                lookAhead();
            } else {
                position++;
            }
        }

        /** Checks that a listener counts as acting while it acts on a view, or may because a call has not returned. */
        private void assertActing() {
            boolean notified = !events.isEmpty() && last().getType() != Type.TOPOLOGY_CHANGING;
            boolean acts = running > 0 || added && (notified || !calls.isEmpty());
            assertThat(subscriptions.acting())
                    .as("acting after %s acts of %s", position, this)
                    .isEqualTo(acts ? List.of(NAME) : List.of());
            subscriptions.status().forEach(status -> assertThat(status.pending())
                    .isBetween(0, 2));
        }

        private void assertLawful(TopologyEvent event) {
            Type type = event.getType();
            if (events.isEmpty()) {
                assertThat(type).as("%s", this).isEqualTo(Type.TOPOLOGY_INIT);
                return;
            }
            List<Type> legal = last().getType() == Type.TOPOLOGY_CHANGING
                    ? List.of(Type.TOPOLOGY_CHANGED)
                    : List.of(Type.TOPOLOGY_CHANGING, Type.PROPERTIES_CHANGED);
            assertThat(legal).as("%s", this).contains(type);
            assertThat(event.getOldView()).as("%s", this).isSameAs(known());
            if (type == Type.PROPERTIES_CHANGED) {
                assertThat(event.getNewView().getInstances())
                        .as("%s", this)
                        .isNotEqualTo(event.getOldView().getInstances());
            }
        }

        /** Checks that the listener has the present view in the end, and that this view is current. */
        private void assertComplete() {
            if (!added) {
                assertThat(subscriptions.acting()).as("%s", this).isEmpty();
                return;
            }
            if (current != null) {
                assertThat(last().getNewView()).as("%s", this).isNotNull();
                assertThat(known().isCurrent()).as("%s", this).isTrue();
                assertThat(known().getInstances()).as("%s", this).isEqualTo(current.getInstances());
            } else if (!events.isEmpty()) {
                assertThat(last().getType()).as("%s", this).isEqualTo(Type.TOPOLOGY_CHANGING);
            }
            assertThat(subscriptions.acting()).as("%s", this).isEqualTo(current == null ? List.of() : List.of(NAME));
        }

        private TopologyEvent last() {
            return events.get(events.size() - 1);
        }

        private TopologyView known() {
            return last().getNewView() == null ? last().getOldView() : last().getNewView();
        }

        @Override
        public String toString() {
            return acts + ": " + events;
        }
    }
}
