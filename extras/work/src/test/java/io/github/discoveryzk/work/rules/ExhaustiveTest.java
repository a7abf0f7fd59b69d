// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.work.rules;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.discoveryzk.testing.Effort;
import io.github.discoveryzk.work.rules.World.Bounds;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** All orders of events in small worlds. */
class ExhaustiveTest {

    private record Visited(World world, String history) {}

    /** Returns the shortest history that breaks a law. */
    private static String explore(Bounds bounds, int states) {
        World first = World.of(bounds);
        Set<World> known = new HashSet<>(Set.of(first));
        Deque<Visited> left = new ArrayDeque<>(Set.of(new Visited(first, "")));
        while (!left.isEmpty() && known.size() < states) {
            Visited visited = left.poll();
            Map<String, World> next = visited.world.steps(bounds);
            Optional<String> broken = visited.world
                    .broken(bounds)
                    .or(() -> next.isEmpty() ? visited.world.unfinished(bounds) : Optional.empty());
            if (broken.isPresent()) {
                return broken.get() + " after" + visited.history;
            }
            next.putAll(visited.world.disturbances(bounds));
            next.forEach((name, world) -> {
                if (known.add(world)) {
                    left.add(new Visited(world, visited.history + "; " + name));
                }
            });
        }
        return "";
    }

    /** The whole world of two agents until a key is to be handed over. */
    @Test
    void ofTwoAgents() {
        assertThat(explore(new Bounds(2, Participants.keys("s/1", "s/2"), 3, 1), Integer.MAX_VALUE))
                .isEmpty();
    }

    /** The shortest histories of two agents in which keys are handed over. */
    @Test
    void ofTwoAgentsThatHandOver() {
        int states = Effort.of("discovery.exploration.states", 150_000, 1_500_000);
        assertThat(explore(new Bounds(2, Participants.keys("s/1", "s/2"), 4, 1), states))
                .isEmpty();
    }

    /** The shortest histories of three agents. */
    @Test
    void ofThreeAgents() {
        int states = Effort.of("discovery.exploration.states", 60_000, 1_000_000);
        assertThat(explore(new Bounds(3, Participants.keys("s/1", "s/2"), 4, 1), states))
                .isEmpty();
    }
}
