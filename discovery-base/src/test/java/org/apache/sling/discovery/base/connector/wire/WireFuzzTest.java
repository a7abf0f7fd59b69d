// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.connector.wire;

import static org.apache.sling.discovery.base.connector.wire.Mutations.mutated;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * Random mutations of valid messages are read or refused, and nothing else happens: no other exception, no exhausted stack, and no
 * more memory than the limits allow. A failure prints its seed, and {@code -Ddiscovery.fuzz.seed=<seed>} plays it alone;
 * {@code -Ddiscovery.fuzz.factor=100} plays more.
 */
class WireFuzzTest {

    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private static final int FACTOR = Integer.getInteger("discovery.fuzz.factor", 1);
    private static final Long SEED = Long.getLong("discovery.fuzz.seed");
    private static final long NOW = 1_767_225_600_000L;

    private static final WireLimits LIMITS = new WireLimits(50_000, 8, 30, 500_000);

    /** Reading keeps some copies of a body, and objects of a limited number. */
    private static final long MAX_ALLOCATED = 40L * LIMITS.bodyBytes();

    private final AnnouncementCodec codec = new AnnouncementCodec(LIMITS);

    /** Hands an input to the code under test. */
    private interface Target {
        void accept(Random random) throws InvalidMessage;
    }

    private static void play(int runs, Target target) {
        long[] seeds = SEED == null
                ? IntStream.range(0, runs * FACTOR).mapToLong(i -> i).toArray()
                : new long[] {SEED};
        int[] accepted = {0};
        for (long seed : seeds) {
            long allocated = allocated(seed, target, accepted);
            if (allocated > MAX_ALLOCATED) {
                // The first time it may have loaded classes.
                allocated = allocated(seed, target, new int[1]);
            }
            assertThat(allocated).as("bytes allocated with seed %d", seed).isLessThan(MAX_ALLOCATED);
        }
        if (SEED == null) {
            assertThat(accepted[0]).as("some are read, some are refused").isBetween(1, runs * FACTOR - 1);
        }
    }

    private static long allocated(long seed, Target target, int[] accepted) {
        long before = THREADS.getThreadAllocatedBytes(Thread.currentThread().getId());
        try {
            // The first numbers of generators with near seeds are alike.
            target.accept(new Random(seed * 0x9E3779B97F4A7C15L));
            accepted[0]++;
        } catch (InvalidMessage e) {
            assertThat(e.getMessage()).as("seed %d", seed).matches("[ -~]{1,510}");
        } catch (Exception | Error e) {
            throw new AssertionError("seed " + seed, e);
        }
        return THREADS.getThreadAllocatedBytes(Thread.currentThread().getId()) - before;
    }

    @Test
    void announcements() {
        String[] texts = {
            Messages.PING,
            codec.write(Messages.message(Messages.chain(8))),
            codec.write(Messages.message(Messages.single("a")).withBackoff(5).withResetBackoff(true)),
            codec.write(Message.loop("a", 5, 150))
        };
        play(3_000, random -> {
            String text = mutated(texts[random.nextInt(texts.length)], random);
            Message read = codec.read(text, random.nextBoolean());
            // Those that are nested have the time of the message.
            assertThat(codec.read(codec.write(read), true)).isEqualTo(read);
        });
    }

    @Test
    void bodies() {
        MessageBody body = new MessageBody(LIMITS);
        byte[] plain = Messages.PING.getBytes(StandardCharsets.UTF_8);
        byte[][] bodies = {
            plain,
            MessageBody.bytes(Messages.PING, true),
            MessageBody.bytes("\0".repeat(40_000), true),
            MessageBody.bytes("\0".repeat(10_000_000), true)
        };
        String[] codings = {"gzip", "identity"};
        play(1_500, random -> {
            byte[] bytes = mutated(bodies[random.nextInt(bodies.length)], random);
            String type = random.nextBoolean() ? MessageBody.CONTENT_TYPE : mutated(MessageBody.CONTENT_TYPE, random);
            String coding = codings[random.nextInt(2)];
            codec.read(body.text(bytes, Optional.of(coding), Optional.of(type)), false);
        });
    }
}
