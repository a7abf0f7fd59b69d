// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.it.chaos;

import static org.apache.sling.discovery.it.chaos.ForgedRun.event;
import static org.apache.sling.discovery.it.chaos.ForgedRun.listener;
import static org.apache.sling.discovery.it.chaos.ForgedRun.process;
import static org.apache.sling.discovery.it.chaos.ForgedRun.view;
import static org.apache.sling.discovery.it.chaos.ForgedRun.window;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import org.apache.sling.discovery.it.chaos.Recording.Accepted;
import org.apache.sling.discovery.it.chaos.Recording.Gap;
import org.apache.sling.discovery.it.chaos.Recording.Listener;
import org.apache.sling.discovery.it.chaos.Recording.Node;
import org.apache.sling.discovery.it.chaos.Recording.Received;
import org.apache.sling.discovery.it.chaos.Recording.Removed;
import org.apache.sling.discovery.it.chaos.Recording.Rest;
import org.apache.sling.discovery.it.chaos.Recording.View;
import org.apache.sling.discovery.it.chaos.Recording.Window;
import org.apache.sling.discovery.it.chaos.Recording.Yes;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** For each law a run that breaks it: the checker must report that law and no other. */
class LawCheckerTest {

    private final ForgedRun run = new ForgedRun();

    @Test
    void aCleanRunIsAccepted() {
        assertThat(LawChecker.check(run.recording())).isEmpty();
    }

    @Nested
    class Grammar {

        @Test
        void changedWithoutChanging() {
            run.received.removeIf(event("c", Received.CHANGING, 10));
            assertThat(run.broken()).contains("L1 Grammar");
        }

        @Test
        void twoInits() {
            run.forge(event("c", Received.CHANGED, 11), call -> ForgedCall.typed(call, Received.INIT));
            assertThat(run.broken()).containsExactly("L1 Grammar");
        }

        @Test
        void aCallBeforeTheLastOneHasReturned() {
            run.forge(event("c", Received.CHANGING, 10), call -> call.returningAt(Recording.NEVER));
            assertThat(run.broken()).contains("L1 Grammar");
        }

        @Test
        void aCallAfterTheRemoval() {
            run.removed.add(new Removed(listener("c"), 250, 250));
            assertThat(run.broken()).containsExactly("L1 Grammar");
        }

        @Test
        void anotherStructureWithPropertiesChanged() {
            run.addCall("c", 320, Received.PROPERTIES, 11, 0, "b", "c");
            assertThat(run.broken()).isEmpty();
            run.forge(event("c", Received.PROPERTIES, 11), ForgedCall::withAnotherStructure);
            assertThat(run.broken()).containsExactly("L1 Grammar");
        }

        @Test
        void anOldViewThatWasNotSent() {
            run.forge(event("c", Received.CHANGING, 10), ForgedCall::withAnotherOldView);
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
            run.addCall("a", 205, Received.CHANGING, 10, 10, "a", "b", "c");
            run.forge(event("a", Received.CHANGING, 10), call -> call.returningAt(Recording.NEVER));
            assertThat(run.broken()).isEmpty();
        }
    }

    @Test
    void aSurvivorThatMovesDown() {
        run.views.set(0, view(10, 0, 10, "a", "c", "b"));
        assertThat(run.broken()).contains("L2 Order");
    }

    @Test
    void aNewcomerBeforeASurvivor() {
        run.views.add(view(12, 11, 12, "d", "b", "c"));
        assertThat(run.broken()).contains("L2 Order", "L3 Leader");
    }

    @Test
    void aLeaderThatIsNotTheFirst() {
        run.received.replaceAll(call -> call.view() == 11 ? ForgedCall.ledBy(call, "c") : call);
        assertThat(run.broken()).containsExactly("L3 Leader");
    }

    @Nested
    class Agreement {

        @Test
        void twoOrdersOfOneView() {
            run.forge(event("c", Received.INIT, 10), call -> ForgedCall.ordered(call, 1, 0, 2));
            assertThat(run.broken()).contains("L4 Agreement");
        }

        @Test
        void twoClusterIdsOfOneView() {
            run.forge(event("c", Received.CHANGED, 11), ForgedCall::ofAnotherCluster);
            assertThat(run.broken()).containsExactly("L4 Agreement");
        }

        @Test
        void allReceivedAnotherViewThanWasPublished() {
            run.views.set(1, view(11, 10, 11, "b", "c", "d"));
            assertThat(run.broken()).containsExactly("L4 Agreement");
        }

        @Test
        void aForkOfTheChain() {
            run.views.add(view(12, 10, 12, "c"));
            assertThat(run.broken()).containsExactly("L4 Agreement");
        }

