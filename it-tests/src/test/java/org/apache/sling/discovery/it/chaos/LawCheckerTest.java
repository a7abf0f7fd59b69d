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
import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.apache.sling.discovery.it.chaos.Recording.Accepted;
import org.apache.sling.discovery.it.chaos.Recording.Gap;
import org.apache.sling.discovery.it.chaos.Recording.Listener;
import org.apache.sling.discovery.it.chaos.Recording.Received;
import org.apache.sling.discovery.it.chaos.Recording.Removed;
import org.apache.sling.discovery.it.chaos.Recording.Rest;
import org.apache.sling.discovery.it.chaos.Recording.Yes;
import org.apache.sling.discovery.testing.laws.Call;
import org.apache.sling.discovery.testing.laws.View;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** For each law a run that breaks it: the checker must report that law and no other. */
class LawCheckerTest {

    private static final long LATE =
            400 + SettlingBound.of(new ForgedRun().recording).nanos() + 1;

    @ParameterizedTest(name = "{0}")
    @MethodSource("runs")
    void reportsTheBrokenLaws(String what, Consumer<ForgedRun> change, List<String> broken) {
        ForgedRun run = new ForgedRun();
        change.accept(run);
        assertThat(run.broken()).containsExactlyInAnyOrderElementsOf(broken);
    }

    private static Arguments run(String what, Consumer<ForgedRun> change, String... broken) {
        return arguments(what, change, List.of(broken));
    }

