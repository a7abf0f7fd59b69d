// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.base.exploration;

import io.github.discoveryzk.testing.laws.LawBroken;
import io.github.discoveryzk.testing.laws.Laws;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Plays a {@link Scope} through every order of its events, breadth first, so that the first history that breaks a law is one of
 * those with the fewest choices. There is a choice where more than one event can happen; events without a choice belong to the
 * previous choice. Worlds with the same future are visited once.
 */
final class Explorer {

    private static final int FAIR_EVENTS = 2_000;

    private final Scope scope;
    private final int limit;
    private final Set<Fingerprint.Bits> visited = new HashSet<>();
    private long transitions;
    private long events;
    private int depth;
    private long reached;
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

    /** The choices that lead to a world, the last one first; the first world has none. */
    private record Path(Path before, Event choice) {}

    private record Reached(World world, Path path) {}

    /** Explores the scope, up to the given number of worlds. */
    static Result explore(Scope scope, int worlds) {
        return new Explorer(scope, worlds).explore();
    }

    private Result explore() {
        World first = World.of(scope, Narrator.SILENT);
        visited.add(Fingerprint.of(first));
        List<Reached> level = List.of(new Reached(first, null));
        Optional<List<String>> broken = Optional.empty();
        while (!level.isEmpty() && visited.size() < limit && broken.isEmpty()) {
            List<Reached> next = new ArrayList<>();
            for (int at = 0; at < level.size() && broken.isEmpty(); at++) {
                broken = follow(level.get(at), next);
            }
            depth += broken.isEmpty() ? 1 : 0;
            for (int at = 0; at < next.size() && broken.isEmpty(); at++) {
                broken = settles(next.get(at));
            }
            level = next;
        }
        String figures = scope + ": " + visited.size() + " states, " + transitions + " transitions, " + events
                + " events, depth " + depth + (level.isEmpty() ? ", complete" : "") + ", " + leaves
                + " settled again within " + longestSettling + " ms";
        return new Result(figures, visited.size(), depth, broken);
    }

    /** Plays each choice of a world, and adds the new worlds. Returns a transcript when a law breaks. */
    private Optional<List<String>> follow(Reached from, List<Reached> next) {
        for (Event choice : from.world().choices()) {
            transitions++;
            try {
                World world = forced(from.world().after(choice));
                if (visited.add(Fingerprint.of(world))) {
                    next.add(new Reached(world, new Path(from.path(), choice)));
                }
            } catch (LawBroken broken) {
                Narrator narrator = new Narrator();
                World world = replay(from.path(), narrator);
                return lastWords(narrator, () -> forced(world.after(choice)));
            }
        }
        return Optional.empty();
    }

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

    /** Checks L10 for a sample: without further disturbances all settle. Returns a transcript if not. */
    private Optional<List<String>> settles(Reached from) {
        if (scope.sample == 0 || reached++ % scope.sample != 0) {
            return Optional.empty();
        }
        leaves++;
        try {
            longestSettling = Math.max(longestSettling, Checks.settle(from.world()));
            return Optional.empty();
        } catch (LawBroken broken) {
            Narrator narrator = new Narrator();
            World world = replay(from.path(), narrator);
            narrator.lines().add("the disturbances have ended");
            return lastWords(narrator, () -> Checks.settle(world));
        }
    }

    private static Optional<List<String>> lastWords(Narrator narrator, Runnable breaking) {
        try {
            breaking.run();
            throw new IllegalStateException("a replay went another way");
        } catch (LawBroken broken) {
            narrator.lines().add(broken.getMessage());
            return Optional.of(narrator.lines());
        }
    }

    private World replay(Path path, Narrator narrator) {
        return path == null
                ? World.of(scope, narrator)
                : forced(replay(path.before(), narrator).after(path.choice()));
    }
}
