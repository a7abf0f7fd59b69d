// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.it.chaos;

import static io.github.discoveryzk.it.chaos.ForgedRun.event;
import static io.github.discoveryzk.it.chaos.ForgedRun.process;
import static io.github.discoveryzk.it.chaos.LawChecker.GUARDED_WRITES;
import static io.github.discoveryzk.it.chaos.LawChecker.RECORDING;
import static io.github.discoveryzk.testing.laws.Laws.AGREEMENT;
import static io.github.discoveryzk.testing.laws.Laws.GRAMMAR;
import static io.github.discoveryzk.testing.laws.Laws.IDENTITY;
import static io.github.discoveryzk.testing.laws.Laws.LEADER;
import static io.github.discoveryzk.testing.laws.Laws.LIVENESS;
import static io.github.discoveryzk.testing.laws.Laws.NO_FABRICATED_VIEW;
import static io.github.discoveryzk.testing.laws.Laws.NO_NEEDLESS_EVENT;
import static io.github.discoveryzk.testing.laws.Laws.ONE_CURRENT_LEADER;
import static io.github.discoveryzk.testing.laws.Laws.ORDER;
import static io.github.discoveryzk.testing.laws.Laws.SETTLED;
import static io.github.discoveryzk.testing.laws.Laws.TOKEN;
import static org.apache.sling.discovery.TopologyEvent.Type.PROPERTIES_CHANGED;
import static org.apache.sling.discovery.TopologyEvent.Type.TOPOLOGY_CHANGED;
import static org.apache.sling.discovery.TopologyEvent.Type.TOPOLOGY_CHANGING;
import static org.apache.sling.discovery.TopologyEvent.Type.TOPOLOGY_INIT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.github.discoveryzk.it.chaos.Recording.Rest;
import io.github.discoveryzk.it.chaos.recorder.Entry;
import io.github.discoveryzk.it.chaos.recorder.Entry.Accepted;
import io.github.discoveryzk.it.chaos.recorder.Entry.Failure;
import io.github.discoveryzk.it.chaos.recorder.Entry.Published;
import io.github.discoveryzk.it.chaos.recorder.Entry.Received;
import io.github.discoveryzk.it.chaos.recorder.Entry.Window;
import io.github.discoveryzk.it.chaos.recorder.Entry.Yes;
import io.github.discoveryzk.testing.laws.Call;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** For each law a run that breaks it: the checker must report that law and no other. */
class LawCheckerTest {

    private static final List<String> NONE = List.of();
    private static final long LATE =
            400 + SettlingBound.of(new ForgedRun().recording).nanos() + 1;

    @ParameterizedTest(name = "{0}")
    @MethodSource("runs")
    void reportsTheBrokenLaws(String what, List<String> broken, Consumer<ForgedRun> change) {
        ForgedRun run = new ForgedRun();
        change.accept(run);
        assertThat(run.broken()).containsExactlyInAnyOrderElementsOf(broken);
    }

    private static Arguments run(String what, List<String> broken, Consumer<ForgedRun> change) {
        return arguments(what, broken, change);
    }

