// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.it.chaos;

import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The recording of a run. Times are nanoseconds of the monotonic clock of the machine; the name of a process has its instance
 * and its process id.
 *
 * @param received the calls of listeners, by time of entry
 * @param removed when listeners were removed
 * @param yes the answers of instances that they are the current leader, by time
 * @param writes the outcomes of guarded writes
 * @param store the writes that the guarded store accepted, in its order
 * @param views the chain of views, by number, as the store of the cluster has it
 * @param windows the disturbances with their times
 * @param gaps the times in which a process did not run although the test had not paused it
 * @param starts the starts of discovery in the processes
 * @param rests the quarantines of the processes
 * @param failures the failures of recorders
 */
record Recording(
        List<Received> received,
        List<Removed> removed,
        List<Yes> yes,
        List<Write> writes,
        List<Accepted> store,
        List<View> views,
        List<Window> windows,
        List<Gap> gaps,
        List<Started> starts,
        List<Rest> rests,
        List<String> failures) {

    /** The end of a time that has not ended. */
    static final long NEVER = Long.MAX_VALUE;

    Recording {
        received = received.stream()
                .sorted(Comparator.comparingLong(Received::entered))
                .toList();
        removed = List.copyOf(removed);
        yes = yes.stream().sorted(Comparator.comparingLong(Yes::before)).toList();
        writes = List.copyOf(writes);
        store = List.copyOf(store);
        views = views.stream()
                .distinct()
                .sorted(Comparator.comparingLong(View::number))
                .toList();
        windows = List.copyOf(windows);
        gaps = gaps.stream().sorted(Comparator.comparingLong(Gap::before)).toList();
        starts = List.copyOf(starts);
        rests = List.copyOf(rests);
        failures = List.copyOf(failures);
    }

    /** The chain, by number. */
    Map<Long, View> chain() {
        Map<Long, View> chain = new HashMap<>();
        views.forEach(view -> chain.put(view.number(), view));
        return chain;
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

    /** Whether a view was published while another client wrote below the root, so that it need not follow the last one. */
    boolean mayStartNewChain(View view) {
        return windows.stream().anyMatch(window -> window.foreign() && window.covers(view.published()));
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

        /** Whether both are registrations of one object. */
        boolean isSameObject(Listener other) {
            return process.equals(other.process) && subscription / OBJECT == other.subscription / OBJECT;
        }
    }

    /**
     * A member as a listener saw it.
     *
     * @param instance its instance id
     * @param process its process, as it publishes it
     */
    record Seat(String instance, String process) {}

    /**
     * A call of a listener.
     *
     * @param by the listener
     * @param entered when it was called
     * @param returned when it returned, or {@link #NEVER}
     * @param type the event type without its prefix
     * @param view the number of the new view, or of the old one where there is no new one
     * @param token the token of that view's leadership, 0 where it was not known
     * @param sameOld whether the old view was the last view object of this listener
     * @param equalProperties whether old and new view have equal properties
     * @param sameStructure whether old and new view have the same clusters, members, orders and leaders, and the same local instance
     * @param order the members of that view in order
     * @param leader its leader
     * @param cluster the id of its cluster
     */
    record Received(
            Listener by,
            long entered,
            long returned,
            String type,
            long view,
            long token,
            boolean sameOld,
            boolean equalProperties,
            boolean sameStructure,
            List<Seat> order,
            String leader,
            String cluster) {

        static final String INIT = "INIT";
        static final String CHANGING = "CHANGING";
        static final String CHANGED = "CHANGED";
        static final String PROPERTIES = "PROPERTIES_CHANGED";

        static final Set<String> TYPES = Set.of(INIT, CHANGING, CHANGED, PROPERTIES);

        boolean settles() {
            return type.equals(INIT) || type.equals(CHANGED);
        }

        List<String> ids() {
            return order.stream().map(Seat::instance).toList();
        }

        Received returningAt(long time) {
            return new Received(
                    by,
                    entered,
                    time,
                    type,
                    view,
                    token,
                    sameOld,
                    equalProperties,
                    sameStructure,
                    order,
                    leader,
                    cluster);
        }

        @Override
        public String toString() {
            return by.process() + " received " + type + " view=" + view + " order=" + ids() + " at " + entered;
        }
    }

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

    /** A member node and the instance that owns it. */
    record Node(String name, String instance) {}

    /**
     * A view as the store of the cluster has it.
     *
     * @param published when, by the wall clock of the machine
     */
    record View(long number, long previous, long token, List<Node> members, long published) {
        Node leader() {
            return members.get(0);
        }

        List<String> ids() {
            return members.stream().map(Node::instance).toList();
        }

        Optional<Node> same(Node node) {
            return members.stream().filter(node::equals).findFirst();
        }
    }

    /**
     * The time of a disturbance and of the settling after it.
     *
     * @param kind the kind of disturbance
     * @param begin when it began
     * @param ended when it had ended
     * @param settled when all were settled again, or {@link #NEVER}
     * @param end when no further events were possible, or {@link #NEVER}
     * @param mayCause the types of the events that it may cause
     * @param foreign whether another client wrote below the root of discovery
     * @param text the disturbance with its targets
     */
    record Window(
            String kind,
            long begin,
            long ended,
            long settled,
            long end,
            Set<String> mayCause,
            boolean foreign,
            String text) {

        /** The separator between combined kinds. */
        static final String AND = " + ";

        Window {
            mayCause = Set.copyOf(mayCause);
        }

        boolean covers(long time) {
            return begin <= time && time <= end;
        }

        List<String> kinds() {
            return List.of(kind.split(Pattern.quote(AND)));
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

    /** A process rested in quarantine from {@code from} to {@code to}, which may be {@link #NEVER}. */
    record Rest(String process, long from, long to) {}

    /** A process did not run from {@code before} to {@code after}. */
    record Gap(String process, long before, long after) {}
}
