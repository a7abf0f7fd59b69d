// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.testing.laws;

import org.apache.sling.discovery.TopologyEvent;

/**
 * What a listener has received so far. Immutable.
 *
 * @param process the run of the instance that calls it
 * @param object identifies the object, which may be registered several times, one after the other
 * @param last the type of the last event, null before INIT
 * @param number the number of the view of the last event, 0 before INIT
 * @param running whether it has not returned from the last event
 * @param removed whether its removal has returned, so that no call may follow
 * @param released whether its removal has ended the delay that it causes: it has returned, or has been waited for long enough
 */
public record Listening(
        String process,
        String object,
        TopologyEvent.Type last,
        long number,
        boolean running,
        boolean removed,
        boolean released) {

    /** Returns a listener that has been registered just now. */
    public static Listening to(String process, String object) {
        return new Listening(process, object, null, 0, false, false, false);
    }

    /** Says whether it acts on its view, or may do so because it has not returned. */
    public boolean acts() {
        return !released && (running || last != null && !isChanging());
    }

    public boolean isChanging() {
        return last == TopologyEvent.Type.TOPOLOGY_CHANGING;
    }

    /** Says whether both are registrations of one object. */
    boolean isSameObject(Listening other) {
        return process.equals(other.process) && object.equals(other.object);
    }

    /** Says whether an event of that type may be the next one. */
    boolean expects(TopologyEvent.Type next) {
        return switch (next) {
            case TOPOLOGY_INIT -> last == null;
            case TOPOLOGY_CHANGED -> isChanging();
            case TOPOLOGY_CHANGING, PROPERTIES_CHANGED -> last != null && !isChanging();
        };
    }

    public Listening called(TopologyEvent.Type type, long view) {
        return new Listening(process, object, type, view, true, removed, released);
    }

    public Listening returned() {
        return new Listening(process, object, last, number, false, removed, released || removed);
    }

    /** After its removal has returned. */
    public Listening afterRemoval() {
        return new Listening(process, object, last, number, running, true, released || !running);
    }

    /** When its removal has waited for long enough. */
    public Listening afterWait() {
        return new Listening(process, object, last, number, running, removed, true);
    }

    /** When the same object is registered again, perhaps before it has returned. */
    public Listening again() {
        return new Listening(process, object, null, number, running, false, false);
    }
}
