// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.webconsole;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.servlet.AsyncContext;
import java.io.IOException;
import java.util.Set;
import org.apache.sling.discovery.webconsole.live.EventStreams;
import org.apache.sling.discovery.webconsole.testing.Answer;
import org.apache.sling.discovery.webconsole.testing.FixedReporter;
import org.apache.sling.discovery.webconsole.testing.Reports;
import org.apache.sling.discovery.webconsole.testing.Sent;
import org.apache.sling.discovery.webconsole.testing.Stub;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RevisionEventServletTest {
    private final RevisionEventServlet events = new RevisionEventServlet();
    private final Sent sent = new Sent("getMethod", "startAsync");
    private final Answer answer =
            new Answer("setHeader", "setContentType", "sendError", "getOutputStream", "setWriteListener");
    private int completed;
    private long timeout = -1;

    @AfterEach
    void end() {
        events.deactivate();
    }

    @Test
    void aStreamStaysOpenUntilTheComponentEnds() throws IOException {
        events.bindReporter(new FixedReporter(Reports.settled(1)));
        send("GET");
        assertThat(answer.status).isEqualTo(200);
        assertThat(answer.headers)
                .containsEntry("Content-Type", "text/event-stream;charset=utf-8")
                .containsEntry("Cache-Control", "no-store")
                .containsEntry("X-Accel-Buffering", "no");
        assertThat(timeout).as("no timeout").isZero();
        assertThat(completed).isZero();
        events.deactivate();
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
    @ValueSource(strings = {"HEAD", "POST", "PUT", "DELETE", "OPTIONS"})
    void thereIsNothingButReading(String method) throws IOException {
        send(method);
        assertThat(answer.status).isEqualTo(405);
        assertThat(answer.headers).containsEntry("Allow", "GET");
    }

    private void send(String method) throws IOException {
        sent.async = async();
        events.service(sent.request(method, null), answer.response());
    }

    private AsyncContext async() {
        Stub stub = (name, arguments) -> {
            switch (name) {
                case "setTimeout" -> timeout = (Long) arguments[0];
                case "complete" -> completed++;
                case "addListener" -> {}
                default -> throw new UnsupportedOperationException(name);
            }
            return null;
        };
        return stub.of(AsyncContext.class, Set.of("setTimeout", "complete", "addListener"));
    }
}
