// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.it.chaos;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.sling.discovery.TopologyEvent;
import org.apache.sling.discovery.testing.laws.Call;
import org.apache.sling.discovery.testing.laws.View;

/**
 * The recording of a run. Times are nanoseconds of the monotonic clock of the machine; the name of a process has its instance
 * and its process id.
 */
final class Recording {

    static final String STORE = "store.log";
    static final String VIEWS = "views.log";
    static final String WINDOWS = "windows.log";

    /** The end of a time that has not ended. */
    static final long NEVER = Long.MAX_VALUE;

    private static final String SUFFIX = ".tsv";
    private static final String QUARANTINED = "QUARANTINED";

    /** The calls of listeners. */
    final List<Received> received = new ArrayList<>();

    final List<Removed> removed = new ArrayList<>();

    /** The answers of instances that they are the current leader. */
    final List<Yes> yes = new ArrayList<>();

    final List<Write> writes = new ArrayList<>();

    /** The writes that the guarded store accepted, in its order. */
    final List<Accepted> store = new ArrayList<>();

    /** The chain of views as the store of the cluster has it, without the processes of the members. */
    final List<View> views = new ArrayList<>();

    /** The disturbances with their times. */
    final List<Window> windows = new ArrayList<>();

    /** The times in which a process did not run although the test had not paused it. */
    final List<Gap> gaps = new ArrayList<>();

    final List<Started> starts = new ArrayList<>();
    final List<Rest> rests = new ArrayList<>();

    /** The failures of recorders. */
    final List<String> failures = new ArrayList<>();

