// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.base.engine;

import io.github.discoveryzk.base.protocol.Facts.Intent;
import io.github.discoveryzk.base.protocol.Facts.Suspect;
import io.github.discoveryzk.model.EstablishedView;
import io.github.discoveryzk.model.Incarnation;
import io.github.discoveryzk.model.Member;
import io.github.discoveryzk.model.StoreSnapshot;
import io.github.discoveryzk.model.Suspicion;
import io.github.discoveryzk.spi.SettlingPolicy.Quarantine;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;

/**
 * The intents of this instance, set by operators or circumstances: to leave, to step down, to evict others, to rest after it
 * has lost its seniority too often. Confined to the engine's thread.
 */
final class IntentTracker {

    /** With more losses the rest no longer grows. */
    private static final int MAX_LOSSES = 100;

    private final Optional<String> predecessor;

    /** When this instance lost its seniority, the last ones. */
    private final Deque<Long> losses = new ArrayDeque<>();

    private final Set<String> evictions = new HashSet<>();

    /** The hints of which this instance has accused a member. A hint is good for one suspicion. */
    private final Set<Suspect> accused = new HashSet<>();

    private Set<Suspect> suspects = Set.of();
    private Set<Suspicion> standing = Set.of();
    private Optional<String> steppingDown = Optional.empty();
    private Optional<String> leaderToBe = Optional.empty();
    private Optional<String> lastNode = Optional.empty();
    private Optional<String> cluster = Optional.empty();
    private boolean leaving;
    private final CompletableFuture<Void> left = new CompletableFuture<>();

    IntentTracker(Optional<String> predecessor) {
        this.predecessor = predecessor;
    }

    void leave() {
        leaving = true;
    }

    boolean isLeaving() {
        return leaving;
    }

    /** Returns what completes when the instance has left. May be called by any thread. */
    CompletableFuture<Void> left() {
        return left;
    }

    void completeLeave() {
        left.complete(null);
    }

    /** Plans to give up the present seniority, if there is one. */
    void stepDown(Optional<Member> own) {
        steppingDown = own.map(Member::node);
    }

    /** Plans to remove the member node of another instance. A name of a node is not used twice, so the plan ends with the node. */
    void evict(String node) {
        evictions.add(node);
    }

    /** Replaces the members whose processes seem to have ended. */
    void suspect(Set<Suspect> all) {
        accused.retainAll(all);
        suspects = all;
    }

    /** Records that a suspicion of this instance was created. */
    void recordSuspicion(Suspicion own) {
        suspects.stream().filter(each -> each.node().equals(own.node())).forEach(accused::add);
    }

    /** Plans to make a member the leader. Its node is named: an instance that has rejoined has all others as its seniors. */
    void lead(String node) {
        leaderToBe = Optional.of(node);
    }

    /**
     * Updates the intents from the store: drops those that are fulfilled, and detects the loss of the seniority.
     *
     * @param node its own member node; one whose record cannot be read for a while is still there
     */
    void compare(Optional<String> node, Optional<StoreSnapshot> store, long now) {
        if (lastNode.isPresent() && !lastNode.equals(node)) {
            if (!leaving && !lastNode.equals(steppingDown)) {
                recordLoss(now);
            }
            steppingDown = Optional.empty();
            accused.clear();
        }
        lastNode = node;
        standing = store.map(StoreSnapshot::suspicions).orElse(Set.of());
        store.ifPresent(seen -> {
            changeTo(seen.clusterId());
            evictions.removeIf(each -> !seen.isLive(each));
            if (leaderToBe.isPresent()) {
                seen.view().ifPresent(view -> makeWay(view, node, seen));
            }
        });
    }

    /** Makes the senior next to the leader to be go, once a view without the previous one is established. */
    private void makeWay(EstablishedView view, Optional<String> own, StoreSnapshot seen) {
        List<String> order = view.members().stream().map(Incarnation::node).toList();
        leaderToBe = leaderToBe.filter(node -> order.indexOf(node) > 0);
        if (leaderToBe.isPresent() && seen.liveNodes().containsAll(order)) {
            String next = order.get(order.indexOf(leaderToBe.get()) - 1);
            if (own.filter(next::equals).isPresent()) {
                steppingDown = own;
            } else {
                evict(next);
            }
        }
    }

    /** When the whole cluster is deleted, no instance loses its seniority. */
    private void changeTo(String id) {
        if (cluster.isPresent() && !cluster.get().equals(id)) {
            losses.clear();
        }
        cluster = Optional.of(id);
    }

    Intent intent(Quarantine quarantine, long now) {
        int count = lossesWithin(quarantine, now);
        Set<Suspect> open = suspects.stream()
                .filter(each ->
                        !accused.contains(each) || standing.contains(new Suspicion(each.node(), lastNode.orElse(""))))
                .collect(Collectors.toSet());
        return new Intent(leaving, steppingDown, evictions, open, predecessor, announceAt(quarantine, count), count);
    }

    private void recordLoss(long now) {
        losses.addLast(now);
        if (losses.size() > MAX_LOSSES) {
            losses.removeFirst();
        }
    }

    private int lossesWithin(Quarantine quarantine, long now) {
        int count = 0;
        for (long at : losses) {
            count += now - at < quarantine.windowMillis() ? 1 : 0;
        }
        return count;
    }

    /** Returns when the instance may announce itself; in the past if it may do so immediately. */
    private long announceAt(Quarantine quarantine, int count) {
        return count == 0 ? Long.MIN_VALUE : losses.getLast() + quarantine.restMillis(count);
    }
}
