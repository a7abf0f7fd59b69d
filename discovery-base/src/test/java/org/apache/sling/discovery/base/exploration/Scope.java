// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.exploration;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.apache.sling.discovery.base.protocol.Protocol;
import org.apache.sling.discovery.commons.spi.Request;
import org.apache.sling.discovery.commons.spi.SettlingPolicy;
import org.apache.sling.discovery.commons.spi.SettlingPolicy.SuspendedPolicy;

/**
 * The bounds of an exploration: the initial instances, the kinds of events with their number and targets, and the instances
 * with slow messages and listeners. Events that happen by themselves and are not free happen at once, in one order. A scope is
 * explored exhaustively within these bounds.
 */
final class Scope {

    private final String name;
    private final List<Traits> traits = new ArrayList<>();
    private final Map<Event.Kind, Integer> times = new EnumMap<>(Event.Kind.class);
    private final Map<Event.Kind, Set<Integer>> targets = new EnumMap<>(Event.Kind.class);
    private final Set<Event.Kind> interrupting = EnumSet.noneOf(Event.Kind.class);
    private final List<Step> prologue = new ArrayList<>();
    private int settled;
    private int sample = 10;
    private int depth = Integer.MAX_VALUE;
    private boolean expiryIsLate;
    private SettlingPolicy policy = new SettlingPolicy(1_200, 0, 100, SuspendedPolicy.LEASE);
    private Protocol protocol = Protocol.SETTLING;
    private UnaryOperator<Request> taken = request -> request;

    /**
     * The traits of an instance.
     *
     * @param name the display name
     * @param instanceId the id of the instance
     * @param slowNet whether its messages and wakes take any time
     * @param slowListener whether its listener runs for any time
     * @param eighths how many ms of its clock pass in 8 ms
     * @param unreadable the runtime id of the instance whose record it cannot read, or an empty text
     */
    record Traits(
            String name, String instanceId, boolean slowNet, boolean slowListener, int eighths, String unreadable) {

        Traits slow(boolean net, boolean listener) {
            return new Traits(name, instanceId, net || slowNet, listener || slowListener, eighths, unreadable);
        }

        boolean isBlind() {
            return !unreadable.isEmpty();
        }

        /** Returns a number that is the same for instances that behave in the same way. */
        int likeness() {
            return Objects.hash(slowNet, slowListener, eighths, unreadable);
        }
    }

    private Scope(String name) {
        this.name = name;
    }

    /** Starts with a number of settled instances, and a number of others that may be started. */
    static Scope of(String name, int settled, int joiners) {
        Scope scope = new Scope(name);
        scope.settled = settled;
        for (int index = 0; index < settled + joiners; index++) {
            String id = String.valueOf((char) ('a' + index));
            scope.traits.add(new Traits(id, id, false, false, 8, ""));
        }
        return scope;
    }

    /** Allows a number of events of a kind, for the given instances or, if none is given, for all. */
    Scope allow(Event.Kind kind, int often, int... who) {
        times.put(kind, often);
        Set<Integer> whom = new HashSet<>();
        for (int each : who) {
            whom.add(each);
        }
        targets.put(kind, whom);
        return this;
    }

    /** Lets events of these kinds come between any two others, not only when nothing happens by itself. */
    Scope interrupting(Event.Kind... kinds) {
        interrupting.addAll(List.of(kinds));
        return this;
    }

    Scope slowNet(int... who) {
        for (int each : who) {
            traits.set(each, traits.get(each).slow(true, false));
        }
        return this;
    }

    Scope slowListener(int... who) {
        for (int each : who) {
            traits.set(each, traits.get(each).slow(false, true));
        }
        return this;
    }

    Scope clock(int who, int eighths) {
        Traits old = traits.get(who);
        traits.set(who, new Traits(old.name, old.instanceId, old.slowNet, old.slowListener, eighths, old.unreadable));
        return this;
    }

    Scope cannotRead(int who, int whom) {
        Traits old = traits.get(who);
        traits.set(
                who,
                new Traits(
                        old.name, old.instanceId, old.slowNet, old.slowListener, old.eighths, Player.runtimeId(whom)));
        return this;
    }

    /** Plays these events before the exploration, each followed by all events that happen by themselves. */
    Scope after(Event... events) {
        for (Event event : events) {
            prologue.add(new Step(event, true, 0));
        }
        return this;
    }

    /** Plays these events before the exploration, with no other events in between. */
    Scope afterJust(Event... events) {
        for (Event event : events) {
            prologue.add(new Step(event, false, 0));
        }
        return this;
    }

    /** Lets time pass until then before the exploration, with all events that happen by themselves. */
    Scope until(long time) {
        prologue.add(new Step(Event.TIME, true, time));
        return this;
    }

    /**
     * An event before the exploration.
     *
     * @param until when time has passed far enough
     * @param calm whether all events that happen by themselves follow; only slow listeners do not return by themselves then
     */
    record Step(Event event, boolean calm, long until) {}

    /** Makes instances mistake an answered request for another one. */
    Scope takingForDone(UnaryOperator<Request> other) {
        taken = other;
        return this;
    }

    /** Gives an instance the instance id of another one. */
    Scope sameId(int who, int as) {
        Traits old = traits.get(who);
        traits.set(
                who,
                new Traits(
                        old.name,
                        traits.get(as).instanceId,
                        old.slowNet,
                        old.slowListener,
                        old.eighths,
                        old.unreadable));
        return this;
    }

    /** Lets the servers take any time to end a session whose timeout is over. */
    Scope lateExpiry() {
        expiryIsLate = true;
        return this;
    }

    Scope policy(SettlingPolicy other) {
        policy = other;
        return this;
    }

    Scope protocol(Protocol other) {
        protocol = other;
        return this;
    }

    /** Plays one of the given number of worlds undisturbed until all have settled; 0 for none. */
    Scope sample(int every) {
        sample = every;
        return this;
    }

    /** Explores histories with at most the given number of choices. */
    Scope depth(int choices) {
        depth = choices;
        return this;
    }

    String name() {
        return name;
    }

    UnaryOperator<Request> taken() {
        return taken;
    }

    List<Step> prologue() {
        return prologue;
    }

    int settled() {
        return settled;
    }

    /** Returns the number of worlds of which one is played undisturbed until all have settled. */
    int sample() {
        return sample;
    }

    int depth() {
        return depth;
    }

    boolean isExpiryLate() {
        return expiryIsLate;
    }

    SettlingPolicy policy() {
        return policy;
    }

    Protocol protocol() {
        return protocol;
    }

    List<Traits> traits() {
        return traits;
    }

    Map<Event.Kind, Integer> times() {
        return times;
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
