// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.testing.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.Random;
import java.util.stream.LongStream;

/**
 * Hands random inputs to code that reads them or refuses them, and checks that nothing else happens: no other exception, no exhausted
 * stack, and no more memory than is allowed. A failure prints its seed, and {@code -Ddiscovery.fuzz.seed=<seed>} plays it alone; {@code
 * -Ddiscovery.fuzz.factor=100} plays more.
 *
 * @param <E> what says that an input is refused
 */
public final class Fuzz<E extends Exception> {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private static final int FACTOR = Integer.getInteger("discovery.fuzz.factor", 1);
    private static final Long SEED = Long.getLong("discovery.fuzz.seed");

    private final Class<E> refusal;
    private final String sentences;
    private final long maxAllocated;

    /**
     * Creates one for a kind of code.
     *
     * @param sentences the pattern of the message of each refusal
     * @param maxAllocated how many bytes the code may allocate for one input
     */
    public Fuzz(Class<E> refusal, String sentences, long maxAllocated) {
        this.refusal = refusal;
        this.sentences = sentences;
        this.maxAllocated = maxAllocated;
    }

    /** Hands an input to the code under test. */
    public interface Target {
        void accept(Random random) throws Exception;
    }

    /** Plays that many inputs, of which some must be read and some be refused. */
    public void play(int runs, Target target) {
        long[] seeds = SEED == null ? LongStream.range(0, (long) runs * FACTOR).toArray() : new long[] {SEED};
        long read = LongStream.of(seeds).filter(seed -> isRead(seed, target)).count();
        if (SEED == null) {
            assertThat(read).as("some are read, some are refused").isBetween(1L, seeds.length - 1L);
        }
    }

    /** Hands over one input, and returns whether it was read. */
    public boolean isRead(long seed, Target target) {
        boolean[] read = {false};
        long allocated = allocated(seed, target, read);
        if (allocated > maxAllocated) {
            // The first time it may have loaded classes.
            allocated = allocated(seed, target, read);
        }
        assertThat(allocated).as("bytes allocated with seed %d", seed).isLessThanOrEqualTo(maxAllocated);
        return read[0];
    }

    private long allocated(long seed, Target target, boolean[] read) {
        long before = THREADS.getThreadAllocatedBytes(Thread.currentThread().getId());
        try {
            // The first numbers of generators with near seeds are alike.
            target.accept(new Random(seed * 0x9E3779B97F4A7C15L));
            read[0] = true;
        } catch (Exception | Error e) {
            if (!refusal.isInstance(e)) {
                throw new AssertionError("seed " + seed, e);
            }
            assertThat(e.getMessage()).as("seed %d", seed).matches(sentences);
        }
        return THREADS.getThreadAllocatedBytes(Thread.currentThread().getId()) - before;
    }
}
