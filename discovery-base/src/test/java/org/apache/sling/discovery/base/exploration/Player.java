// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.exploration;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.sling.discovery.base.protocol.Settling;
import org.apache.sling.discovery.commons.model.LeaseProbe;
import org.apache.sling.discovery.commons.model.Member;
import org.apache.sling.discovery.commons.model.MemberRecord;
import org.apache.sling.discovery.commons.model.ProcessInfo;
import org.apache.sling.discovery.commons.model.StoreSnapshot;
import org.apache.sling.discovery.commons.spi.Request;

/**
 * One instance with its connection. Its copies share all values that are not replaced: the fields are immutable. Times are by
 * its own clock, except {@link #silentSince}, which is by the store's.
 */
final class Player implements Cloneable {

    static final long NEVER = Long.MIN_VALUE / 4;
    static final int TIMEOUT = 900;

    final int index;
    final Scope.Traits traits;

    Knowledge knowledge;
    Settling state;
    Listener listener;
    long validUntil = NEVER;
    long wakeAt = Long.MAX_VALUE;
    Map<Class<? extends Request>, Long> underWay = Map.of();
    Map<Class<? extends Request>, Long> rests = Map.of();
    Optional<String> lastNode = Optional.empty();
    Optional<String> standingDown = Optional.empty();

    boolean started;
    boolean leaving;
    boolean closed;
    boolean dead;
    boolean paused;
    boolean disturbed;

    /** Whether the instance collects acknowledgements, and whether the store has been notified. */
    boolean collecting;

    boolean collected;

    boolean reachable = true;
    boolean connected;

    /** Whether the instance has been notified of the present connection and not of its loss. */
    boolean ready;

    long session;
    boolean sessionLives;
    long silentSince = NEVER;
    List<Message> up = List.of();
    List<Message> down = List.of();
    List<Request> strays = List.of();
    Optional<StoreSnapshot> shown = Optional.empty();
    Optional<LeaseProbe> leaseProbe = Optional.empty();

    Player(int index, Scope.Traits traits) {
        this.index = index;
        this.traits = traits;
        this.knowledge = new Knowledge(MemberRecord.of(
                traits.instanceId, new ProcessInfo(runtimeId(index), "host", 1, "/" + index, 0), Map.of()));
        this.state = Settling.starting(0);
        this.listener = Listener.of(runtimeId(index));
    }

    static String runtimeId(int index) {
        return "run-" + index;
    }

    Player copy() {
        try {
            return (Player) super.clone();
        } catch (CloneNotSupportedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Says whether the process runs, paused or not. */
    boolean isRunning() {
        return started && !dead && !closed;
    }

    boolean isActive() {
        return isRunning() && !paused;
    }

    boolean isHeard() {
        return connected && !paused && !dead;
    }

    Optional<Member> self() {
        return knowledge.read().self();
    }

    /** Says whether this instance shows a current view with itself as its leader. */
    boolean isCurrentLeader(long now) {
        return state instanceof Settling.Settled settled && settled.held().leads() && localTime(now) < validUntil;
    }

    long localTime(long now) {
        return now * traits.eighths / 8;
    }

    /** Returns the first moment at which the own clock has reached that time. */
    long globalTime(long local) {
        return local > Long.MAX_VALUE / 16 ? Long.MAX_VALUE : -Math.floorDiv(-local * 8, traits.eighths);
    }

    Set<Class<? extends Request>> busyKinds(long local) {
        Set<Class<? extends Request>> kinds = new HashSet<>(underWay.keySet());
        rests.forEach((kind, until) -> {
            if (local < until) {
                kinds.add(kind);
            }
        });
        return kinds;
    }

    /** Sends to the store; without a connection, or before the instance knows of it, nothing is sent. */
    void send(Message message) {
        if (connected && ready) {
            up = plus(up, message);
        }
    }

    static <T> List<T> plus(List<T> list, T more) {
        List<T> all = new ArrayList<>(list);
        all.add(more);
        return List.copyOf(all);
    }

    @Override
    public String toString() {
        return traits.name;
    }
}