        @Test
        void twoViewsWithOneNumber() {
            run.views.add(view(11, 10, 11, "b"));
            assertThat(run.broken()).contains("L4 Agreement");
        }

        @Test
        void aNewChainAfterTheTreeWasDeleted() {
            run.views.add(view(30, 0, 30, "c"));
            run.windows.add(new Window("tree deleted", 290, 310, 320, 330, Received.TYPES, true, "TreeDeleted[]"));
            assertThat(run.broken()).isEmpty();
            run.views.add(view(40, 0, 40, "d"));
            assertThat(run.broken()).containsExactly("L4 Agreement");
        }
    }

    @Test
    void theNextViewBeforeAMemberHasReturnedFromChanging() {
        run.forge(event("c", Received.CHANGING, 10), call -> call.returningAt(301));
        run.forge(event("c", Received.CHANGED, 11), call -> ForgedCall.enteredAt(call, 302));
        assertThat(run.broken()).containsExactly("L5 Settled");
    }

    @Test
    void theNextViewWhileAMemberHasNoChangingEvent() {
        run.received.removeIf(event("c", Received.CHANGING, 10).or(event("c", Received.CHANGED, 11)));
        assertThat(run.broken()).containsExactly("L5 Settled");
    }

    @Test
    void aListenerThatWasRemovedActsNoMore() {
        run.addListener(1001, 205, 290);
        assertThat(run.broken()).containsExactly("L5 Settled");
        run.removed.add(new Removed(new Listener(process("c"), 1001), 292, 292));
        assertThat(run.broken()).isEmpty();
    }

    @Nested
    class OneCurrentLeader {

        @Test
        void aSingleAnswerWhileAnotherLedAllTheTime() {
            run.yes.add(new Yes(process("c"), 340, 345, 9, 11, 0));
            assertThat(run.broken()).containsExactly("L6 One current leader");
        }

        @Test
        void twoAtOnce() {
            run.addAnswer("a", 350, 10, 10);
            assertThat(run.broken()).contains("L6 One current leader");
        }

        @Test
        void aSingleAnswerProvesNothing() {
            run.yes.removeIf(yes -> yes.process().equals(process("a")));
            run.yes.add(new Yes(process("a"), 190, 350, 10, 10, 10));
            assertThat(run.broken()).isEmpty();
        }

        @Test
        void anotherObjectOfTheSameProcessIsAnotherLease() {
            run.yes.add(new Yes(process("b"), 102, 103, 9, 11, 11));
            assertThat(run.broken()).doesNotContain("L6 One current leader");
        }
    }

    @Nested
    class Token {

        @Test
        void theNextLeaderHasTheSameToken() {
            run.views.set(1, view(11, 10, 10, "b", "c"));
            assertThat(run.broken()).contains("L7 Token");
        }

        @Test
        void theTokenChangesUnderALeader() {
            run.views.add(view(12, 11, 12, "b"));
            assertThat(run.broken()).containsExactly("L7 Token");
        }

        @Test
        void aNewTokenAfterARestore() {
            run.windows.add(new Window("restored", 110, 130, 140, 150, Received.TYPES, true, "Restored[]"));
            run.views.add(view(12, 11, 12, "b"));
            assertThat(run.broken()).isEmpty();
            run.views.add(view(13, 12, 10, "b"));
            assertThat(run.broken()).containsExactly("L7 Token");
        }

        @Test
        void aLeaderReceivesAnotherToken() {
            run.yes.replaceAll(yes ->
                    yes.view() == 11 ? new Yes(yes.process(), yes.before(), yes.after(), yes.object(), 11, 17) : yes);
            assertThat(run.broken()).contains("L7 Token");
        }

        @Test
        void aListenerReceivesAnotherToken() {
            run.received.clear();
            run.addCall("a", 100, Received.INIT, 10, 9, "a", "b", "c");
            assertThat(run.broken()).containsExactly("L7 Token");
        }

        @Test
        void theStoreTakesAStaleWrite() {
            run.store.add(new Accepted(3, 340, process("a"), 10));
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
        run.addCall("c", 305, Received.CHANGING, 11, 11, "b", "c");
        run.addCall("c", 320, Received.CHANGED, 12, 0, "c");
        assertThat(run.broken()).containsExactly("L8 No fabricated view");
    }

    @Test
    void aViewWithoutItsReceiver() {
        run.addCall("d", 320, Received.INIT, 11, 0, "b", "c");
        assertThat(run.broken()).containsExactly("L8 No fabricated view");
    }

    @Nested
    class NoNeedlessEvent {

