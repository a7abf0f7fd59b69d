// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.connector;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.apache.sling.discovery.base.connector.ConnectedClusters.LocalInstance;
import org.apache.sling.discovery.base.connector.registry.DampedClusters;
import org.apache.sling.discovery.base.connector.registry.SharedClusters;
import org.apache.sling.discovery.base.environment.Execution;
import org.apache.sling.discovery.commons.model.RemoteCluster;
import org.apache.sling.discovery.commons.model.SharedAnnouncement;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Turns the announcements that instances share into remote clusters, and shows connectors what to tell. That is done on the threads for
 * calls, one list at a time: a large one does not delay decisions.
 */
final class AnnouncedClusters {
    private static final Logger LOG = LoggerFactory.getLogger(AnnouncedClusters.class);

    /** How soon it is looked again whether a grace period or a rest is over. */
    private static final long AGAIN_MILLIS = 500;

    private final Execution execution;
    private final LocalInstance instance;
    private final Supplier<Optional<Connectors>> connectors;

    /** Guarded by itself. */
    private final SharedClusters shared = new SharedClusters(LOG::warn);

    /** Guarded by that lock. */
    private final DampedClusters damped = new DampedClusters(LOG::warn);

    private final AtomicBoolean queued = new AtomicBoolean();
    private final AtomicBoolean planned = new AtomicBoolean();
    private volatile List<SharedAnnouncement> announcements = List.of();
    private volatile List<RemoteCluster> siblings = List.of();
    private List<RemoteCluster> shown = List.of();

    /**
     * Begins without announcements.
     *
     * @param connectors returns what announces them to peers
     */
    AnnouncedClusters(Execution execution, LocalInstance instance, Supplier<Optional<Connectors>> connectors) {
        this.execution = execution;
        this.instance = instance;
        this.connectors = connectors;
    }

    /** Takes the shared announcements as they are now. */
    void observed(List<SharedAnnouncement> now) {
        announcements = List.copyOf(now);
        queue();
    }

    /** Takes the other clusters of the store as they are now, for peers. */
    void siblingsObserved(List<RemoteCluster> clusters) {
        siblings = List.copyOf(clusters);
        queue();
    }

    /** Reads the announcements again soon. */
    void queue() {
        if (queued.compareAndSet(false, true)) {
            try {
                execution.calls().execute(this::read);
            } catch (RuntimeException | OutOfMemoryError e) {
                // A thread may be missing for a moment only.
                queued.set(false);
                LOG.debug("The announcements are read later", e);
                queueLater();
            }
        }
    }

    private void queueLater() {
        if (planned.compareAndSet(false, true)) {
            Runnable again = () -> {
                planned.set(false);
                queue();
            };
            try {
                execution.decisions().schedule(again, AGAIN_MILLIS, TimeUnit.MILLISECONDS);
            } catch (RuntimeException e) {
                planned.set(false);
                LOG.debug("The instance has ended", e);
            }
        }
    }

    private void read() {
        queued.set(false);
        synchronized (shared) {
            long now = execution.time().monotonic().getAsLong();
            shared.update(announcements, now);
            boolean again = shared.isPending();
            List<RemoteCluster> clusters =
                    damped.update(shared.clusters(instance.live().get(), now), now);
            connectors.get().ifPresent(each -> each.showOthers(siblings, shared.contents()));
            if (!clusters.equals(shown)) {
                shown = clusters;
                instance.show().accept(clusters);
            }
            if (again || damped.isPending(now)) {
                queueLater();
            }
        }
    }

    /** Returns which clusters change too often or are not shown completely, in words. */
    List<String> problems() {
        return Stream.concat(shared.problems().stream(), damped.problems().stream())
                .toList();
    }
}
