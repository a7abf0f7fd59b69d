// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.it.chaos;

import static org.apache.sling.discovery.TopologyEvent.Type.TOPOLOGY_CHANGED;
import static org.apache.sling.discovery.TopologyEvent.Type.TOPOLOGY_CHANGING;
import static org.apache.sling.discovery.TopologyEvent.Type.TOPOLOGY_INIT;

import io.github.discoveryzk.it.chaos.recorder.Entry.Accepted;
import io.github.discoveryzk.it.chaos.recorder.Entry.Answered;
import io.github.discoveryzk.it.chaos.recorder.Entry.Disturbance;
import io.github.discoveryzk.it.chaos.recorder.Entry.Gap;
import io.github.discoveryzk.it.chaos.recorder.Entry.Listener;
import io.github.discoveryzk.it.chaos.recorder.Entry.Published;
import io.github.discoveryzk.it.chaos.recorder.Entry.Received;
import io.github.discoveryzk.it.chaos.recorder.Entry.Removed;
import io.github.discoveryzk.it.chaos.recorder.Entry.Started;
import io.github.discoveryzk.it.chaos.recorder.Entry.Window;
import io.github.discoveryzk.it.chaos.recorder.Entry.Worked;
import io.github.discoveryzk.it.chaos.recorder.Entry.Write;
import io.github.discoveryzk.it.chaos.recorder.Entry.Yes;
import io.github.discoveryzk.testing.laws.Call;
import io.github.discoveryzk.testing.laws.LawBroken;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.apache.sling.discovery.TopologyEvent.Type;

/**
 * A fabricated run, without a violation until a test adds one: a, b and c are settled in view 10 from time 100 on; a is killed
 * at 200; b and c are settled in view 11 from 300 on. The name of each process is that of its instance with a number.
 */
final class ForgedRun {

    static final List<Type> ANY = List.of(Type.values());

    final Recording recording = new Recording();

    ForgedRun() {
        Stream.of("a", "b", "c").forEach(each -> addCall(each, 100, TOPOLOGY_INIT, 10, "a", "b", "c"));
        Stream.of("b", "c").forEach(each -> addCall(each, 210, TOPOLOGY_CHANGING, 10, "a", "b", "c"));
        Stream.of("b", "c").forEach(each -> addCall(each, 300, TOPOLOGY_CHANGED, 11, "b", "c"));
        for (int time = 110; time < 200; time += 10) {
            addAnswer("a", time, 10);
        }
        for (int time = 310; time < 400; time += 10) {
            addAnswer("b", time, 11);
        }
        addWrite("a", 120, 10, true);
        addWrite("b", 320, 11, true);
        addWrite("a", 330, 10, false);
        recording.add(new Answered(process("c"), 340, "text", "Unknown", 0));
        recording.add(new Worked(process("c"), 340, List.of()));
        recording.add(published(10, 0, 10, "a", "b", "c"));
        recording.add(published(11, 10, 11, "b", "c"));
        Stream.of("a", "b", "c").forEach(each -> recording.add(started(each, 10)));
        addWindow(0, 50, 100, 150, ANY, false);
        addWindow(200, 250, 300, 350, ANY, false);
    }

    void addWindow(long begin, long ended, long settled, long end, List<Type> mayCause, boolean foreign) {
        addWindow("killed", begin, ended, settled, end, mayCause, foreign);
    }

    void addWindow(String kind, long begin, long ended, long settled, long end, List<Type> mayCause, boolean foreign) {
        recording.add(new Window(
                begin, ended, settled, end, new Disturbance(List.of(kind), mayCause, foreign, "what was " + kind)));
    }

    static Started started(String instance, long at) {
        return new Started(process(instance), at, NodeSettings.SESSION_MILLIS, NodeSettings.SETTLE_MILLIS);
    }

    /** Adds an event, received at a time, with the return of the listener shortly after. */
    void addCall(String instance, long at, Type type, long view, String... order) {
        addCall(listener(instance), at, at + 5, type, view, order);
    }

    private void addCall(Listener listener, long at, long returned, Type type, long view, String... order) {
        String instance = listener.process().substring(0, 1);
        Call.Shown shown = new Call.Shown(view, 0, List.of(order), order[0], instance, "k");
        recording.add(new Received(
                listener,
                at,
                returned,
                new Call(type, shown, true, true, false),
                Stream.of(order).map(ForgedRun::process).toList()));
    }