        @Test
        void whileNothingIsDisturbed() {
            run.addCall("c", 380, Received.CHANGING, 11, 0, "b", "c");
            assertThat(run.broken()).containsExactly("L9 No needless event");
        }

        @Test
        void whileSomethingHarmlessIsDone() {
            run.windows.add(new Window("delayed", 360, 390, 390, 400, Set.of(), false, "Delayed[c]"));
            run.addCall("c", 380, Received.CHANGING, 11, 0, "b", "c");
            assertThat(run.broken()).containsExactly("L9 No needless event");
        }

        @Test
        void anEventThatCannotComeOfWhatIsDone() {
            Set<String> may = Set.of(Received.PROPERTIES);
            run.windows.add(new Window("property burst", 360, 390, 390, 400, may, false, "PropertyBurst[c]"));
            run.addCall("c", 370, Received.PROPERTIES, 11, 0, "b", "c");
            assertThat(run.broken()).isEmpty();
            run.addCall("c", 380, Received.CHANGING, 11, 0, "b", "c");
            assertThat(run.broken()).containsExactly("L9 No needless event");
        }

        @Test
        void equalProperties() {
            run.addCall("c", 320, Received.PROPERTIES, 11, 0, "b", "c");
            run.forge(event("c", Received.PROPERTIES, 11), ForgedCall::withEqualProperties);
            assertThat(run.broken()).containsExactly("L9 No needless event");
        }

        @Test
        void aMachineThatStoodStillIsACause() {
            run.gaps.add(new Gap(process("b"), -1_000_000_000L, 370));
            run.addCall("c", 380, Received.CHANGING, 11, 0, "b", "c");
            assertThat(run.broken()).isEmpty();
        }

        @Test
        void severalShortGapsWithinALeaseAreACause() {
            run.gaps.add(new Gap(process("b"), -2_000_000_000L, -1_600_000_000L));
            run.gaps.add(new Gap(process("c"), -400_000_000L, -50_000_000L));
            run.addCall("c", 380, Received.CHANGING, 11, 0, "b", "c");
            assertThat(run.broken()).isEmpty();
        }

        @Test
        void gapsOfSeveralProcessesAtTheSameTimeCountOnce() {
            run.gaps.add(new Gap(process("b"), -1_000_000_000L, -600_000_000L));
            run.gaps.add(new Gap(process("c"), -1_000_000_000L, -600_000_000L));
            run.addCall("c", 380, Received.CHANGING, 11, 0, "b", "c");
            assertThat(run.broken()).containsExactly("L9 No needless event");
        }
    }

    @Nested
    class Liveness {

        private final long late = 400 + SettlingBound.of(run.recording()).nanos() + 1;

        @Test
        void notAllAreSettledAgain() {
            run.windows.set(1, window("killed", 200, 250, Recording.NEVER, Recording.NEVER));
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
            run.starts.add(ForgedRun.started("b", 500));
            settledAt(late);
            assertThat(run.broken()).isEmpty();
        }

        @Test
        void theTimeCountsFromTheEndOfAQuarantine() {
            run.rests.add(new Rest(process("c"), 300, 500));
            settledAt(late);
            assertThat(run.broken()).isEmpty();
        }

        @Test
        void aMachineThatStoodStillIsACause() {
            run.gaps.add(new Gap(process("b"), 410, 500));
            settledAt(late);
            assertThat(run.broken()).isEmpty();
        }

        /** The calm begins at 400. */
        private void settledAt(long time) {
            run.windows.add(window("cut off", 360, 400, time + 10, time + 20));
            run.addCall("c", 370, Received.CHANGING, 11, 0, "b", "c");
            run.addCall("c", time, Received.CHANGED, 12, 0, "b", "c");
            run.addCall("b", 370, Received.CHANGING, 11, 11, "b", "c");
            run.addCall("b", 390, Received.CHANGED, 12, 11, "b", "c");
            run.views.add(view(12, 11, 11, "b", "c"));
        }
    }

    @Test
    void oneInstanceIdTwiceInAView() {
        run.views.add(new View(12, 11, 11, List.of(node("b"), node("c"), new Node("m-other", "c")), 120));
        assertThat(run.broken()).containsExactly("L11 Identity");
    }

    @Test
    void aRecordingThatFailed() {
        run.failures.add("a-1 at 3: the disk is full");
        assertThat(run.broken()).containsExactly("Recording");
    }

    @Test
    void anEmptyRecordingProvesNothing() {
        run.yes.clear();
        assertThat(run.broken()).containsExactly("Recording");
    }

    private static Node node(String instance) {
        return new Node("m-" + instance, instance);
    }
}
