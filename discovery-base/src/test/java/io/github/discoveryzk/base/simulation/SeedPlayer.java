// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.simulation;

import java.util.function.LongFunction;
import org.apache.sling.discovery.testing.laws.LawBroken;

/** Plays the history of a seed and returns which law breaks and how, or an empty text. Made by name, in another class loader. */
public final class SeedPlayer implements LongFunction<String> {

    @Override
    public String apply(long seed) {
        try {
            Simulation.playOnce(seed);
            return "";
        } catch (LawBroken | IllegalStateException broken) {
            return broken.getMessage();
        }
    }
}
