// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * What a listener receives in one registration: a letter for each event, and one where a discovery service goes. For any threads.
 */
final class EventRecord implements Consumer<String> {

    private static final char SERVICE_GONE = '-';
    private static final Map<String, Character> LETTERS = Map.of(
            "TOPOLOGY_INIT",
            'I',
            "TOPOLOGY_CHANGING",
            'C',
            "TOPOLOGY_CHANGED",
            'D',
            "PROPERTIES_CHANGED",
            'P',
            ListeningActivator.BROKEN,
            '!');

    private final String name;
    private final StringBuilder letters = new StringBuilder();
    private String members = "";

    EventRecord(String name) {
        this.name = name;
    }

    String name() {
        return name;
    }

    /** Adds an event: its type, and the ids of the instances if its view is current. */
    @Override
    public synchronized void accept(String event) {
        String[] parts = event.split(" ", 2);
        letters.append(LETTERS.get(parts[0]));
        members = parts[1];
    }

    synchronized void addServiceGone() {
        letters.append(SERVICE_GONE);
    }

    /** Returns whether something has changed while a service was there. */
    synchronized boolean hasChanges() {
        return letters.indexOf("D") >= 0;
    }

    /** Checks that the last event has a current view with these members. */
    synchronized void assertSettled(List<String> ids) {
        assertThat(members.split(",")).as("members in %s", this).containsAll(ids);
    }

    /**
     * Checks the order of events: INIT is the first from each service, and comes once; CHANGING and CHANGED alternate; each service but
     * the last ends with CHANGING. The service may send events while it goes, even its INIT: the framework unregisters it before it is
     * closed. So there are never more INITs than services that have gone, and the present one.
     */
    synchronized void assertGrammar() {
        int services = 1;
        int inits = 0;
        for (char letter : letters.toString().toCharArray()) {
            services += letter == SERVICE_GONE ? 1 : 0;
            inits += letter == LETTERS.get("TOPOLOGY_INIT") ? 1 : 0;
            assertThat(inits).as("INITs of the services in %s", this).isLessThanOrEqualTo(services);
        }
        assertThat(letters.toString().replace(String.valueOf(SERVICE_GONE), ""))
                .as("%s", this)
                .matches("(I(P|CD)*C)*(I(P|CD)*C?)?");
    }

    @Override
    public synchronized String toString() {
        return name + " " + letters + " " + members;
    }
}