    /** Reads the folder of a recorded run. */
    static Recording read(Path folder) {
        Recording recording = new Recording();
        try (Stream<Path> files = Files.list(folder)) {
            files.filter(file -> file.toString().endsWith(SUFFIX)).sorted().forEach(file -> {
                String name = file.getFileName().toString();
                recording.readProcess(name.substring(0, name.length() - SUFFIX.length()), lines(file));
            });
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        lines(folder.resolve(STORE)).forEach(line -> recording.store.add(line.as(Accepted.class)));
        lines(folder.resolve(WINDOWS)).forEach(line -> recording.windows.add(line.as(Window.class)));
        lines(folder.resolve(VIEWS)).stream()
                .map(line -> line.as(PublishedLine.class).view())
                .distinct()
                .forEach(recording.views::add);
        recording.sort();
        return recording;
    }

    /** Puts everything into the order of its times. */
    void sort() {
        received.sort(Comparator.comparingLong(Received::entered));
        yes.sort(Comparator.comparingLong(Yes::before));
        views.sort(Comparator.comparingLong(View::number));
        gaps.sort(Comparator.comparingLong(Gap::before));
    }

    /** Returns the complete lines. */
    static List<Line> lines(Path file) {
        try {
            String text = Files.exists(file) ? Files.readString(file) : "";
            return text.substring(0, text.lastIndexOf('\n') + 1)
                    .lines()
                    .map(Line::of)
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void readProcess(String process, List<Line> lines) {
        Map<Listener, Integer> open = new HashMap<>();
        for (Line line : lines) {
            Line values = line.after(process);
            switch (line.kind()) {
                case "enter" -> {
                    Received call = values.as(Received.class);
                    open.put(call.by(), received.size());
                    received.add(call);
                }
                case "return" -> {
                    Returned call = values.as(Returned.class);
                    Integer index = open.remove(call.by());
                    // Two calls at once: the overtaken one never returns in the recording.
                    if (index != null) {
                        received.set(index, received.get(index).returningAt(call.at()));
                    }
                }
                case "removed" -> removed.add(values.as(Removed.class));
                case "yes" -> yes.add(values.as(Yes.class));
                case "write" -> writes.add(values.as(Write.class));
                case "gap" -> gaps.add(values.as(Gap.class));
                case "failure" -> failures.add(values.toString());
                case "active" -> starts.add(values.as(Started.class));
                case "state" -> rest(values.as(Entered.class));
                case "process", "stopped", "no", "did" -> {}
                default -> failures.add(process + " wrote an unknown line: " + line);
            }
        }
    }

    private void rest(Entered state) {
        int last = rests.size() - 1;
        if (state.name().equals(QUARANTINED)) {
            rests.add(new Rest(state.process(), state.at(), NEVER));
        } else if (last >= 0 && rests.get(last).process().equals(state.process())) {
            Rest open = rests.get(last);
            rests.set(last, new Rest(open.process(), open.from(), Math.min(open.to(), state.at())));
        }
    }

    /** Returns for how many nanoseconds of a time the machine did not run some process; overlaps count once. */
    long standstill(long from, long to) {
        long sum = 0;
        long counted = from;
        for (Gap gap : gaps) {
            long begin = Math.max(gap.before(), counted);
            long end = Math.min(gap.after(), to);
            if (end > begin) {
                sum += end - begin;
                counted = end;
            }
        }
        return sum;
    }

    /** Returns the calls of one listener, in the order of their entries. */
    List<Received> receivedBy(Listener listener) {
        return received.stream().filter(each -> each.by().equals(listener)).toList();
    }

    List<Listener> listeners() {
        return received.stream().map(Received::by).distinct().toList();
    }

    /**
     * A registration of a listener.
     *
     * @param process the process it lives in
     * @param subscription distinguishes several in one process; those of one object have the same thousands
     */
    record Listener(String process, int subscription) {

        private static final int OBJECT = 1000;
        private static final int MAIN = 1;

        /** Whether it is registered as long as its process lives. */
        boolean isMain() {
            return subscription == MAIN;
        }

        /** Identifies the object in its process. */
        String object() {
            return Integer.toString(subscription / OBJECT);
        }
    }

    /**
     * A call of a listener.
     *
     * @param by the listener
     * @param entered when it was called
     * @param returned when it returned, or {@link #NEVER}
     * @param processes the processes of the members of the shown view, as they publish them, in order
     */
    record Received(Listener by, long entered, long returned, Call call, List<String> processes) {

        TopologyEvent.Type type() {
            return call.type();
        }

        long view() {
            return call.shown().number();
        }

        List<String> ids() {
            return call.shown().ids();
        }

        boolean isChanging() {
            return type() == TopologyEvent.Type.TOPOLOGY_CHANGING;
        }

        Received returningAt(long time) {
            return new Received(by, entered, time, call, processes);
        }
    }

    /** The return of a listener. */
    record Returned(Listener by, long at) {}

    /**
     * The removal of a listener.
     *
     * @param begun when it began
     * @param at when it had returned
     */
    record Removed(Listener listener, long begun, long at) {

        /** How long the removal of a listener that does not return waits for it, on the fastest clock. */
        private static final long WAIT_NANOS = (long) (2_000_000_000L / NodeSettings.FASTEST_RATE);

        /** Returns when the listener ceases to delay changes, although the removal may return slightly later. */
        long released() {
            return Math.min(at, begun + WAIT_NANOS);
        }
    }

    /**
     * The answer of an instance that it is the current leader, at some time from {@code before} to {@code after}.
     *
     * @param object distinguishes the view objects of a process
     */
    record Yes(String process, long before, long after, int object, long view, long token) {}

    /** A guarded write, requested at {@code before} and answered at {@code after}. */
    record Write(String process, long before, long after, long token, boolean accepted) {}

    /** A write that the store has made. */
    record Accepted(long sequence, long at, String process, long token) {}

    /** A view as the history of the cluster has it; members are nodes and instances with an equals sign in between. */
    record PublishedLine(long number, long previous, long token, List<String> members, String cause, long at) {

        View view() {
            List<View.Seat> seats = members.stream()
                    .map(member -> member.split("=", 2))
                    .map(parts -> new View.Seat(parts[0], parts[1], "", 0))
                    .toList();
            return new View(number, previous, token, seats, Set.of(), "", at);
        }
    }

    /**
     * The time of a disturbance and of the settling after it.
     *
     * @param begin when it began
     * @param ended when it had ended
     * @param settled when all were settled again, or {@link #NEVER}
     * @param end when no further events were possible, or {@link #NEVER}
     */
    record Window(long begin, long ended, long settled, long end, Disturbance disturbance) {

        boolean covers(long time) {
            return begin <= time && time <= end;
        }
    }

    /**
     * What disturbed.
     *
     * @param kind the kind of disturbance
     * @param mayCause the types of the events that it may cause
     * @param foreign whether another client wrote below the root of discovery
     * @param text the disturbance with its targets
     */
    record Disturbance(String kind, List<TopologyEvent.Type> mayCause, boolean foreign, String text) {

        /** The separator between combined kinds. */
        static final String AND = " + ";

        List<String> kinds() {
            return List.of(kind.split(Pattern.quote(AND)));
        }

        @Override
        public String toString() {
            return text;
        }
    }

    /**
     * Discovery was started in a process.
     *
     * @param clockRate how much faster its monotonic clock runs than that of the machine
     */
    record Started(
            String process,
            long at,
            long sessionTimeoutMillis,
            long settleMillis,
            String suspendedPolicy,
            double clockRate) {}

    /** A process entered a state. */
    record Entered(String process, long at, String name) {}

    /** A process rested in quarantine from {@code from} to {@code to}, which may be {@link #NEVER}. */
    record Rest(String process, long from, long to) {}

    /** A process did not run from {@code before} to {@code after}. */
    record Gap(String process, long before, long after) {}
}
