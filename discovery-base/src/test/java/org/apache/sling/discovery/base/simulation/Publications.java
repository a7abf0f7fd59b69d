// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.simulation;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.sling.discovery.TopologyView;
import org.apache.sling.discovery.commons.leader.ViewNumber;
import org.apache.sling.discovery.commons.model.EstablishedView;

/** The views published so far. */
final class Publications {

    private final Map<Long, EstablishedView> chain = new HashMap<>();
    private final Map<Long, Long> publishedAt = new HashMap<>();
    private final Map<Long, String> clusters = new HashMap<>();
    private final Set<String> leftOut = new HashSet<>();
    private long newest;
    private long highestNumber;
    private long highestToken;

    void add(EstablishedView view, String clusterId, long now) {
        chain.put(view.number(), view);
        publishedAt.put(view.number(), now);
        clusters.put(view.number(), clusterId);
        leftOut.addAll(view.leftOut());
        newest = view.number();
        highestNumber = Math.max(highestNumber, view.number());
        highestToken = Math.max(highestToken, view.token());
    }

    /** Records that an older view has replaced the newest. */
    void recordOlder(EstablishedView older) {
        newest = older.number();
        leftOut.clear();
    }

    /** Records that the view is deleted or cannot be read any more. */
    void recordLoss() {
        newest = 0;
        leftOut.clear();
    }

    /** Returns the view that the store shows, if there is one. */
    Optional<EstablishedView> newest() {
        return Optional.ofNullable(chain.get(newest));
    }

    /** Says whether that node was left out of a view since one was deleted or overwritten. */
    boolean isLeftOut(String node) {
        return leftOut.contains(node);
    }

    long newestNumber() {
        return newest;
    }

    Optional<EstablishedView> view(long number) {
        return Optional.ofNullable(chain.get(number));
    }

    String clusterId(long number) {
        return clusters.get(number);
    }

    long at(long number) {
        return publishedAt.getOrDefault(number, Long.MIN_VALUE);
    }

    long highestNumber() {
        return highestNumber;
    }

    long highestToken() {
        return highestToken;
    }

    static long number(TopologyView view) {
        return ViewNumber.of(view).orElse(0);
    }
}
