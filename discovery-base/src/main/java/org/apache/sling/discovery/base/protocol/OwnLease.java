// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.protocol;

import org.apache.sling.discovery.base.protocol.Facts.Confirmations;

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

    /** Another server may grant a leader a longer session timeout than its successor knows. */
    private int millis() {
        int timeout = facts.link().timeoutMillis();
        int known = held.view().sessionTimeoutMillis();
        return held.leads() && known > 0 ? Math.min(known, timeout) : timeout;
    }
}
