// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.connectors;

import io.github.discoveryzk.base.environment.Execution;
import io.github.discoveryzk.connectors.registry.DampedClusters;
import io.github.discoveryzk.connectors.registry.SharedClusters;
import io.github.discoveryzk.connectors.registry.SharedClusters.SharedContent;
import io.github.discoveryzk.model.RemoteCluster;
import io.github.discoveryzk.model.SharedAnnouncement;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Turns the announcements that instances share into remote clusters, and shows connectors what to tell. That is done on the threads for
 * calls, one list at a time: a large one does not delay decisions.
 */
public final class AnnouncedClusters {
    private static final Logger LOG = LoggerFactory.getLogger(AnnouncedClusters.class);

    /** How soon it is looked again whether a grace period or a rest is over. */
    private static final long AGAIN_MILLIS = 500;
    /** The other half of a sixteenth of the heap is for the announcements as they are in the store. */
    private static final int PART_OF_HEAP = 32;

    private final Execution execution;
    private final Supplier<Optional<Set<String>>> live;
    private final Consumer<List<RemoteCluster>> show;
    private final BiConsumer<List<RemoteCluster>, List<SharedContent>> announce;

    /** Guarded by itself. */
    private final SharedClusters shared =
            new SharedClusters(LOG::warn, Runtime.getRuntime().maxMemory() / PART_OF_HEAP);

    /** Guarded by that lock. */
    private final DampedClusters damped = new DampedClusters(LOG::warn);

    private final AtomicBoolean queued = new AtomicBoolean();
    private final AtomicBoolean planned = new AtomicBoolean();
    private volatile List<SharedAnnouncement> announcements = List.of();
    private volatile List<RemoteCluster> siblings = List.of();
    private List<RemoteCluster> shown = List.of();
    private volatile boolean ended;

    /**
     * Begins without announcements.
     *
     * @param live returns the members of the local cluster whose nodes are in the store; empty if that is not known
     * @param show receives the clusters of the shared announcements, in the order of precedence, each time others are to be shown
     * @param announce receives the other clusters of the store and the shared announcements, for peers
     */
    public AnnouncedClusters(
            Execution execution,
            Supplier<Optional<Set<String>>> live,
            Consumer<List<RemoteCluster>> show,
            BiConsumer<List<RemoteCluster>, List<SharedContent>> announce) {
        this.execution = execution;
        this.live = live;
        this.show = show;
        this.announce = announce;
    }

    /** Takes the shared announcements as they are now. */
    public void observed(List<SharedAnnouncement> now) {
        announcements = List.copyOf(now);
        queue();
    }

    /** Takes the other clusters of the store as they are now, for peers. */
    public void siblingsObserved(List<RemoteCluster> clusters) {
        siblings = List.copyOf(clusters);
        queue();
    }

    /** Reads nothing more, and waits for the end of what is being read: the threads of the instance outlive the classes of this bundle. */
    void end() {
        synchronized (shared) {
            ended = true;
        }
    }

    /** Reads the announcements again soon. */
    public void queue() {
        if (!ended && queued.compareAndSet(false, true)) {
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
            if (ended) {
                return;
            }
            long now = execution.time().monotonic().getAsLong();
            shared.update(announcements, now);
            boolean again = shared.isPending();
            List<RemoteCluster> clusters = damped.update(shared.clusters(live.get(), now), now);
            announce.accept(siblings, shared.contents());
            if (!clusters.equals(shown)) {
                shown = clusters;
                show.accept(clusters);
            }
            if (again || damped.isPending(now)) {
                queueLater();
            }
        }
    }

    /** Returns which clusters change too often or are not shown completely, in words. */
    public List<String> problems() {
        return Stream.concat(shared.problems().stream(), damped.problems().stream())
                .toList();
    }
}
