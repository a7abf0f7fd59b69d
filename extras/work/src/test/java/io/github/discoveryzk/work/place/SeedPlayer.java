// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.work.place;

import io.github.discoveryzk.testing.laws.LawBroken;
import java.util.function.LongFunction;

/** Plays the history of a seed and returns which law breaks and how, or an empty text. Made by name, in another class loader. */
public final class SeedPlayer implements LongFunction<String> {

    @Override
    public String apply(long seed) {
        try {
            Simulation.play(seed);
            return "";
        } catch (LawBroken broken) {
            return broken.getMessage();
        }
    }
}
