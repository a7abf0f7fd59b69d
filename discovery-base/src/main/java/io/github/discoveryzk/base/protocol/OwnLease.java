// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.base.protocol;

import io.github.discoveryzk.base.protocol.Facts.Confirmations;

/** The lease by which this instance acts on a view. Times are monotonic milliseconds. */
record OwnLease(Facts facts, HeldView held) {

    /** Returns when the lease ends unless the store confirms another request before. */
    long end() {
        Confirmations last = facts.confirmations();
        return LeaseTerm.end(held.leads() ? last.renewed() : last.any(), millis());
    }

    /**
     * Returns when a leader must renew the lease. No instance renews while CHANGING, so a leader of a view that another
     * instance published renews first: its lease might end before the first renewal is completed.
     */
    long renewalDue() {
        return facts.confirmations().renewed() + millis() / 3;
    }

    /** Returns when a leader renews the lease of a view that it acts on. */
    long nextRenewal() {
        return Math.min(renewalDue(), facts.confirmations().renewed() + intervalMillis(facts));
    }

    /** Returns how often the store confirms a request: the lease outlasts a pause of half a session timeout. */
    static int intervalMillis(Facts facts) {
        return facts.link().timeoutMillis() / 8;
    }

    /**
     * A server may grant a leader a longer session timeout than a successor knows: from the last renewal or, if that is of an earlier
     * version, from the view.
     */
    private int millis() {
        int timeout = facts.link().timeoutMillis();
        if (!held.leads()) {
            return timeout;
        }
        int viewed = held.view().sessionTimeoutMillis();
        int known = facts.confirmations().renewedMillis();
        return Math.min(timeout, viewed > 0 ? Math.min(viewed, known) : known);
    }
}
