// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.it.chaos.recorder;

import io.github.discoveryzk.it.chaos.recorder.Entry.Gap;
import io.github.discoveryzk.it.chaos.recorder.Entry.Yes;
import io.github.discoveryzk.leader.LeaderLease;
import io.github.discoveryzk.leader.ViewNumber;
import org.apache.sling.discovery.DiscoveryService;
import org.apache.sling.discovery.TopologyView;
import org.osgi.util.tracker.ServiceTracker;

/**
 * Asks repeatedly whether the local instance is the current leader, and writes each "yes" with the times before and after the
 * call. A view that was current at two calls was current all the time in between. Safe for use by any thread.
 */
final class LeaderSampler {

    /** The shortest standstill of a process that is recorded. */
    private static final long GAP_NANOS = 250_000_000L;

    private final String process;
    private final ServiceTracker<DiscoveryService, DiscoveryService> services;
    private final RecordingFile file;
    private TopologyView known;
    private int ordinal;
    private long token;
    private long lastSample = System.nanoTime();
    private volatile long lastToken;

    LeaderSampler(String process, ServiceTracker<DiscoveryService, DiscoveryService> services, RecordingFile file) {
        this.process = process;
        this.services = services;
        this.file = file;
    }

    /** The token of the last leadership of this process, 0 before there was one. */
    long lastToken() {
        return lastToken;
    }

    /** Asks the service once. Not to be called by several threads. */
    void sample() {
        DiscoveryService service = services.getService();
        if (service != null) {
            ask(service.getTopology());
        }
        long now = System.nanoTime();
        if (now - lastSample > GAP_NANOS) {
            file.add(new Gap(process, lastSample, now));
        }
        lastSample = now;
    }

    /** Asks a view once; a process with a new view asks before the next sample is due. */
    synchronized void ask(TopologyView view) {
        long before = System.nanoTime();
        boolean leads = view.isCurrent() && view.getLocalInstance().isLeader();
        long after = System.nanoTime();
        if (leads) {
            remember(view);
            file.add(
                    new Yes(process, before, after, ordinal, ViewNumber.of(view).orElse(0), token));
        }
    }

    private void remember(TopologyView view) {
        if (view != known) {
            known = view;
            ordinal++;
            token = 0;
        }
        if (token == 0) {
            token = LeaderLease.of(view).map(LeaderLease::token).orElse(0L);
            lastToken = token == 0 ? lastToken : token;
        }
    }
}
