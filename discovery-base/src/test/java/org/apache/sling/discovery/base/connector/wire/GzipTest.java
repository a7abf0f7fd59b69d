// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.connector.wire;

import static org.apache.sling.discovery.base.connector.wire.Messages.assertInvalid;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;
import java.util.zip.GZIPInputStream;
import org.apache.sling.discovery.base.connector.wire.InvalidMessage.Reason;
import org.junit.jupiter.api.Test;

class GzipTest {

    private static final int LIMIT = 1 << 20;

    private static byte[] text(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    @Test
    void othersReadWhatIsWritten() throws Exception {
        byte[] gzip = Gzip.deflate(text("hello"));

        assertThat(new GZIPInputStream(new ByteArrayInputStream(gzip)).readAllBytes())
                .isEqualTo(text("hello"));
        assertThat(Gzip.inflate(gzip, LIMIT)).isEqualTo(text("hello"));
        assertThat(Gzip.inflate(Gzip.deflate(new byte[0]), LIMIT)).isEmpty();
    }

    @Test
    void aBodyThatIsCutIsRefused() {
        byte[] gzip = Gzip.deflate(text("hello"));
        for (int length = 0; length < gzip.length; length++) {
            byte[] part = Arrays.copyOf(gzip, length);
            assertInvalid(Reason.ENCODING, () -> Gzip.inflate(part, LIMIT)).hasMessageContaining("gzip");
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
                assertInvalid(Reason.ENCODING, () -> Gzip.inflate(damaged, LIMIT));
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

        assertInvalid(Reason.ENCODING, () -> Gzip.inflate(many, LIMIT)).hasMessageContaining("after the content");
    }

    @Test
    void limitsTheInflatedBytes() throws Exception {
        byte[] noise = new byte[LIMIT + 1];
        new Random(1).nextBytes(noise);

        byte[] most = Arrays.copyOf(noise, LIMIT);
        assertThat(Gzip.inflate(Gzip.deflate(most), LIMIT)).isEqualTo(most);
        assertInvalid(Reason.TOO_LARGE, () -> Gzip.inflate(Gzip.deflate(noise), LIMIT))
                .hasMessageContaining("1048576 bytes");
    }
}
