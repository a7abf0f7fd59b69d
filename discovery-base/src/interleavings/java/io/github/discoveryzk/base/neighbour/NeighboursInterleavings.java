// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.base.neighbour;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.discoveryzk.base.Crew;
import java.util.Optional;
import org.junit.jupiter.api.extension.ExtendWith;
import org.pastalab.fray.junit.junit5.FrayTestExtension;
import org.pastalab.fray.junit.junit5.annotations.FrayTest;

/** Two instances that share a thread begin and cease to watch, by several threads, in many orders of their steps. */
@ExtendWith(FrayTestExtension.class)
class NeighboursInterleavings {

    static {
        System.setProperty("java.nio.channels.spi.AsynchronousChannelProvider", NoSockets.class.getName());
    }

    /** A thread that is left fails too: Fray waits for its end. */
    @FrayTest(iterations = 1_000, resetClassLoaderPerIteration = false)
    void theLastThatClosesLeavesNothing() {
        Crew crew = new Crew();
        Watcher a = new Watcher("a");
        Watcher b = new Watcher("b");
        crew.execute(() -> a.follow(a.at(""), b.at("unreachable")));
        crew.execute(() -> a.neighbours.configure(1, Optional.empty(), false));
        crew.execute(a::close);
        crew.execute(() -> {
            b.follow(b.at(""), a.at("unreachable"));
            b.close();
        });
        crew.join();
        assertThat(a.neighbours.watches).isEmpty();
        assertThat(b.neighbours.watches).isEmpty();
    }
}
