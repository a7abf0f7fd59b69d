// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.exploration;

/**
 * The listener of an instance, by the rules of {@link org.apache.sling.discovery.base.dispatch.Subscriptions}: the last view
 * sent and the present one; the next event is the difference.
 *
 * @param told the number of the last view sent, 0 before INIT
 * @param toldChanging whether the last event was CHANGING
 * @param current the number of the current view, 0 for none
 * @param changed whether no view was current at some time since the last event
 * @param running whether it has not returned from the last event
 */
record Listener(long told, boolean toldChanging, long current, boolean changed, boolean running) {

    static final Listener NEW = new Listener(0, false, 0, false, false);

    Listener changing() {
        return new Listener(told, toldChanging, 0, true, running).next();
    }

    Listener settled(long number) {
        return new Listener(told, toldChanging, number, changed, running).next();
    }

    Listener returned() {
        return new Listener(told, toldChanging, current, changed, false).next();
    }

    /** Says whether it acts on view {@link #told}, or may do so because it has not returned. */
    boolean acts() {
        return running || told > 0 && !toldChanging;
    }

    private Listener next() {
        if (running) {
            return this;
        }
        if (told == 0 || toldChanging) {
            return current == 0 ? this : new Listener(current, false, current, false, true);
        }
        return changed ? new Listener(told, true, current, false, true) : this;
    }
}
