// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.base.exploration;

/**
 * One possible next event.
 *
 * @param kind the kind of event
 * @param who the index of the affected instance; 0 where no instance is affected
 */
record Event(Kind kind, int who) {

    static final Event TIME = new Event(Kind.TIME, 0);

    static Event of(Kind kind, int who) {
        return new Event(kind, who);
    }

    /** The kinds of events. Those before {@link #MEND} happen as often as a scope allows, the others whenever they can. */
    enum Kind {
        START("is started"),
        LEAVE("is stopped"),
        STEP_DOWN("steps down"),
        KILL("is killed"),
        CUT("loses its connection"),
        PAUSE("is paused"),
        HINT("is given the false hint that all others have ended"),
        END_EARLY("loses its session early"),
        STRAY("reaches the store with a request over a connection that is lost"),
        MEND("can reach the store again"),
        RESUME("resumes after its pause"),
        RETRACT("has no hints any more"),
        WAKE("wakes"),
        RETURN("returns from its listener"),
        ARRIVE("reaches the store"),
        DELIVER("is notified"),
        DELIVER_NEWEST("is notified of the newest state of the store"),
        CONNECT("is connected"),
        EXPIRE("loses its session after the timeout"),
        TIME("passes");

        private final String words;

        Kind(String words) {
            this.words = words;
        }

        String words() {
            return words;
        }

        boolean isBounded() {
            return ordinal() < MEND.ordinal();
        }

        /** Says whether the instance decides after an event of this kind. */
        boolean decides() {
            return switch (this) {
                case START, LEAVE, STEP_DOWN, RETURN, WAKE, HINT, RETRACT -> true;
                default -> false;
            };
        }
    }
}
