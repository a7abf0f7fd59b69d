// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.base.exploration;

import io.github.discoveryzk.testing.laws.Listening;
import org.apache.sling.discovery.TopologyEvent.Type;

/**
 * The listener of an instance, by the rules of {@link io.github.discoveryzk.base.dispatch.Subscriptions}: the last view
 * sent and the present one; the next event is the difference.
 *
 * @param heard what it has received
 * @param current the number of the current view, 0 for none
 * @param changed whether no view was current at some time since the last event
 */
record Listener(Listening heard, long current, boolean changed) {

    static Listener of(String process) {
        return new Listener(Listening.to(process, "listener"), 0, false);
    }

    Listener changing() {
        return new Listener(heard, 0, true).next();
    }

    Listener settled(long number) {
        return new Listener(heard, number, changed).next();
    }

    Listener returned() {
        return new Listener(heard.returned(), current, changed).next();
    }

    private Listener next() {
        if (heard.running()) {
            return this;
        }
        if (heard.last() == null || heard.isChanging()) {
            Type type = heard.last() == null ? Type.TOPOLOGY_INIT : Type.TOPOLOGY_CHANGED;
            return current == 0 ? this : new Listener(heard.called(type, current), current, false);
        }
        return changed ? new Listener(heard.called(Type.TOPOLOGY_CHANGING, heard.number()), current, false) : this;
    }
}
