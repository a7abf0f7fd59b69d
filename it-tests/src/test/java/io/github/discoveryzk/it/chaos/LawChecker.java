// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.it.chaos;

import io.github.discoveryzk.it.chaos.recorder.Entry;
import io.github.discoveryzk.it.chaos.recorder.Entry.Accepted;
import io.github.discoveryzk.it.chaos.recorder.Entry.Answered;
import io.github.discoveryzk.it.chaos.recorder.Entry.Failure;
import io.github.discoveryzk.it.chaos.recorder.Entry.Gap;
import io.github.discoveryzk.it.chaos.recorder.Entry.Listener;
import io.github.discoveryzk.it.chaos.recorder.Entry.Received;
import io.github.discoveryzk.it.chaos.recorder.Entry.Removed;
import io.github.discoveryzk.it.chaos.recorder.Entry.Window;
import io.github.discoveryzk.it.chaos.recorder.Entry.Worked;
import io.github.discoveryzk.it.chaos.recorder.Entry.Write;
import io.github.discoveryzk.it.chaos.recorder.Entry.Yes;
import io.github.discoveryzk.testing.laws.Chain;
import io.github.discoveryzk.testing.laws.LawBroken;
import io.github.discoveryzk.testing.laws.Laws;
import io.github.discoveryzk.testing.laws.Listening;
import io.github.discoveryzk.testing.laws.View;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * Judges a whole run after it has ended: plays its recording to the laws, first the publications, then the calls of listeners in
 * the order of their times, and checks the answers of leaders, which are intervals.
 */
final class LawChecker {

    static final String GUARDED_WRITES = "L7 Guarded writes";
    static final String RECORDING = "Recording";

    /**
     * A machine that did not run for that long may have cost an instance its lease: a request after an eighth of the shortest session
     * timeout, 3 s, must be answered before two thirds of it, and there may be other delays.
     */
    private static final long LONG_GAP_NANOS = 700_000_000L;

    /** The time before an event in which several short gaps count together: about one lease. */
    private static final long LEASE_NANOS = 3_000_000_000L;

    /** How long after such a gap events may be its consequence. */
    private static final long AFTERMATH_NANOS = 10_000_000_000L;

    /** How long the removal of a listener that does not return waits for it, on the fastest clock. */
    private static final long REMOVAL_NANOS = (long) (2_000_000_000L / NodeSettings.MAX_RATE);

    private final Recording recording;
    private final List<LawBroken> broken = new ArrayList<>();
    private final Laws laws = new Laws(broken::add);
    private final Map<Listener, Listening> listeners = new HashMap<>();
    private Chain chain = Chain.EMPTY;

    private LawChecker(Recording recording) {
        this.recording = recording;
        recording.sort();
    }

    /** Returns all violations of all laws. */
    static List<LawBroken> check(Recording recording) {
        LawChecker checker = new LawChecker(recording);
        checker.checkRecording();
        checker.playViews();
        checker.playCalls();
        checker.checkAnswers();
        checker.checkLeaderships();
        checker.checkLiveness();
        checker.broken.addAll(DataChecker.check(recording));
        checker.broken.addAll(WorkChecker.check(recording));
        return checker.broken;
    }

    /** Not a law of discovery: a run proves nothing if its recording failed or no instance ever led. */
    private void checkRecording() {
        recording.all(Failure.class).forEach(failure -> laws.check(false, RECORDING, failure::toString));
        laws.check(
                !recording.calls().isEmpty()
                        && !recording.all(Yes.class).isEmpty()
                        && !recording.views().isEmpty()
                        && !recording.all(Accepted.class).isEmpty()
                        && !recording.all(Answered.class).isEmpty()
                        && !recording.all(Worked.class).isEmpty(),
                RECORDING,
                () -> "there are too few events, answers, views, writes or works");
    }

    /**
     * L4 promises one chain under the assumption that only this product writes below the root: a view that is published while
     * another client writes may follow another view than the last.
     */
    private void playViews() {
        Map<Long, Received> first = new HashMap<>();
        recording.calls().forEach(call -> first.putIfAbsent(call.view(), call));
        for (View published : recording.views()) {
            View view = completed(published, first.get(published.number()));
            Set<String> live = view.members().stream().map(View.Seat::node).collect(Collectors.toSet());
            boolean foreign = recording.all(Window.class).stream()
                    .anyMatch(window -> window.disturbance().foreign() && window.covers(view.at()));
            chain = laws.published(chain, view, live, foreign);
        }
    }

    /** Returns the view with what only listeners know: the cluster and the processes of its members. */
    private static View completed(View view, Received call) {
        if (call == null) {
            return view;
        }
        List<View.Seat> seats = view.members().stream()
                .map(seat -> {
                    int place = call.ids().indexOf(seat.instance());
                    String process = place < 0 ? "" : call.processes().get(place);
                    return new View.Seat(seat.node(), seat.instance(), process, 0);
                })
                .toList();
        String cluster = call.call().shown().cluster();
        return new View(view.number(), view.previous(), view.token(), seats, view.excluded(), cluster, view.at());
    }

    /** Plays returns before entries of the same time, and removals after them. */
    private void playCalls() {
        List<Moment> moments = new ArrayList<>();
        for (Received call : recording.calls()) {
            moments.add(new Moment(call.entered(), 1, () -> enter(call)));
            moments.add(new Moment(
                    call.returned(), 0, () -> listeners.computeIfPresent(call.by(), (by, state) -> state.returned())));
        }
        recording.all(Removed.class).forEach(removed -> {
            moments.add(new Moment(
                    released(removed),
                    2,
                    () -> listeners.computeIfPresent(removed.listener(), (by, state) -> state.afterWait())));
            moments.add(new Moment(
                    removed.at(),
                    3,
                    () -> listeners.computeIfPresent(removed.listener(), (by, state) -> state.afterRemoval())));
        });
        moments.stream()
                .filter(moment -> moment.time() != Entry.NEVER)
                .sorted(Comparator.comparingLong(Moment::time).thenComparing(Moment::rank))
                .forEach(moment -> moment.event().run());
    }

