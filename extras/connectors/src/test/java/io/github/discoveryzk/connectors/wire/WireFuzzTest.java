// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.connectors.wire;

import static io.github.discoveryzk.testing.fuzz.Mutations.mutated;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.discoveryzk.testing.fuzz.Fuzz;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Random mutations of valid messages are read or refused, within the limits. */
class WireFuzzTest {

    private static final WireLimits LIMITS = new WireLimits(50_000, 8, 30, 500_000);

    /** Reading keeps some copies of a body, and objects of a limited number. */
    private static final long MAX_ALLOCATED = 40L * LIMITS.bodyBytes();

    private final AnnouncementCodec codec = new AnnouncementCodec(LIMITS);

    private static void play(int runs, Fuzz.Target target) {
        new Fuzz<>(InvalidMessage.class, "[ -~]{1,510}", MAX_ALLOCATED).play(runs, target);
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