    static Stream<Arguments> runs() {
        return Stream.of(
                run("a clean run is accepted", run -> {}),
                run(
                        "changed without changing",
                        run -> run.recording.received.removeIf(event("c", TOPOLOGY_CHANGING, 10)),
                        "L1 Grammar",
                        "L5 Settled"),
                run(
                        "two inits",
                        run -> run.forge(
                                event("c", TOPOLOGY_CHANGED, 11),
                                call -> new Call(TOPOLOGY_INIT, call.shown(), true, true, false)),
                        "L1 Grammar"),
                run(
                        "a call before the last one has returned",
                        run -> run.forgeTimes(
                                event("c", TOPOLOGY_CHANGING, 10), call -> call.returningAt(Recording.NEVER)),
                        "L1 Grammar",
                        "L5 Settled"),
                run(
                        "a call after the removal",
                        run -> run.recording.removed.add(new Removed(listener("c"), 250, 250)),
                        "L1 Grammar"),
                run("properties changed", run -> run.addCall("c", 320, PROPERTIES_CHANGED, 11, "b", "c")),
                run(
                        "another structure with properties changed",
                        run -> {
                            run.addCall("c", 320, PROPERTIES_CHANGED, 11, "b", "c");
                            run.forge(
                                    event("c", PROPERTIES_CHANGED, 11),
                                    call -> new Call(call.type(), call.shown(), true, false, false));
                        },
                        "L1 Grammar"),
                run(
                        "an old view that was not sent",
                        run -> run.forge(
                                event("c", TOPOLOGY_CHANGING, 10),
                                call -> new Call(call.type(), call.shown(), false, true, false)),
                        "L1 Grammar"),
                run(
                        "the same object again before it has returned",
                        run -> {
                            run.addListener(1001, 310, 330);
                            run.addListener(1002, 320, 340);
                        },
                        "L1 Grammar"),
                run("another object may be called at the same time", run -> {
                    run.addListener(1001, 310, 330);
                    run.addListener(2001, 320, 340);
                }),
                run("a killed process may not return", run -> {
                    run.addCall("a", 205, TOPOLOGY_CHANGING, 10, "a", "b", "c");
                    run.forgeTimes(event("a", TOPOLOGY_CHANGING, 10), call -> call.returningAt(Recording.NEVER));
                }),
                run(
                        "a survivor that moves down",
                        run -> run.recording.views.set(0, view(10, 0, 10, "a", "c", "b")),
                        "L2 Order",
                        "L4 Agreement"),
                run(
                        "a newcomer before a survivor",
                        run -> run.recording.views.add(view(12, 11, 12, "d", "b", "c")),
                        "L2 Order",
                        "L3 Leader"),
                run(
                        "a leader that is not the first",
                        run -> run.forgeShown(
                                call -> call.view() == 11,
                                shown -> new Call.Shown(11, 0, shown.ids(), "c", shown.local(), shown.cluster())),
                        "L3 Leader"),
                run(
                        "two orders of one view",
                        run -> run.forgeShown(
                                event("c", TOPOLOGY_INIT, 10),
                                shown -> new Call.Shown(10, 0, List.of("b", "a", "c"), "b", "c", shown.cluster())),
                        "L4 Agreement"),
                run(
                        "two cluster ids of one view",
                        run -> run.forgeShown(
                                event("c", TOPOLOGY_CHANGED, 11),
                                shown -> new Call.Shown(11, 0, shown.ids(), shown.leader(), "c", "other")),
                        "L4 Agreement"),
                run(
                        "all received another view than was published",
                        run -> run.recording.views.set(1, view(11, 10, 11, "b", "c", "d")),
                        "L4 Agreement"),
                run("a fork of the chain", run -> run.recording.views.add(view(12, 10, 12, "c")), "L4 Agreement"),
                run(
                        "two views with one number",
                        run -> run.recording.views.add(view(11, 10, 11, "b")),
                        "L4 Agreement",
                        "L7 Token",
                        "L8 No fabricated view"),
                run("a new chain after the tree was deleted", run -> {
                    run.recording.views.add(view(30, 0, 30, "c"));
                    run.addWindow(290, 310, 320, 330, ForgedRun.ANY, true);
                }),
                run(
                        "a new chain for no reason",
                        run -> {
                            run.recording.views.add(view(30, 0, 30, "c"));
                            run.addWindow(290, 310, 320, 330, ForgedRun.ANY, true);
                            run.recording.views.add(view(40, 0, 40, "d"));
                        },
                        "L4 Agreement"),
                run(
                        "the next view before a member has returned from changing",
                        run -> {
                            run.forgeTimes(event("c", TOPOLOGY_CHANGING, 10), call -> call.returningAt(301));
                            run.forgeTimes(
                                    event("c", TOPOLOGY_CHANGED, 11),
                                    call -> new Received(call.by(), 302, 307, call.call(), call.processes()));
                        },
                        "L5 Settled"),
                run(
                        "the next view while a member has no changing event",
                        run -> run.recording.received.removeIf(
                                event("c", TOPOLOGY_CHANGING, 10).or(event("c", TOPOLOGY_CHANGED, 11))),
                        "L5 Settled"),
                run("a listener that acts", run -> run.addListener(1001, 205, 290), "L5 Settled"),
                run("a listener that was removed acts no more", run -> {
                    run.addListener(1001, 205, 290);
                    run.recording.removed.add(new Removed(new Listener(process("c"), 1001), 292, 292));
                }),
                run(
                        "a single answer while another led all the time",
                        run -> run.recording.yes.add(new Yes(process("c"), 340, 345, 9, 11, 0)),
                        "L6 One current leader"),
                run(
                        "two at once",
                        run -> run.addAnswer("a", 350, 10),
                        "L6 One current leader",
                        "L7 Token",
                        "L7 Guarded writes"),
                run("a single answer proves nothing", run -> {
                    run.recording.yes.removeIf(yes -> yes.process().equals(process("a")));
                    run.recording.yes.add(new Yes(process("a"), 190, 350, 10, 10, 10));
                }),
                run(
                        "another object of the same process is another lease",
                        run -> run.recording.yes.add(new Yes(process("b"), 102, 103, 9, 11, 11)),
                        "L7 Token"),
                run(
                        "the next leader has the same token",
                        run -> run.recording.views.set(1, view(11, 10, 10, "b", "c")),
                        "L7 Token"),
                run(
                        "the token changes under a leader",
                        run -> run.recording.views.add(view(12, 11, 12, "b")),
                        "L7 Token"),
                run("a new token after a restore", run -> {
                    run.addWindow(110, 130, 140, 150, ForgedRun.ANY, true);
                    run.recording.views.add(view(12, 11, 12, "b"));
                }),
                run(
                        "an old token after a restore",
                        run -> {
                            run.addWindow(110, 130, 140, 150, ForgedRun.ANY, true);
                            run.recording.views.add(view(12, 11, 12, "b"));
                            run.recording.views.add(view(13, 12, 10, "b"));
                        },
                        "L7 Token"),
                run(
                        "a leader receives another token",
                        run -> run.recording.yes.replaceAll(yes -> yes.view() == 11
                                ? new Yes(yes.process(), yes.before(), yes.after(), yes.object(), 11, 17)
                                : yes),
                        "L7 Token"),
                run(
                        "a listener receives another token",
                        run -> {
                            run.recording.received.clear();
                            run.addCall("a", 100, TOPOLOGY_INIT, 10, "a", "b", "c");
                            run.forgeShown(
                                    call -> true,
                                    shown -> new Call.Shown(10, 9, shown.ids(), "a", "a", shown.cluster()));
                        },
                        "L7 Token"),
                run(
                        "the store takes a stale write",
                        run -> run.recording.store.add(new Accepted(3, 340, process("a"), 10)),
                        "L7 Guarded writes"),
                run("the store refuses the leader", run -> run.addWrite("b", 350, 11, false), "L7 Guarded writes"),
                run(
                        "a view that was not published",
                        run -> {
                            run.addCall("c", 305, TOPOLOGY_CHANGING, 11, "b", "c");
                            run.addCall("c", 320, TOPOLOGY_CHANGED, 12, "c");
                        },
                        "L8 No fabricated view"),
                run(
                        "a view without its receiver",
                        run -> run.addCall("d", 320, TOPOLOGY_INIT, 11, "b", "c"),
                        "L8 No fabricated view"),
                run(
                        "while nothing is disturbed",
                        run -> run.addCall("c", 380, TOPOLOGY_CHANGING, 11, "b", "c"),
                        "L9 No needless event"),
                run(
                        "while something harmless is done",
                        run -> {
                            run.addWindow(360, 390, 390, 400, List.of(), false);
                            run.addCall("c", 380, TOPOLOGY_CHANGING, 11, "b", "c");
                        },
                        "L9 No needless event"),
                run("an event that comes of what is done", run -> {
                    run.addWindow(360, 390, 390, 400, List.of(PROPERTIES_CHANGED), false);
                    run.addCall("c", 370, PROPERTIES_CHANGED, 11, "b", "c");
                }),
                run(
                        "an event that cannot come of what is done",
                        run -> {
                            run.addWindow(360, 390, 390, 400, List.of(PROPERTIES_CHANGED), false);
                            run.addCall("c", 370, PROPERTIES_CHANGED, 11, "b", "c");
                            run.addCall("c", 380, TOPOLOGY_CHANGING, 11, "b", "c");
                        },
                        "L9 No needless event"),
                run(
                        "equal properties",
                        run -> {
                            run.addCall("c", 320, PROPERTIES_CHANGED, 11, "b", "c");
                            run.forge(
                                    event("c", PROPERTIES_CHANGED, 11),
                                    call -> new Call(call.type(), call.shown(), true, true, true));
                        },
                        "L9 No needless event"),
                run("a machine that stood still is a cause", run -> {
                    run.recording.gaps.add(new Gap(process("b"), -1_000_000_000L, 370));
                    run.addCall("c", 380, TOPOLOGY_CHANGING, 11, "b", "c");
                }),
                run("several short gaps within a lease are a cause", run -> {
                    run.recording.gaps.add(new Gap(process("b"), -2_000_000_000L, -1_600_000_000L));
                    run.recording.gaps.add(new Gap(process("c"), -400_000_000L, -50_000_000L));
                    run.addCall("c", 380, TOPOLOGY_CHANGING, 11, "b", "c");
                }),
                run(
                        "gaps of several processes at the same time count once",
                        run -> {
                            run.recording.gaps.add(new Gap(process("b"), -1_000_000_000L, -600_000_000L));
                            run.recording.gaps.add(new Gap(process("c"), -1_000_000_000L, -600_000_000L));
                            run.addCall("c", 380, TOPOLOGY_CHANGING, 11, "b", "c");
                        },
                        "L9 No needless event"),
                run(
                        "not all are settled again",
                        run -> {
                            run.recording.windows.remove(1);
                            run.addWindow(200, 250, Recording.NEVER, Recording.NEVER, ForgedRun.ANY, false);
                        },
                        "L10 Liveness"),
                run("one is settled in time", run -> run.settleAt(LATE - 1)),
                run("one is settled late", run -> run.settleAt(LATE), "L10 Liveness"),
                run("the time counts from the last start", run -> {
                    run.recording.starts.add(ForgedRun.started("b", 500));
                    run.settleAt(LATE);
                }),
                run("the time counts from the end of a quarantine", run -> {
                    run.recording.rests.add(new Rest(process("c"), 300, 500));
                    run.settleAt(LATE);
                }),
                run("a machine that stood still is a cause", run -> {
                    run.recording.gaps.add(new Gap(process("b"), 410, 500));
                    run.settleAt(LATE);
                }),
                run(
                        "one instance id twice in a view",
                        run -> {
                            List<View.Seat> seats =
                                    new ArrayList<>(view(12, 11, 11, "b", "c").members());
                            seats.add(new View.Seat("m-other", "c", "", 0));
                            run.recording.views.add(new View(12, 11, 11, seats, Set.of(), "", 120));
                        },
                        "L11 Identity"),
                run(
                        "a recording that failed",
                        run -> run.recording.failures.add("a-1 at 3: the disk is full"),
                        "Recording"),
                run("an empty recording proves nothing", run -> run.recording.yes.clear(), "Recording"));
    }
}
