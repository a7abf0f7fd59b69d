// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.it.chaos;

import static org.apache.sling.discovery.TopologyEvent.Type.PROPERTIES_CHANGED;
import static org.apache.sling.discovery.TopologyEvent.Type.TOPOLOGY_CHANGED;
import static org.apache.sling.discovery.TopologyEvent.Type.TOPOLOGY_CHANGING;
import static org.apache.sling.discovery.TopologyEvent.Type.TOPOLOGY_INIT;
import static org.apache.sling.discovery.it.chaos.ForgedRun.event;
import static org.apache.sling.discovery.it.chaos.ForgedRun.listener;
import static org.apache.sling.discovery.it.chaos.ForgedRun.process;
import static org.apache.sling.discovery.it.chaos.ForgedRun.view;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.sling.discovery.it.chaos.Recording.Accepted;
import org.apache.sling.discovery.it.chaos.Recording.Gap;
import org.apache.sling.discovery.it.chaos.Recording.Listener;
import org.apache.sling.discovery.it.chaos.Recording.Received;
import org.apache.sling.discovery.it.chaos.Recording.Removed;
import org.apache.sling.discovery.it.chaos.Recording.Rest;
import org.apache.sling.discovery.it.chaos.Recording.Yes;
import org.apache.sling.discovery.testing.laws.Call;
import org.apache.sling.discovery.testing.laws.View;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** For each law a run that breaks it: the checker must report that law and no other. */
class LawCheckerTest {

    private final ForgedRun run = new ForgedRun();

    @Test
    void aCleanRunIsAccepted() {
        assertThat(LawChecker.check(run.recording)).isEmpty();
    }

    @Nested
    class Grammar {

        @Test
        void changedWithoutChanging() {
            run.recording.received.removeIf(event("c", TOPOLOGY_CHANGING, 10));
            assertThat(run.broken()).contains("L1 Grammar");
        }

        @Test
        void twoInits() {
            run.forge(
                    event("c", TOPOLOGY_CHANGED, 11), call -> new Call(TOPOLOGY_INIT, call.shown(), true, true, false));
            assertThat(run.broken()).containsExactly("L1 Grammar");
        }

        @Test
        void aCallBeforeTheLastOneHasReturned() {
            run.forgeTimes(event("c", TOPOLOGY_CHANGING, 10), call -> call.returningAt(Recording.NEVER));
            assertThat(run.broken()).contains("L1 Grammar");
        }

        @Test
        void aCallAfterTheRemoval() {
            run.recording.removed.add(new Removed(listener("c"), 250, 250));
            assertThat(run.broken()).containsExactly("L1 Grammar");
        }

        @Test
        void anotherStructureWithPropertiesChanged() {
            run.addCall("c", 320, PROPERTIES_CHANGED, 11, "b", "c");
            assertThat(run.broken()).isEmpty();
            run.forge(
                    event("c", PROPERTIES_CHANGED, 11),
                    call -> new Call(call.type(), call.shown(), true, false, false));
            assertThat(run.broken()).containsExactly("L1 Grammar");
        }

        @Test
        void anOldViewThatWasNotSent() {
            run.forge(
                    event("c", TOPOLOGY_CHANGING, 10), call -> new Call(call.type(), call.shown(), false, true, false));
            assertThat(run.broken()).containsExactly("L1 Grammar");
        }

        @Test
        void theSameObjectAgainBeforeItHasReturned() {
            run.addListener(1001, 310, 330);
            run.addListener(1002, 320, 340);
            assertThat(run.broken()).containsExactly("L1 Grammar");
        }

        @Test
        void anotherObjectMayBeCalledAtTheSameTime() {
            run.addListener(1001, 310, 330);
            run.addListener(2001, 320, 340);
            assertThat(run.broken()).isEmpty();
        }

        @Test
        void aKilledProcessMayNotReturn() {
            run.addCall("a", 205, TOPOLOGY_CHANGING, 10, "a", "b", "c");
            run.forgeTimes(event("a", TOPOLOGY_CHANGING, 10), call -> call.returningAt(Recording.NEVER));
            assertThat(run.broken()).isEmpty();
        }
    }