    /** Adds a listener of c that receives INIT with the view of that time. */
    void addListener(int subscription, long entered, long returned) {
        Listener listener = new Listener(process("c"), subscription);
        if (entered < 300) {
            addCall(listener, entered, returned, TOPOLOGY_INIT, 10, "a", "b", "c");
        } else {
            addCall(listener, entered, returned, TOPOLOGY_INIT, 11, "b", "c");
        }
    }

    void addAnswer(String instance, long at, long view) {
        recording.add(new Yes(process(instance), at, at + 1, (int) view, view, view));
    }

    void addWrite(String instance, long at, long token, boolean accepted) {
        recording.add(new Write(process(instance), at, at + 1, token, accepted));
        if (accepted) {
            recording.add(new Accepted(recording.all(Accepted.class).size() + 1, at, process(instance), token));
        }
    }

    /** Adds a disturbance that ends at 400, and the view after it, in which c is settled at that time. */
    void settleAt(long time) {
        addWindow(360, 400, time + 10, time + 20, ANY, false);
        addCall("c", 370, TOPOLOGY_CHANGING, 11, "b", "c");
        addCall("c", time, TOPOLOGY_CHANGED, 12, "b", "c");
        addCall("b", 370, TOPOLOGY_CHANGING, 11, "b", "c");
        addCall("b", 390, TOPOLOGY_CHANGED, 12, "b", "c");
        recording.add(published(12, 11, 11, "b", "c"));
    }

    /** Returns a view that was published at ten times its number, which is its transaction too. */
    static Published published(long number, long previous, long token, String... order) {
        List<String> members =
                Stream.of(order).map(each -> "m-" + each + "=" + each).toList();
        return new Published(number, previous, token, members, number * 10, number * 10);
    }

    static Listener listener(String instance) {
        return new Listener(process(instance), 1);
    }

    static String process(String instance) {
        return instance + "-1";
    }

    /** Finds the events of an instance about a view. */
    static Predicate<Received> event(String instance, Type type, long view) {
        return call -> call.by().equals(listener(instance)) && call.type() == type && call.view() == view;
    }

    void publish(long number, long previous, long token, String... order) {
        recording.add(published(number, previous, token, order));
    }

    /** Replaces a view that was published. */
    void republish(long number, long previous, long token, String... order) {
        recording.all(Published.class).removeIf(view -> view.number() == number);
        publish(number, previous, token, order);
    }

    void addGap(String instance, long before, long after) {
        recording.add(new Gap(process(instance), before, after));
    }

    /** Removes a listener of c at a time. */
    void remove(int subscription, long at) {
        recording.add(new Removed(new Listener(process("c"), subscription), at, at));
    }

    /** Replaces what is said about the views of an event. */
    void flag(String instance, Type type, long view, boolean sameOld, boolean sameStructure, boolean equalProperties) {
        forge(
                event(instance, type, view),
                call -> new Call(type, call.shown(), sameOld, sameStructure, equalProperties));
    }

    /** Makes the listener return from an event at a time. */
    void returnAt(String instance, Type type, long view, long time) {
        forgeTimes(event(instance, type, view), call -> call.returningAt(time));
    }

    /** Replaces calls, with their times. */
    void forgeTimes(Predicate<Received> which, UnaryOperator<Received> change) {
        recording.calls().replaceAll(call -> which.test(call) ? change.apply(call) : call);
    }

    private void forge(Predicate<Received> which, UnaryOperator<Call> change) {
        forgeTimes(
                which,
                call -> new Received(
                        call.by(), call.entered(), call.returned(), change.apply(call.call()), call.processes()));
    }

    /** Replaces the view that listeners were shown. */
    void forgeShown(Predicate<Received> which, UnaryOperator<Call.Shown> change) {
        forge(
                which,
                call -> new Call(
                        call.type(),
                        change.apply(call.shown()),
                        call.sameOld(),
                        call.sameStructure(),
                        call.equalProperties()));
    }

    /** Returns the laws that the checker finds broken. */
    List<String> broken() {
        return LawChecker.check(recording).stream()
                .map(LawBroken::law)
                .distinct()
                .toList();
    }
}
