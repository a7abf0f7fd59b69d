// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.base.exploration;

import io.github.discoveryzk.spi.SettlingPolicy;
import io.github.discoveryzk.spi.SettlingPolicy.SuspendedPolicy;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;

/**
 * The bounds of an exploration: the initial instances, the kinds of events with their number and targets, and the instances
 * with slow messages and listeners. Events that happen by themselves and are not free happen immediately, in one order. A scope is
 * explored exhaustively within these bounds.
 */
final class Scope {

    final String name;
    final List<Traits> traits = new ArrayList<>();
    final Map<Event.Kind, Integer> times = new EnumMap<>(Event.Kind.class);
    final List<Step> prologue = new ArrayList<>();

    /** How many instances have settled at the beginning. */
    final int settled;

    /** One of that many worlds is played undisturbed until all have settled; 0 for none. */
    int sample = 10;

    SettlingPolicy policy = new SettlingPolicy(1_200, 0, 100, SuspendedPolicy.LEASE);

    private final Map<Event.Kind, Set<Integer>> targets = new EnumMap<>(Event.Kind.class);
    private final Set<Event.Kind> interrupting = EnumSet.noneOf(Event.Kind.class);

    /** The traits of an instance. */
    static final class Traits {

        final String name;
        String instanceId;

        /** Whether its messages and wakes take any time. */
        boolean slowNet;

        /** Whether its listener runs for any time. */
        boolean slowListener;

        /** How many ms of its clock pass in 8 ms. */
        int eighths = 8;

        /** The runtime id of the instance whose record it cannot read, or an empty text. */
        String unreadable = "";

        private Traits(String name) {
            this.name = name;
            this.instanceId = name;
        }

        boolean isBlind() {
            return !unreadable.isEmpty();
        }

        /** Returns a number that is the same for instances that behave in the same way. */
        int likeness() {
            return Objects.hash(slowNet, slowListener, eighths, unreadable);
        }
    }

    /**
     * An event before the exploration.
     *
     * @param until when time has passed far enough
     * @param calm whether all events that happen by themselves follow; only slow listeners do not return by themselves then
     */
    record Step(Event event, boolean calm, long until) {}

    /** Starts with a number of settled instances, and a number of others that may be started. */
    Scope(String name, int settled, int joiners) {
        this.name = name;
        this.settled = settled;
        for (int index = 0; index < settled + joiners; index++) {
            traits.add(new Traits(String.valueOf((char) ('a' + index))));
        }
    }

    /** Allows a number of events of a kind, for the given instances or, if none is given, for all. */
    Scope allow(Event.Kind kind, int often, Integer... who) {
        times.put(kind, often);
        targets.put(kind, Set.of(who));
        return this;
    }

    /** Lets events of these kinds come between any two others, not only when nothing happens by itself. */
    Scope interrupting(Event.Kind... kinds) {
        interrupting.addAll(List.of(kinds));
        return this;
    }

    Scope slowNet(int... who) {
        return with(who, each -> each.slowNet = true);
    }

    Scope slowListener(int... who) {
        return with(who, each -> each.slowListener = true);
    }

    Scope clock(int who, int eighths) {
        return with(new int[] {who}, each -> each.eighths = eighths);
    }

    Scope cannotRead(int who, int whom) {
        return with(new int[] {who}, each -> each.unreadable = Player.runtimeId(whom));
    }

    /** Gives an instance the instance id of another one. */
    Scope sameId(int who, int as) {
        return with(new int[] {who}, each -> each.instanceId = traits.get(as).instanceId);
    }

    private Scope with(int[] who, Consumer<Traits> change) {
        for (int each : who) {
            change.accept(traits.get(each));
        }
        return this;
    }

    /** Plays these events before the exploration, each followed by all events that happen by themselves. */
    Scope after(Event... events) {
        List.of(events).forEach(event -> prologue.add(new Step(event, true, 0)));
        return this;
    }

    /** Plays these events before the exploration, with no other events in between. */
    Scope afterJust(Event... events) {
        List.of(events).forEach(event -> prologue.add(new Step(event, false, 0)));
        return this;
    }

    /** Lets time pass until then before the exploration, with all events that happen by themselves. */
    Scope until(long time) {
        prologue.add(new Step(Event.TIME, true, time));
        return this;
    }

    Scope policy(SettlingPolicy other) {
        policy = other;
        return this;
    }

    Scope sample(int every) {
        sample = every;
        return this;
    }

    boolean allows(Event.Kind kind, int who) {
        Set<Integer> whom = targets.get(kind);
        return whom != null && (whom.isEmpty() || whom.contains(who));
    }

    boolean interrupts(Event.Kind kind) {
        return interrupting.contains(kind);
    }

    @Override
    public String toString() {
        return name;
    }
}