    @Test
    void aSurvivorThatMovesDown() {
        run.recording.views.set(0, view(10, 0, 10, "a", "c", "b"));
        assertThat(run.broken()).contains("L2 Order");
    }

    @Test
    void aNewcomerBeforeASurvivor() {
        run.recording.views.add(view(12, 11, 12, "d", "b", "c"));
        assertThat(run.broken()).contains("L2 Order", "L3 Leader");
    }

    @Test
    void aLeaderThatIsNotTheFirst() {
        run.forgeShown(
                call -> call.view() == 11,
                shown -> new Call.Shown(11, 0, shown.ids(), "c", shown.local(), shown.cluster()));
        assertThat(run.broken()).containsExactly("L3 Leader");
    }

    @Nested
    class Agreement {

        @Test
        void twoOrdersOfOneView() {
            run.forgeShown(
                    event("c", TOPOLOGY_INIT, 10),
                    shown -> new Call.Shown(10, 0, List.of("b", "a", "c"), "b", "c", shown.cluster()));
            assertThat(run.broken()).contains("L4 Agreement");
        }

        @Test
        void twoClusterIdsOfOneView() {
            run.forgeShown(
                    event("c", TOPOLOGY_CHANGED, 11),
                    shown -> new Call.Shown(11, 0, shown.ids(), shown.leader(), "c", "other"));
            assertThat(run.broken()).containsExactly("L4 Agreement");
        }

        @Test
        void allReceivedAnotherViewThanWasPublished() {
            run.recording.views.set(1, view(11, 10, 11, "b", "c", "d"));
            assertThat(run.broken()).containsExactly("L4 Agreement");
        }

        @Test
        void aForkOfTheChain() {
            run.recording.views.add(view(12, 10, 12, "c"));
            assertThat(run.broken()).containsExactly("L4 Agreement");
        }

        @Test
        void twoViewsWithOneNumber() {
            run.recording.views.add(view(11, 10, 11, "b"));
            assertThat(run.broken()).contains("L4 Agreement");
        }

        @Test
        void aNewChainAfterTheTreeWasDeleted() {
            run.recording.views.add(view(30, 0, 30, "c"));
            run.addWindow(290, 310, 320, 330, ForgedRun.ANY, true);
            assertThat(run.broken()).isEmpty();
            run.recording.views.add(view(40, 0, 40, "d"));
            assertThat(run.broken()).containsExactly("L4 Agreement");
        }
    }

    @Test
    void theNextViewBeforeAMemberHasReturnedFromChanging() {
        run.forgeTimes(event("c", TOPOLOGY_CHANGING, 10), call -> call.returningAt(301));
        run.forgeTimes(
                event("c", TOPOLOGY_CHANGED, 11),
                call -> new Received(call.by(), 302, 307, call.call(), call.processes()));
        assertThat(run.broken()).containsExactly("L5 Settled");
    }

    @Test
    void theNextViewWhileAMemberHasNoChangingEvent() {
        run.recording.received.removeIf(event("c", TOPOLOGY_CHANGING, 10).or(event("c", TOPOLOGY_CHANGED, 11)));
        assertThat(run.broken()).containsExactly("L5 Settled");
    }

    @Test
    void aListenerThatWasRemovedActsNoMore() {
        run.addListener(1001, 205, 290);
        assertThat(run.broken()).containsExactly("L5 Settled");
        run.recording.removed.add(new Removed(new Listener(process("c"), 1001), 292, 292));
        assertThat(run.broken()).isEmpty();
    }

    @Nested
    class OneCurrentLeader {

        @Test
        void aSingleAnswerWhileAnotherLedAllTheTime() {
            run.recording.yes.add(new Yes(process("c"), 340, 345, 9, 11, 0));
            assertThat(run.broken()).containsExactly("L6 One current leader");
        }

        @Test
        void twoAtOnce() {
            run.addAnswer("a", 350, 10);
            assertThat(run.broken()).contains("L6 One current leader");
        }

