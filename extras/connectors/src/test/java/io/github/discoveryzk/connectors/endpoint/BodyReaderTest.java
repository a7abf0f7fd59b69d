// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.connectors.endpoint;

import static io.github.discoveryzk.connectors.wire.Messages.assertInvalid;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.discoveryzk.connectors.wire.InvalidMessage.Reason;
import io.github.discoveryzk.connectors.wire.WireLimits;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The places of senders are tested with the endpoint. */
class BodyReaderTest {

    private static BodyReader reader(int bodyBytes, long heapBytes) {
        return new BodyReader(new WireLimits(bodyBytes, 1, 1, 1), Duration.ofSeconds(10), () -> 0, heapBytes);
    }

    private static int read(BodyReader reader, int length, BodyReader.Processor<Integer> processor) throws IOException {
        return reader.read("a", -1, () -> new ByteArrayInputStream(new byte[length]), processor);
    }

    private static int read(BodyReader reader, int length) throws IOException {
        return read(reader, length, bytes -> bytes.length);
    }

    @Test
    void memoryIsTakenUntilABodyIsProcessed() throws Exception {
        BodyReader reader = reader(100, 100 * 24);
        for (int i = 0; i < 2; i++) {
            int first = read(reader, 60, bytes -> {
                assertThat(read(reader, 90)).isEqualTo(90);
                assertInvalid(Reason.UNAVAILABLE, () -> read(reader, 91)).hasMessageContaining("memory");
                return bytes.length;
            });
            assertThat(first).isEqualTo(60);
        }
    }

    @ParameterizedTest
    @CsvSource({"64, 1", "128, 1", "512, 4", "1000000, 32"})
    void thereIsRoomForOneBodyInASmallHeapAndForMoreInAGreaterOne(long heap, int bodies) throws Exception {
        nest(reader(8, heap), bodies);
    }

    /** Reads bodies of eight bytes, each before the end of the one before. */
    private static void nest(BodyReader reader, int bodies) throws IOException {
        if (bodies == 0) {
            assertInvalid(Reason.UNAVAILABLE, () -> read(reader, 1)).hasMessageContaining("memory");
            return;
        }
        InputStream body = new SequenceInputStream(new ByteArrayInputStream(new byte[8]), new InputStream() {
            @Override
            public int read() throws IOException {
                nest(reader, bodies - 1);
                return -1;
            }
        });
        assertThat(reader.<Integer>read("sender " + bodies, 8, () -> body, bytes -> bytes.length))
                .isEqualTo(8);
    }
}
