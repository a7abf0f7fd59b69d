// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.base.exploration;

import io.github.discoveryzk.base.protocol.Observations;
import io.github.discoveryzk.base.protocol.Settling;
import io.github.discoveryzk.model.LeaseProbe;
import io.github.discoveryzk.model.Member;
import io.github.discoveryzk.model.MemberRecord;
import io.github.discoveryzk.model.ProcessInfo;
import io.github.discoveryzk.model.StoreSnapshot;
import io.github.discoveryzk.spi.Request;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.LongStream;

/**
 * One instance with its connection, in one world: another world has a {@link #copy}. Times are by its own clock, except
 * {@link #silentSince}, which is by the store's.
 */
final class Player implements Cloneable {

    static final long NEVER = Long.MIN_VALUE / 4;
    static final int TIMEOUT = 900;

    final int index;
    final Scope.Traits traits;

    /** The generation of the world that may change this object. */
    private long generation;

    Observations observations;
    Settling state = Settling.starting(0);
    Listener listener;
    long validUntil = NEVER;
    long wakeAt = Long.MAX_VALUE;
    Map<Object, Long> underWay = new HashMap<>();
    Map<Object, Long> rests = new HashMap<>();
    Optional<String> lastNode = Optional.empty();
    Optional<String> steppingDown = Optional.empty();

    /** The members of which a hint says that they have ended, and those of them of whose suspicion this instance knows. */
    Set<String> hints = Set.of();

    Set<String> accused = Set.of();

    /** Since when this instance has run and been connected, by the clock of the store. */
    long wellSince;

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
    List<Message> up = new ArrayList<>();
    List<Message> down = new ArrayList<>();
    List<Request> strays = new ArrayList<>();
    Optional<StoreSnapshot> shown = Optional.empty();
    Optional<LeaseProbe> leaseProbe = Optional.empty();

    Player(int index, Scope.Traits traits) {
        this.index = index;
        this.traits = traits;
        ProcessInfo process = new ProcessInfo(runtimeId(index), "host", 1, "/" + index, 0);
        this.observations = new Observations(MemberRecord.of(traits.instanceId, process, Map.of()));
        this.listener = Listener.of(runtimeId(index));
    }

    static String runtimeId(int index) {
        return "run-" + index;
    }

    boolean isOf(long worldGeneration) {
        return generation == worldGeneration;
    }

    /** Returns the same instance in a world of that generation. */
    Player copy(long worldGeneration) {
        try {
            Player copy = (Player) clone();
            copy.generation = worldGeneration;
            copy.observations = Fields.copy(observations, new Observations(null));
            copy.underWay = new HashMap<>(underWay);
            copy.rests = new HashMap<>(rests);
            copy.up = new ArrayList<>(up);
            copy.down = new ArrayList<>(down);
            copy.strays = new ArrayList<>(strays);
            return copy;
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
        return observations.self();
    }

    /** Says whether this instance shows a current view with itself as its leader. */
    boolean isCurrentLeader(long now) {
        return state instanceof Settling.Settled settled && settled.held().leads() && localTime(now) < validUntil;
    }

    long localTime(long now) {
        return now * traits.eighths / 8;
    }

    /** Returns the first moment at which its clock has reached that time. */
    long globalTime(long local) {
        return local > Long.MAX_VALUE / 16 ? Long.MAX_VALUE : -Math.floorDiv(-local * 8, traits.eighths);
    }

    /** Returns when this instance wakes, and when its lease and its session end, by the clock of the store. */
    LongStream deadlines() {
        long wake = isActive() ? globalTime(wakeAt) : Long.MAX_VALUE;
        long lease = isRunning() ? globalTime(validUntil) : Long.MAX_VALUE;
        long expiry = sessionLives && !isHeard() ? silentSince + TIMEOUT : Long.MAX_VALUE;
        return LongStream.of(wake, lease, expiry);
    }

    void start(long now) {
        started = true;
        state = Settling.starting(localTime(now));
    }

    void kill(long now) {
        dead = true;
        disconnect(now, false);
        down.clear();
    }

    void cut(long now, boolean straying) {
        reachable = false;
        disconnect(now, straying);
    }

    /** Ends the connection; requests in transit to the store may still arrive. */
    private void disconnect(long now, boolean straying) {
        if (connected && !paused) {
            silentSince = now;
        }
        disturbed = true;
        if (connected) {
            connected = false;
            strays.clear();
            up.stream()
                    .filter(each -> straying && each instanceof Message.Ask)
                    .forEach(each -> strays.add(((Message.Ask) each).request()));
            up.clear();
            down.clear();
            down.add(new Message.Lost());
        }
    }

    void pause(long now) {
        if (isHeard()) {
            silentSince = now;
        }
        paused = true;
        disturbed = true;
    }

    /** Receives from the store, unless the instance is closed. */
    void hear(Message message) {
        if (!closed) {
            down.add(message);
        }
    }

    /** Sends to the store; without a connection, or before the instance knows of it, nothing is sent. */
    void send(Message message) {
        if (connected && ready) {
            up.add(message);
        }
    }

    @Override
    public String toString() {
        return traits.name;
    }
}