        @Test
        void aSingleAnswerProvesNothing() {
            run.recording.yes.removeIf(yes -> yes.process().equals(process("a")));
            run.recording.yes.add(new Yes(process("a"), 190, 350, 10, 10, 10));
            assertThat(run.broken()).isEmpty();
        }

        @Test
        void anotherObjectOfTheSameProcessIsAnotherLease() {
            run.recording.yes.add(new Yes(process("b"), 102, 103, 9, 11, 11));
            assertThat(run.broken()).doesNotContain("L6 One current leader");
        }
    }

    @Nested
    class Token {

        @Test
        void theNextLeaderHasTheSameToken() {
            run.recording.views.set(1, view(11, 10, 10, "b", "c"));
            assertThat(run.broken()).contains("L7 Token");
        }

        @Test
        void theTokenChangesUnderALeader() {
            run.recording.views.add(view(12, 11, 12, "b"));
            assertThat(run.broken()).containsExactly("L7 Token");
        }

        @Test
        void aNewTokenAfterARestore() {
            run.addWindow(110, 130, 140, 150, ForgedRun.ANY, true);
            run.recording.views.add(view(12, 11, 12, "b"));
            assertThat(run.broken()).isEmpty();
            run.recording.views.add(view(13, 12, 10, "b"));
            assertThat(run.broken()).containsExactly("L7 Token");
        }

        @Test
        void aLeaderReceivesAnotherToken() {
            run.recording.yes.replaceAll(yes ->
                    yes.view() == 11 ? new Yes(yes.process(), yes.before(), yes.after(), yes.object(), 11, 17) : yes);
            assertThat(run.broken()).contains("L7 Token");
        }

        @Test
        void aListenerReceivesAnotherToken() {
            run.recording.received.clear();
            run.addCall("a", 100, TOPOLOGY_INIT, 10, "a", "b", "c");
            run.forgeShown(call -> true, shown -> new Call.Shown(10, 9, shown.ids(), "a", "a", shown.cluster()));
            assertThat(run.broken()).containsExactly("L7 Token");
        }

        @Test
        void theStoreTakesAStaleWrite() {
            run.recording.store.add(new Accepted(3, 340, process("a"), 10));
            assertThat(run.broken()).containsExactly("L7 Guarded writes");
        }

        @Test
        void theStoreRefusesTheLeader() {
            run.addWrite("b", 350, 11, false);
            assertThat(run.broken()).containsExactly("L7 Guarded writes");
        }
    }

    @Test
    void aViewThatWasNotPublished() {
        run.addCall("c", 305, TOPOLOGY_CHANGING, 11, "b", "c");
        run.addCall("c", 320, TOPOLOGY_CHANGED, 12, "c");
        assertThat(run.broken()).containsExactly("L8 No fabricated view");
    }

    @Test
    void aViewWithoutItsReceiver() {
        run.addCall("d", 320, TOPOLOGY_INIT, 11, "b", "c");
        assertThat(run.broken()).containsExactly("L8 No fabricated view");
    }

    @Nested
    class NoNeedlessEvent {

        @Test
        void whileNothingIsDisturbed() {
            run.addCall("c", 380, TOPOLOGY_CHANGING, 11, "b", "c");
            assertThat(run.broken()).containsExactly("L9 No needless event");
        }

        @Test
        void whileSomethingHarmlessIsDone() {
            run.addWindow(360, 390, 390, 400, List.of(), false);
            run.addCall("c", 380, TOPOLOGY_CHANGING, 11, "b", "c");
            assertThat(run.broken()).containsExactly("L9 No needless event");
        }

        @Test
        void anEventThatCannotComeOfWhatIsDone() {
            run.addWindow(360, 390, 390, 400, List.of(PROPERTIES_CHANGED), false);
            run.addCall("c", 370, PROPERTIES_CHANGED, 11, "b", "c");
            assertThat(run.broken()).isEmpty();
            run.addCall("c", 380, TOPOLOGY_CHANGING, 11, "b", "c");
            assertThat(run.broken()).containsExactly("L9 No needless event");
        }

