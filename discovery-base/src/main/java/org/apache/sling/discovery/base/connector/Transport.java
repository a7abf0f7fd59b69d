// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.connector;

import java.util.concurrent.ScheduledExecutorService;
import org.apache.sling.discovery.base.connector.wire.WireLimits;
import org.apache.sling.discovery.base.environment.Time;

/**
 * What connectors run on.
 *
 * @param timer has one thread
 * @param peers reaches the peers
 * @param end ends the threads that were made for this object
 */
public record Transport(ScheduledExecutorService timer, PeerExchanges peers, Runnable end) {

    /** Makes threads and an HTTP client for connectors with those settings. */
    public static Transport ofThreads(String ownId, ConnectorSettings settings, Time time) {
        ConnectorThreads threads = ConnectorThreads.of(ownId);
        PeerClient peers =
                new PeerClient(ownId, settings, WireLimits.DEFAULT, time, threads.timer(), threads.exchanges());
        return new Transport(threads.timer(), peers, threads::close);
    }

    /** Makes what connectors run on. */
    @FunctionalInterface
    public interface Factory {
        Transport make(String ownId, ConnectorSettings settings, Time time);
    }
}