    private record Moment(long time, int rank, Runnable event) {}

    /** Returns when the listener ceases to delay changes, although the removal may return slightly later. */
    private static long released(Removed removed) {
        return Math.min(removed.at(), removed.begun() + REMOVAL_NANOS);
    }

    private void enter(Received call) {
        Listening before = listeners.getOrDefault(
                call.by(), Listening.to(call.by().process(), call.by().object()));
        listeners.put(
                call.by(), laws.called(chain, before, call.call(), isCaused(call), List.copyOf(listeners.values())));
    }

    /** L9: a disturbance that can be the cause; a standstill of the machine is one too. */
    private boolean isCaused(Received call) {
        return recording.all(Window.class).stream()
                        .anyMatch(window ->
                                window.disturbance().mayCause().contains(call.type()) && window.covers(call.entered()))
                || recording.standstill(call.entered() - LEASE_NANOS, call.entered()) >= LONG_GAP_NANOS
                || recording.all(Gap.class).stream()
                        .anyMatch(gap -> gap.after() - gap.before() >= LONG_GAP_NANOS
                                && gap.before() <= call.entered()
                                && call.entered() <= gap.after() + AFTERMATH_NANOS);
    }

    /** L7, and its purpose: the store accepts no write of an earlier leadership. */
    private void checkAnswers() {
        long highest = 0;
        String leader = "";
        for (Yes answer : recording.all(Yes.class)) {
            if (answer.token() != 0) {
                String other = leader;
                long last = highest;
                View view = chain.views().get(answer.view());
                laws.check(
                        view == null || view.token() == answer.token(),
                        Laws.TOKEN,
                        () -> answer + " but published was " + view);
                laws.check(
                        answer.token() != last || other.equals(answer.process()),
                        Laws.TOKEN,
                        () -> answer + " after " + other + " had that token");
                leader = answer.token() >= highest ? answer.process() : leader;
                highest = laws.acted(answer.process(), answer.token(), highest);
            }
        }
        Accepted last = null;
        for (Accepted write : recording.all(Accepted.class)) {
            Accepted before = last;
            laws.check(
                    before == null || write.token() >= before.token(),
                    GUARDED_WRITES,
                    () -> write + " after " + before);
            last = write;
        }
    }

    /** L6, and no guarded write of the current leader is refused. */
    private void checkLeaderships() {
        List<Span> spans = new ArrayList<>(certain(recording.all(Yes.class)));
        spans.sort(Comparator.comparingLong(Span::from));
        for (int i = 0; i < spans.size(); i++) {
            Span one = spans.get(i);
            for (int j = i + 1; j < spans.size() && spans.get(j).from() <= one.to(); j++) {
                Span other = spans.get(j);
                laws.check(
                        other.process().equals(one.process()) || !one.overlaps(other),
                        Laws.ONE_CURRENT_LEADER,
                        () -> one + " and " + other + " together for "
                                + Math.max(0, Math.min(one.to(), other.to()) - other.from()) / 1_000_000 + " ms");
            }
        }
        recording.all(Write.class).stream()
                .filter(write -> !write.accepted())
                .forEach(write -> laws.check(
                        spans.stream()
                                .noneMatch(span -> span.process().equals(write.process())
                                        && span.token() == write.token()
                                        && span.covers(write.before(), write.after())),
                        GUARDED_WRITES,
                        () -> write + " although it was the current leader"));
    }

    /**
     * Joins the answers of each view object. A view that is not current never becomes current again, so from the end of the
     * first "yes" to the beginning of the last one the answer was "yes" all the time. A single answer gives a span that ends
     * before it begins: it certainly overlaps a span that covers the whole interval, and no other.
     */
    private static List<Span> certain(List<Yes> answers) {
        Map<String, Span> spans = new HashMap<>();
        for (Yes yes : answers) {
            spans.merge(
                    yes.process() + " " + yes.object(),
                    new Span(yes.process(), yes.after(), yes.before(), yes.token()),
                    (known, next) -> new Span(
                            known.process(),
                            known.from(),
                            next.to(),
                            known.token() == 0 ? next.token() : known.token()));
        }
        return List.copyOf(spans.values());
    }

    /** A time in which a process certainly was the current leader by its own answers. */
    private record Span(String process, long from, long to, long token) {

        /** Whether the two certainly have a moment in common. */
        boolean overlaps(Span other) {
            return from <= other.to && other.from <= to;
        }

        boolean covers(long begin, long end) {
            return from <= begin && end <= to;
        }
    }

    /** L10: after each disturbance all are settled again, and in time. */
    private void checkLiveness() {
        SettlingBound bound = SettlingBound.of(recording);
        recording
                .all(Window.class)
                .forEach(window -> laws.check(
                        window.end() != Entry.NEVER,
                        Laws.LIVENESS,
                        () -> "not all were settled again after " + window.disturbance() + ", begun at "
                                + window.begin()));
        SettlingBound.settlings(recording)
                .forEach(settling -> laws.check(
                        settling.nanos() - settling.standstill() <= bound.nanos(),
                        Laws.LIVENESS,
                        () -> settling.process() + " was settled " + TimeUnit.NANOSECONDS.toMillis(settling.nanos())
                                + " ms after the end of " + settling.window().disturbance() + ", begun at "
                                + settling.window().begin() + ", which is more than " + bound));
    }
}
