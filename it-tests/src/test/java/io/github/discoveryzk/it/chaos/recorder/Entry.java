// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.it.chaos.recorder;

import io.github.discoveryzk.testing.laws.Call;
import java.util.List;
import org.apache.sling.discovery.TopologyEvent;

/**
 * What is recorded, one line for each. Times are nanoseconds of the monotonic clock of the machine; a process is named by its instance
 * id and a number.
 */
public interface Entry {

    /** The end of a time that has not ended. */
    long NEVER = Long.MAX_VALUE;

    /** The place of the list, and how many texts it has at most. */
    String LIST = "list";

    int LENGTH = 20;

    /** The beginnings of the places of owned entries, before their process, and of the texts of removals. */
    String CLAIMS = "claim of ";

    String REMOVAL = "removal";

    /**
     * A registration of a listener.
     *
     * @param subscription distinguishes several in one process; those of one object have the same thousands
     */
    record Listener(String process, int subscription) {

        /** The subscriptions of an object are numbered from a multiple of this. */
        static final int OBJECT = 1000;

        /** Whether it is registered as long as its process lives. */
        public boolean isMain() {
            return subscription == 1;
        }

        /** Identifies the object in its process. */
        public String object() {
            return Integer.toString(subscription / OBJECT);
        }
    }

    /**
     * A call of a listener.
     *
     * @param returned when it returned, or {@link #NEVER}
     * @param processes the processes of the members of the shown view, as they publish them, in order
     */
    record Received(Listener by, long entered, long returned, Call call, List<String> processes) implements Entry {

        public TopologyEvent.Type type() {
            return call.type();
        }

        public long view() {
            return call.shown().number();
        }

        public List<String> ids() {
            return call.shown().ids();
        }

        public boolean isChanging() {
            return type() == TopologyEvent.Type.TOPOLOGY_CHANGING;
        }

        public Received returningAt(long time) {
            return new Received(by, entered, time, call, processes);
        }
    }

    /** The return of a listener. */
    record Returned(Listener by, long at) implements Entry {}

    /** The removal of a listener, which began at one time and had returned at the other. */
    record Removed(Listener listener, long begun, long at) implements Entry {}

    /**
     * The answer of an instance that it is the current leader, at some time from {@code before} to {@code after}.
     *
     * @param object distinguishes the view objects of a process
     */
    record Yes(String process, long before, long after, int object, long view, long token) implements Entry {}

    /** A guarded write, requested at {@code before} and answered at {@code after}. */
    record Write(String process, long before, long after, long token, boolean accepted) implements Entry {}

    /** A write that the store has made. */
    record Accepted(long sequence, long at, String process, long token) implements Entry {}

    /**
     * An attempt to write shared data.
     *
     * @param text identifies the attempt; it is the value, or what is appended to a list
     * @param seen the version that it replaces, 0 for none, {@link #NEVER} if the store decides
     * @param token that of its fence, 0 for none
     */
    record Attempted(String process, long at, String place, String text, long seen, long token) implements Entry {}

    /** The result of an attempt: Done, with its version unless it is a removal, Overtaken, Refused or Unknown. */
    record Answered(String process, long at, String text, String result, long version) implements Entry {}

    /**
     * What a process was shown of a place.
     *
     * @param view the last view of the process
     * @param texts that of the last write, or the last ones of a list
     */
    record Shown(String process, long at, long view, String place, List<String> texts, long version) implements Entry {}

    /**
     * A worker is called to begin a key.
     *
     * @param node the member node of its instance
     * @param held whether the ownership was held after that time
     */
    record Begun(String process, long at, String node, String key, long token, boolean held) implements Entry {}

    /** A worker has ended a key. */
    record Ended(String process, long at, String key, long token) implements Entry {}

    /**
     * A process worked on keys after that time.
     *
     * @param keys those whose ownerships were held, each with an equals sign and the token
     */
    record Worked(String process, long at, List<String> keys) implements Entry {}

    /** A write with an ownership and its result: Done, with its version, Overtaken, Refused or Unknown. */
    record Progressed(String process, long begun, long at, String key, long token, String result, long version)
            implements Entry {}

    /** Discovery was started in a process. */
    record Started(String process, long at, long sessionTimeoutMillis, long settleMillis) implements Entry {}

    /** A process entered a state. */
    record Entered(String process, long at, String name) implements Entry {}

    /** A process did not run from {@code before} to {@code after} although the test had not paused it. */
    record Gap(String process, long before, long after) implements Entry {}

    /** A command was executed. */
    record Done(String process, long at, String command, String result) implements Entry {}

    /** Something of a process was measured, such as its open files. */
    record Measured(String process, long at, String what, long value) implements Entry {}

    /** The recorder failed, so that the recording proves nothing. */
    record Failure(String process, long at, String text) implements Entry {}

    /** A view as the history of the cluster has it, with its transaction; members are nodes and instances with an equals sign in between. */
    record Published(long number, long previous, long token, List<String> members, long at, long transaction)
            implements Entry {}

    /**
     * The time of a disturbance and of the settling after it.
     *
     * @param ended when it had ended
     * @param settled when all were settled again, or {@link #NEVER}
     * @param end when no further events were possible, or {@link #NEVER}
     */
    record Window(long begin, long ended, long settled, long end, Disturbance disturbance) implements Entry {

        public boolean covers(long time) {
            return begin <= time && time <= end;
        }
    }

    /**
     * What disturbed.
     *
     * @param kinds the kinds of disturbances at the same time
     * @param mayCause the types of the events that they may cause
     * @param foreign whether another client wrote below the root of discovery
     * @param text the disturbances with their targets
     */
    record Disturbance(List<String> kinds, List<TopologyEvent.Type> mayCause, boolean foreign, String text) {

        @Override
        public String toString() {
            return text;
        }
    }
}
