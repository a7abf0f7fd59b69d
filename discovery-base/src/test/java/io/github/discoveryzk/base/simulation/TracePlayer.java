// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.base.simulation;

import java.util.function.LongFunction;

/**
 * Plays the history of a seed and returns its trace, or an empty text when it has something that the specification does not have.
 * Made by name, in another class loader.
 */
public final class TracePlayer implements LongFunction<String> {

    /** More instances than these cost the model checker too much. */
    public static final int INSTANCES = 12;

    @Override
    public String apply(long seed) {
        TraceRecorder trace = Simulation.trace(seed);
        return trace.unmodelled().isPresent() || trace.instances() > INSTANCES ? "" : trace.text();
    }
}
