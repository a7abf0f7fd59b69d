// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.benchmarks.member;

import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.stream.Collectors;
import org.apache.sling.discovery.commons.model.EstablishedView;
import org.apache.sling.discovery.commons.model.Incarnation;
import org.apache.sling.discovery.zk.tree.Codecs;
import org.apache.sling.discovery.zk.tree.Unreadable;

/** What the light members of a process share: a timer, and the latest views, which each would decode for itself. */
@ThreadsAndClocks
public final class LightViews implements AutoCloseable {
    private static final int KEPT = 16;

    final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();

    /** By their numbers: members may be some events behind each other. */
    private final TreeMap<Long, View> known = new TreeMap<>();

    synchronized View view(EstablishedView read) {
        View view = known.computeIfAbsent(read.number(), number -> View.of(read));
        if (known.size() > KEPT) {
            known.pollFirstEntry();
        }
        return view;
    }

    /** Returns the view that follows from a history entry; empty if it cannot be read or does not fit. */
    synchronized Optional<View> next(View before, byte[] entry) {
        View next = known.get(before.number() + 1);
        try {
            return next != null
                    ? Optional.of(next)
                    : before.established()
                            .flatMap(Codecs.CURRENT.views().readEntry(entry).difference()::applyTo)
                            .map(this::view);
        } catch (Unreadable e) {
            return Optional.empty();
        }
    }

    @Override
    public void close() {
        timer.shutdownNow();
    }

    /**
     * A view.
     *
     * @param established the view as it was published; empty before the first one
     * @param number its number
     * @param nodes the member nodes
     */
    record View(Optional<EstablishedView> established, long number, Set<String> nodes) {
        /** Before the first view. */
        static final View NONE = new View(Optional.empty(), 0, Set.of());

        static View of(EstablishedView view) {
            return new View(
                    Optional.of(view),
                    view.number(),
                    view.members().stream().map(Incarnation::node).collect(Collectors.toUnmodifiableSet()));
        }
    }
}
