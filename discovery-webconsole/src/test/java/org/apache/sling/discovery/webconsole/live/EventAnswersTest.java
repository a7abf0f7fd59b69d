// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.webconsole.live;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.Optional;
import org.apache.sling.discovery.webconsole.exchange.Connection;
import org.apache.sling.discovery.webconsole.testing.Answer;
import org.apache.sling.discovery.webconsole.testing.FixedReporter;
import org.apache.sling.discovery.webconsole.testing.Reports;
import org.apache.sling.discovery.webconsole.testing.Sent;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EventAnswersTest {
    private final EventStreams events = new EventStreams();
    private final Sent sent = new Sent();
    private final Answer answer = new Answer();
    private int completed;

    @AfterEach
    void end() {
        events.close();
    }

    @Test
    void aStreamStaysOpenUntilTheComponentEnds() throws IOException {
        events.setReporter(new FixedReporter(Reports.settled(1)));
        send("GET");
        assertThat(answer.status).isEqualTo(200);
        assertThat(answer.headers)
                .containsEntry("Content-Type", "text/event-stream;charset=utf-8")
                .containsEntry("X-Accel-Buffering", "no");
        assertThat(completed).isZero();
        events.close();
        assertThat(completed).isEqualTo(1);
    }

    @Test
    void whoComesWhenAllPlacesAreTakenIsSentAwayForAWhile() throws IOException {
        for (int i = 0; i < EventStreams.MOST_STREAMS; i++) {
            send("GET");
        }
        assertThat(answer.status).isEqualTo(200);
        send("GET");
        assertThat(answer.status).isEqualTo(503);
        assertThat(answer.headers).containsEntry("Retry-After", "60");
    }

    @ParameterizedTest
    @ValueSource(strings = {"HEAD", "POST", "PUT", "DELETE"})
    void thereIsNothingButReading(String method) throws IOException {
        send(method);
        assertThat(answer.status).isEqualTo(405);
        assertThat(answer.headers).containsEntry("Allow", "GET, OPTIONS");
    }

    @Test
    void aContainerWithoutAsynchronousAnswersSaysSo() throws IOException {
        events.answer(sent.request("GET", "/topology.events"), answer);
        assertThat(answer.status).isEqualTo(501);
        assertThat(answer.headers).doesNotContainKey("Content-Type");
    }

    private void send(String method) throws IOException {
        answer.connection = Optional.of(new Unread());
        events.answer(sent.request(method, "/topology.events"), answer);
    }

    /** A connection that never accepts content. */
    private final class Unread implements Connection {
        @Override
        public void start(Listener listener) {
            // The listener is never called.
        }

        @Override
        public boolean isReady() {
            return false;
        }

        @Override
        public void write(byte[] content) {
            throw new IllegalStateException("not ready");
        }

        @Override
        public void flush() {
            throw new IllegalStateException("not ready");
        }

        @Override
        public void complete() {
            completed++;
        }
    }
}
