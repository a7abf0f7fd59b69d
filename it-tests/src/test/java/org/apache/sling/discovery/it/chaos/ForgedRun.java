// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.it.chaos;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.apache.sling.discovery.it.chaos.Recording.Accepted;
import org.apache.sling.discovery.it.chaos.Recording.Gap;
import org.apache.sling.discovery.it.chaos.Recording.Listener;
import org.apache.sling.discovery.it.chaos.Recording.Node;
import org.apache.sling.discovery.it.chaos.Recording.Received;
import org.apache.sling.discovery.it.chaos.Recording.Removed;
import org.apache.sling.discovery.it.chaos.Recording.Rest;
import org.apache.sling.discovery.it.chaos.Recording.Seat;
import org.apache.sling.discovery.it.chaos.Recording.Started;
import org.apache.sling.discovery.it.chaos.Recording.View;
import org.apache.sling.discovery.it.chaos.Recording.Window;
import org.apache.sling.discovery.it.chaos.Recording.Write;
import org.apache.sling.discovery.it.chaos.Recording.Yes;

/**
 * A fabricated run, without a violation until a test adds one: a, b and c are settled in view 10 from time 100 on; a is killed
 * at 200; b and c are settled in view 11 from 300 on. The name of each process is that of its instance with a number.
 */
final class ForgedRun {

    private static final String CLUSTER = "k";

    final List<Received> received = new ArrayList<>();
    final List<Removed> removed = new ArrayList<>();
    final List<Yes> yes = new ArrayList<>();
    final List<Write> writes = new ArrayList<>();
    final List<Accepted> store = new ArrayList<>();
    final List<View> views = new ArrayList<>();
    final List<Window> windows = new ArrayList<>();
    final List<Gap> gaps = new ArrayList<>();
    final List<Started> starts = new ArrayList<>();
    final List<Rest> rests = new ArrayList<>();
    final List<String> failures = new ArrayList<>();

    ForgedRun() {
        Stream.of("a", "b", "c").forEach(each -> addCall(each, 100, Received.INIT, 10, 10, "a", "b", "c"));
        Stream.of("b", "c").forEach(each -> addCall(each, 210, Received.CHANGING, 10, 10, "a", "b", "c"));
        Stream.of("b", "c").forEach(each -> addCall(each, 300, Received.CHANGED, 11, 11, "b", "c"));
        for (int time = 110; time < 200; time += 10) {
            addAnswer("a", time, 10, 10);
        }
        for (int time = 310; time < 400; time += 10) {
            addAnswer("b", time, 11, 11);
        }
        addWrite("a", 120, 10, true);
        addWrite("b", 320, 11, true);
        addWrite("a", 330, 10, false);
        views.add(view(10, 0, 10, "a", "b", "c"));
        views.add(view(11, 10, 11, "b", "c"));
        Stream.of("a", "b", "c").forEach(each -> starts.add(started(each, 10)));
        windows.add(window("start", 0, 50, 100, 150));
        windows.add(window("killed", 200, 250, 300, 350));
    }

    static Window window(String kind, long begin, long ended, long settled, long end) {
        return new Window(kind, begin, ended, settled, end, Received.TYPES, false, "what was " + kind);
    }

    static Started started(String instance, long at) {
        return new Started(process(instance), at, NodeSettings.SESSION_MILLIS, NodeSettings.SETTLE_MILLIS, "LEASE", 1);
    }

    /** Adds an event, received at a time, with the return of the listener shortly after. */
    void addCall(String instance, long at, String type, long view, long token, String... order) {
        List<Seat> seats =
                Stream.of(order).map(each -> new Seat(each, process(each))).toList();
        received.add(new Received(
                listener(instance), at, at + 5, type, view, token, true, false, true, seats, order[0], CLUSTER));
    }

    /** Adds a listener of c that receives INIT with the view of that time. */
    void addListener(int subscription, long entered, long returned) {
        boolean first = entered < 300;
        List<Seat> order = received.stream()
                .filter(event("c", first ? Received.INIT : Received.CHANGED, first ? 10 : 11))
                .findFirst()
                .orElseThrow()
                .order();
        received.add(new Received(
                new Listener(process("c"), subscription),
                entered,
                returned,
                Received.INIT,
                first ? 10 : 11,
                0,
                true,
                false,
                true,
                order,
                order.get(0).instance(),
                "k"));
    }

    void addAnswer(String instance, long at, long view, long token) {
        yes.add(new Yes(process(instance), at, at + 1, (int) view, view, token));
    }

    void addWrite(String instance, long at, long token, boolean accepted) {
        writes.add(new Write(process(instance), at, at + 1, token, accepted));
        if (accepted) {
            store.add(new Accepted(store.size() + 1, at, process(instance), token));
        }
    }

    /** Returns a view that was published at ten times its number. */
    static View view(long number, long previous, long token, String... order) {
        return new View(
                number,
                previous,
                token,
                Stream.of(order).map(each -> new Node("m-" + each, each)).toList(),
                number * 10);
    }

    static Listener listener(String instance) {
        return new Listener(process(instance), 1);
    }

    static String process(String instance) {
        return instance + "-1";
    }

    /** Finds the events of an instance about a view. */
    static Predicate<Received> event(String instance, String type, long view) {
        return call -> call.by().equals(listener(instance)) && call.type().equals(type) && call.view() == view;
    }

    /** Replaces events. */
    void forge(Predicate<Received> which, UnaryOperator<Received> change) {
        received.replaceAll(call -> which.test(call) ? change.apply(call) : call);
    }

    Recording recording() {
        return new Recording(received, removed, yes, writes, store, views, windows, gaps, starts, rests, failures);
    }

    /** Returns the laws that the checker finds broken. */
    List<String> broken() {
        return LawChecker.check(recording()).stream()
                .map(LawChecker.Violation::law)
                .distinct()
                .toList();
    }
}
