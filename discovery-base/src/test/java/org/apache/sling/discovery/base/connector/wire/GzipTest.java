// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.connector.wire;

import static org.apache.sling.discovery.base.connector.wire.Messages.assertInvalid;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;
import java.util.zip.GZIPInputStream;
import org.apache.sling.discovery.base.connector.wire.InvalidMessage.Reason;
import org.junit.jupiter.api.Test;

class GzipTest {

    private static final WireLimits LIMITS = new WireLimits(1 << 20, 20, 1, 1, 1, 1, 1, 1, 1);

    private static byte[] text(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    private static byte[] joined(byte[]... parts) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            all.writeBytes(part);
        }
        return all.toByteArray();
    }

    @Test
    void othersReadWhatIsWritten() throws Exception {
        byte[] gzip = Gzip.deflate(text("hello"));

        assertThat(new GZIPInputStream(new ByteArrayInputStream(gzip)).readAllBytes())
                .isEqualTo(text("hello"));
        assertThat(Gzip.inflate(gzip, LIMITS)).isEqualTo(text("hello"));
        assertThat(Gzip.inflate(Gzip.deflate(new byte[0]), LIMITS)).isEmpty();
    }

    @Test
    void theHeaderMayHaveAllItsParts() throws Exception {
        byte[] gzip = Gzip.deflate(text("hello"));
        byte[] header = Arrays.copyOf(gzip, 10);
        header[3] = 0x1F;
        byte[] rest = Arrays.copyOfRange(gzip, 10, gzip.length);

        byte[] full = joined(header, new byte[] {3, 0, 1, 2, 3}, text("name\0"), text("comment\0"), text("xx"), rest);

        assertThat(Gzip.inflate(full, LIMITS)).isEqualTo(text("hello"));
        for (int length = 0; length < full.length; length++) {
            byte[] part = Arrays.copyOf(full, length);
            assertInvalid(Reason.ENCODING, () -> Gzip.inflate(part, LIMITS)).hasMessageContaining("gzip");
        }
    }

    @Test
    void refusesWhatIsDamaged() {
        byte[] gzip = Gzip.deflate(text("hello"));
        for (int at = 0; at < gzip.length; at++) {
            if (at >= 4 && at < 10) {
                continue; // time, flags of the compressor and system mean nothing
            }
            byte[] damaged = gzip.clone();
            damaged[at] ^= 0x40;
            boolean padding = at == gzip.length - 9; // the last bits before the checksum
            if (!padding) {
                assertInvalid(Reason.ENCODING, () -> Gzip.inflate(damaged, LIMITS));
            }
        }
    }

    @Test
    void refusesASecondMember() {
        byte[] empty = Gzip.deflate(new byte[0]);
        byte[] many = new byte[empty.length * 50_000];
        for (int i = 0; i < many.length; i++) {
            many[i] = empty[i % empty.length];
        }

        assertInvalid(Reason.ENCODING, () -> Gzip.inflate(many, LIMITS)).hasMessageContaining("after the content");
    }

    @Test
    void limitsTheInflatedBytes() throws Exception {
        byte[] noise = new byte[LIMITS.bodyBytes() + 1];
        new Random(1).nextBytes(noise);

        byte[] most = Arrays.copyOf(noise, LIMITS.bodyBytes());
        assertThat(Gzip.inflate(Gzip.deflate(most), LIMITS)).isEqualTo(most);
        assertInvalid(Reason.TOO_LARGE, () -> Gzip.inflate(Gzip.deflate(noise), LIMITS))
                .hasMessageContaining("1048576 bytes");
    }

    @Test
    void limitsTheRatioOfLongBodies() throws Exception {
        byte[] free = new byte[64 * 1024];
        assertThat(Gzip.inflate(Gzip.deflate(free), LIMITS)).isEqualTo(free);

        byte[] bomb = Gzip.deflate(new byte[1 << 20]);
        assertInvalid(Reason.TOO_LARGE, () -> Gzip.inflate(bomb, LIMITS)).hasMessageContaining("20 times");
    }
}