    static Stream<Arguments> runs() {
        return Stream.of(
                run("a clean run is accepted", NONE, run -> {}),
                run("changed without changing", List.of(GRAMMAR, SETTLED), run -> run.recording
                        .calls()
                        .removeIf(event("c", TOPOLOGY_CHANGING, 10))),
                run(
                        "a call before the last one has returned",
                        List.of(GRAMMAR, SETTLED),
                        run -> run.returnAt("c", TOPOLOGY_CHANGING, 10, Entry.NEVER)),
                run("a call after the removal", List.of(GRAMMAR), run -> run.remove(1, 250)),
                run("the same object again before it has returned", List.of(GRAMMAR), run -> {
                    run.addListener(1001, 310, 330);
                    run.addListener(1002, 320, 340);
                }),
                run(
                        "a survivor that moves down",
                        List.of(ORDER, AGREEMENT),
                        run -> run.republish(10, 0, 10, "a", "c", "b")),
                run(
                        "a leader that is not the first",
                        List.of(LEADER),
                        run -> run.forgeShown(
                                call -> call.view() == 11,
                                shown -> new Call.Shown(11, 0, shown.ids(), "c", shown.local(), shown.cluster()))),
                run(
                        "two orders of one view",
                        List.of(AGREEMENT),
                        run -> run.forgeShown(
                                event("c", TOPOLOGY_INIT, 10),
                                shown -> new Call.Shown(10, 0, List.of("b", "a", "c"), "b", "c", shown.cluster()))),
                run(
                        "all received another view than was published",
                        List.of(AGREEMENT),
                        run -> run.republish(11, 10, 11, "b", "c", "d")),
                run("a fork of the chain", List.of(AGREEMENT), run -> run.publish(12, 10, 12, "c")),
                run(
                        "two views with one number",
                        List.of(AGREEMENT, TOKEN, NO_FABRICATED_VIEW),
                        run -> run.publish(11, 10, 11, "b")),
                run("a new chain after the tree was deleted", NONE, run -> {
                    run.publish(30, 0, 30, "c");
                    run.addWindow(290, 310, 320, 330, ForgedRun.ANY, true);
                }),
                run("a new chain for no reason", List.of(AGREEMENT), run -> {
                    run.publish(30, 0, 30, "c");
                    run.addWindow(290, 310, 320, 330, ForgedRun.ANY, true);
                    run.publish(40, 0, 40, "d");
                }),
                run("the next view before a member has returned from changing", List.of(SETTLED), run -> {
                    run.returnAt("c", TOPOLOGY_CHANGING, 10, 301);
                    run.forgeTimes(
                            event("c", TOPOLOGY_CHANGED, 11),
                            call -> new Received(call.by(), 302, 307, call.call(), call.processes()));
                }),
                run("the next view while a member has no changing event", List.of(SETTLED), run -> run.recording
                        .calls()
                        .removeIf(event("c", TOPOLOGY_CHANGING, 10).or(event("c", TOPOLOGY_CHANGED, 11)))),
                run("a listener that acts", List.of(SETTLED), run -> run.addListener(1001, 205, 290)),
                run("a listener that was removed acts no more", NONE, run -> {
                    run.addListener(1001, 205, 290);
                    run.remove(1001, 292);
                }),
                run(
                        "a single answer while another led all the time",
                        List.of(ONE_CURRENT_LEADER),
                        run -> run.recording.add(new Yes(process("c"), 340, 345, 9, 11, 0))),
                run(
                        "two at the same time",
                        List.of(ONE_CURRENT_LEADER, TOKEN, GUARDED_WRITES),
                        run -> run.addAnswer("a", 350, 10)),
                run("a single answer proves nothing", NONE, run -> {
                    run.recording.all(Yes.class).removeIf(yes -> yes.process().equals(process("a")));
                    run.recording.add(new Yes(process("a"), 190, 350, 10, 10, 10));
                }),
                run(
                        "another object of the same process is another lease",
                        List.of(TOKEN),
                        run -> run.recording.add(new Yes(process("b"), 102, 103, 9, 11, 11))),
                run("the next leader has the same token", List.of(TOKEN), run -> run.republish(11, 10, 10, "b", "c")),
                run("a new token after a restore", NONE, run -> {
                    run.addWindow(110, 130, 140, 150, ForgedRun.ANY, true);
                    run.publish(12, 11, 12, "b");
                }),
                run("a leader receives another token", List.of(TOKEN), run -> run.recording
                        .all(Yes.class)
                        .replaceAll(yes -> yes.view() == 11
                                ? new Yes(yes.process(), yes.before(), yes.after(), yes.object(), 11, 17)
                                : yes)),
                run(
                        "the store takes a stale write",
                        List.of(GUARDED_WRITES),
                        run -> run.recording.add(new Accepted(3, 340, process("a"), 10))),
                run("the store refuses the leader", List.of(GUARDED_WRITES), run -> run.addWrite("b", 350, 11, false)),
                run("a view that was not published", List.of(NO_FABRICATED_VIEW), run -> {
                    run.addCall("c", 305, TOPOLOGY_CHANGING, 11, "b", "c");
                    run.addCall("c", 320, TOPOLOGY_CHANGED, 12, "c");
                }),
                run(
                        "a view without its receiver",
                        List.of(NO_FABRICATED_VIEW),
                        run -> run.addCall("d", 320, TOPOLOGY_INIT, 11, "b", "c")),
                run(
                        "while nothing is disturbed",
                        List.of(NO_NEEDLESS_EVENT),
                        run -> run.addCall("c", 380, TOPOLOGY_CHANGING, 11, "b", "c")),
                run("an event that comes of what is done", NONE, run -> {
                    run.addWindow(360, 390, 390, 400, List.of(PROPERTIES_CHANGED), false);
                    run.addCall("c", 370, PROPERTIES_CHANGED, 11, "b", "c");
                }),
                run("an event that cannot come of what is done", List.of(NO_NEEDLESS_EVENT), run -> {
                    run.addWindow(360, 390, 390, 400, List.of(PROPERTIES_CHANGED), false);
                    run.addCall("c", 370, PROPERTIES_CHANGED, 11, "b", "c");
                    run.addCall("c", 380, TOPOLOGY_CHANGING, 11, "b", "c");
                }),
                run("equal properties", List.of(NO_NEEDLESS_EVENT), run -> {
                    run.addCall("c", 320, PROPERTIES_CHANGED, 11, "b", "c");
                    run.flag("c", PROPERTIES_CHANGED, 11, true, true, true);
                }),
                run("a machine that stood still is a cause", NONE, run -> {
                    run.addGap("b", -1_000_000_000L, 370);
                    run.addCall("c", 380, TOPOLOGY_CHANGING, 11, "b", "c");
                }),
                run("several short gaps within a lease are a cause", NONE, run -> {
                    run.addGap("b", -2_000_000_000L, -1_600_000_000L);
                    run.addGap("c", -400_000_000L, -50_000_000L);
                    run.addCall("c", 380, TOPOLOGY_CHANGING, 11, "b", "c");
                }),
                run("gaps of several processes at the same time count once", List.of(NO_NEEDLESS_EVENT), run -> {
                    run.addGap("b", -1_000_000_000L, -600_000_000L);
                    run.addGap("c", -1_000_000_000L, -600_000_000L);
                    run.addCall("c", 380, TOPOLOGY_CHANGING, 11, "b", "c");
                }),
                run("not all are settled again", List.of(LIVENESS), run -> {
                    run.recording.all(Window.class).remove(1);
                    run.addWindow(200, 250, Entry.NEVER, Entry.NEVER, ForgedRun.ANY, false);
                }),
                run("one is settled in time", NONE, run -> run.settleAt(LATE - 1)),
                run("one is settled late", List.of(LIVENESS), run -> run.settleAt(LATE)),
                run("the time counts from the last start", NONE, run -> {
                    run.recording.add(ForgedRun.started("b", 500));
                    run.settleAt(LATE);
                }),
                run("the time counts from the end of a quarantine", NONE, run -> {
                    run.recording.add(new Rest(process("c"), 300, 500));
                    run.settleAt(LATE);
                }),
                run("a machine that stood still is a cause", NONE, run -> {
                    run.addGap("b", 410, 500);
                    run.settleAt(LATE);
                }),
                run(
                        "one instance id twice in a view",
                        List.of(IDENTITY),
                        run -> run.recording.add(
                                new Published(12, 11, 11, List.of("m-b=b", "m-c=c", "m-other=c"), 120, 120))),
                run(
                        "a recording that failed",
                        List.of(RECORDING),
                        run -> run.recording.add(new Failure("a-1", 3, "the disk is full"))),
                run("an empty recording proves nothing", List.of(RECORDING), run -> run.recording
                        .all(Yes.class)
                        .clear()));
    }
}
