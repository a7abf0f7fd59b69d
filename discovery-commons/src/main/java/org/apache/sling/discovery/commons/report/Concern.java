// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.commons.report;

import java.util.Locale;

/** What a finding is about. There is a health check for each concern except {@link #OTHER}. */
public enum Concern {
    /** The connection to the store. */
    CONNECTED("the store can be reached"),
    /** The view of this instance. */
    SETTLED("the view is current"),
    /** The lease, by which the view is current. */
    LEASE("no lease is over because the store does not reply"),
    /** The instance id. */
    IDENTITY("no other live instance has the id of this one"),
    /** What the store, its address, its credentials and its access rights permit. */
    ACCESS("nothing that this instance reads or writes is denied or unreadable"),
    /** The size of what this instance writes. */
    PAYLOAD("the store accepts the size of all records of this instance"),
    /** The topology event listeners of this instance. */
    LISTENERS("all listeners have returned in time"),
    /** Discovery services of other bundles. */
    SECOND_SERVICE("no other bundle registers a discovery service"),
    /** Everything else. */
    OTHER("nothing else needs attention");

    private final String fine;

    Concern(String fine) {
        this.fine = fine;
    }

    /** Returns the name of its health check. */
    public String check() {
        return "discovery-" + name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Returns what is to say when nothing was found, for display. */
    String fine() {
        return fine;
    }
}