        @Test
        void equalProperties() {
            run.addCall("c", 320, PROPERTIES_CHANGED, 11, "b", "c");
            run.forge(
                    event("c", PROPERTIES_CHANGED, 11), call -> new Call(call.type(), call.shown(), true, true, true));
            assertThat(run.broken()).containsExactly("L9 No needless event");
        }

        @Test
        void aMachineThatStoodStillIsACause() {
            run.recording.gaps.add(new Gap(process("b"), -1_000_000_000L, 370));
            run.addCall("c", 380, TOPOLOGY_CHANGING, 11, "b", "c");
            assertThat(run.broken()).isEmpty();
        }

        @Test
        void severalShortGapsWithinALeaseAreACause() {
            run.recording.gaps.add(new Gap(process("b"), -2_000_000_000L, -1_600_000_000L));
            run.recording.gaps.add(new Gap(process("c"), -400_000_000L, -50_000_000L));
            run.addCall("c", 380, TOPOLOGY_CHANGING, 11, "b", "c");
            assertThat(run.broken()).isEmpty();
        }

        @Test
        void gapsOfSeveralProcessesAtTheSameTimeCountOnce() {
            run.recording.gaps.add(new Gap(process("b"), -1_000_000_000L, -600_000_000L));
            run.recording.gaps.add(new Gap(process("c"), -1_000_000_000L, -600_000_000L));
            run.addCall("c", 380, TOPOLOGY_CHANGING, 11, "b", "c");
            assertThat(run.broken()).containsExactly("L9 No needless event");
        }
    }

    @Nested
    class Liveness {

        private final long late = 400 + SettlingBound.of(run.recording).nanos() + 1;

        @Test
        void notAllAreSettledAgain() {
            run.recording.windows.remove(1);
            run.addWindow(200, 250, Recording.NEVER, Recording.NEVER, ForgedRun.ANY, false);
            assertThat(run.broken()).containsExactly("L10 Liveness");
        }

        @Test
        void oneIsSettledInTime() {
            settledAt(late - 1);
            assertThat(run.broken()).isEmpty();
        }

        @Test
        void oneIsSettledLate() {
            settledAt(late);
            assertThat(run.broken()).containsExactly("L10 Liveness");
        }

        @Test
        void theTimeCountsFromTheLastStart() {
            run.recording.starts.add(ForgedRun.started("b", 500));
            settledAt(late);
            assertThat(run.broken()).isEmpty();
        }

        @Test
        void theTimeCountsFromTheEndOfAQuarantine() {
            run.recording.rests.add(new Rest(process("c"), 300, 500));
            settledAt(late);
            assertThat(run.broken()).isEmpty();
        }

        @Test
        void aMachineThatStoodStillIsACause() {
            run.recording.gaps.add(new Gap(process("b"), 410, 500));
            settledAt(late);
            assertThat(run.broken()).isEmpty();
        }

        /** The calm begins at 400. */
        private void settledAt(long time) {
            run.addWindow(360, 400, time + 10, time + 20, ForgedRun.ANY, false);
            run.addCall("c", 370, TOPOLOGY_CHANGING, 11, "b", "c");
            run.addCall("c", time, TOPOLOGY_CHANGED, 12, "b", "c");
            run.addCall("b", 370, TOPOLOGY_CHANGING, 11, "b", "c");
            run.addCall("b", 390, TOPOLOGY_CHANGED, 12, "b", "c");
            run.recording.views.add(view(12, 11, 11, "b", "c"));
        }
    }

    @Test
    void oneInstanceIdTwiceInAView() {
        List<View.Seat> seats = new ArrayList<>(view(12, 11, 11, "b", "c").members());
        seats.add(new View.Seat("m-other", "c", "", 0));
        run.recording.views.add(new View(12, 11, 11, seats, Set.of(), "", 120));
        assertThat(run.broken()).containsExactly("L11 Identity");
    }

    @Test
    void aRecordingThatFailed() {
        run.recording.failures.add("a-1 at 3: the disk is full");
        assertThat(run.broken()).containsExactly("Recording");
    }

    @Test
    void anEmptyRecordingProvesNothing() {
        run.recording.yes.clear();
        assertThat(run.broken()).containsExactly("Recording");
    }
}
