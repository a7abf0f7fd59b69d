// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.exploration;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.apache.sling.discovery.testing.laws.LawBroken;
import org.apache.sling.discovery.testing.laws.Laws;

/**
 * Plays a {@link Scope} through every order of its events, breadth first, so that the first history that breaks a law is one of
 * those with the fewest choices. There is a choice where more than one event can happen; events without a choice belong to the
 * previous choice. Worlds with the same future are visited once.
 */
final class Explorer {

    private static final int FAIR_EVENTS = 2_000;

    private final Scope scope;
    private final int limit;
    private final Visited visited = new Visited();
    private int[] parents = new int[1 << 12];
    private int[] choices = new int[1 << 12];
    private int worlds;
    private long events;
    private int depth;
    private long leaves;
    private long longestSettling;

    private Explorer(Scope scope, int limit) {
        this.scope = scope;
        this.limit = limit;
    }

    /**
     * The result of an exploration.
     *
     * @param figures what was explored, in words
     * @param worlds how many worlds with a choice were visited
     * @param depth how many choices the longest history has
     * @param broken the transcript of the shortest history that breaks a law
     */
    record Result(String figures, int worlds, int depth, Optional<List<String>> broken) {
        @Override
        public String toString() {
            return figures
                    + broken.map(lines -> "\n  " + String.join("\n  ", lines)).orElse("");
        }
    }

    /** Explores the scope, up to the given number of worlds. */
    static Result explore(Scope scope, int worlds) {
        return new Explorer(scope, worlds).explore();
    }

    private Result explore() {
        List<Reached> level = new ArrayList<>();
        long transitions = 0;
        World first = World.of(scope);
        remember(first, -1, 0);
        level.add(new Reached(first, 0));
        while (!level.isEmpty() && worlds < limit) {
            List<Reached> next = new ArrayList<>();
            for (int at = 0; at < level.size(); at++) {
                Reached from = level.set(at, null);
                for (Event choice : from.world().choices()) {
                    transitions++;
                    try {
                        World world = forced(from.world().after(choice));
                        if (remember(world, from.index(), choice.packed())) {
                            next.add(new Reached(world, worlds - 1));
                        }
                    } catch (LawBroken broken) {
                        return result(transitions, false, Optional.of(transcript(from.index(), choice)));
                    }
                }
            }
            depth++;
            for (Reached from : next) {
                Optional<List<String>> stuck = settles(from);
                if (stuck.isPresent()) {
                    return result(transitions, false, stuck);
                }
            }
            level = next;
        }
        return result(transitions, level.isEmpty(), Optional.empty());
    }

    private Result result(long transitions, boolean complete, Optional<List<String>> broken) {
        String figures = scope + ": " + worlds + " states, " + transitions + " transitions, " + events
                + " events, depth "
                + depth + (complete ? ", complete" : "") + ", " + leaves + " settled again within " + longestSettling
                + " ms";
        return new Result(figures, worlds, depth, broken);
    }

    private record Reached(World world, int index) {}

    private World forced(World from) {
        World world = from;
        events++;
        for (int steps = 0; steps < FAIR_EVENTS; steps++) {
            List<Event> possible = world.choices();
            if (possible.size() != 1 || possible.get(0).kind() == Event.Kind.TIME) {
                return world;
            }
            world = world.after(possible.get(0));
            events++;
        }
        throw new LawBroken(Laws.LIVENESS, "events never end");
    }

    /** Returns whether the world is new. */
    private boolean remember(World world, int parent, int choice) {
        if (!visited.add(Fingerprint.of(world))) {
            return false;
        }
        if (worlds == parents.length) {
            parents = Arrays.copyOf(parents, worlds * 2);
            choices = Arrays.copyOf(choices, worlds * 2);
        }
        parents[worlds] = parent;
        choices[worlds] = choice;
        worlds++;
        return true;
    }

    /** Checks L10 for a sample: without further disturbances all settle. Returns a transcript if not. */
    private Optional<List<String>> settles(Reached from) {
        if (scope.sample == 0 || from.index() % scope.sample != 0) {
            return Optional.empty();
        }
        leaves++;
        try {
            longestSettling = Math.max(longestSettling, Calm.settle(from.world()));
            return Optional.empty();
        } catch (LawBroken broken) {
            Narrator narrator = new Narrator();
            World world = replay(from.index(), narrator);
            narrator.lines().add("nothing disturbs any more");
            return Optional.of(lastWords(narrator, () -> Calm.settle(world)));
        }
    }

    private List<String> transcript(int index, Event last) {
        Narrator narrator = new Narrator();
        World world = replay(index, narrator);
        return lastWords(narrator, () -> forced(world.after(last)));
    }

    private static List<String> lastWords(Narrator narrator, Runnable breaking) {
        try {
            breaking.run();
            throw new IllegalStateException("a replay went another way");
        } catch (LawBroken broken) {
            narrator.lines().add(broken.getMessage());
            return narrator.lines();
        }
    }

    private World replay(int index, Narrator narrator) {
        List<Event> path = new ArrayList<>();
        for (int at = index; parents[at] >= 0; at = parents[at]) {
            path.add(Event.unpacked(choices[at]));
        }
        Collections.reverse(path);
        World world = World.of(scope, narrator);
        for (Event event : path) {
            world = forced(world.after(event));
        }
        return world;
    }
}
