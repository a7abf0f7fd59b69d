// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.webconsole;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RevisionEventsTest {
    private final RevisionEvents events = new RevisionEvents();
    private final Map<String, String> headers = new HashMap<>();
    private int status = 200;
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
        assertThat(status).isEqualTo(200);
        assertThat(headers)
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
        for (int i = 0; i < RevisionStreams.MOST; i++) {
            send("GET");
        }
        assertThat(status).isEqualTo(200);
        send("GET");
        assertThat(status).isEqualTo(503);
        assertThat(headers).containsEntry("Retry-After", "60");
    }

    @ParameterizedTest
    @ValueSource(strings = {"HEAD", "POST", "PUT", "DELETE", "OPTIONS"})
    void thereIsNothingButReading(String method) throws IOException {
        send(method);
        assertThat(status).isEqualTo(405);
        assertThat(headers).containsEntry("Allow", "GET");
    }

    private void send(String method) throws IOException {
        events.service(request(method), response());
    }

    private HttpServletRequest request(String requested) {
        return proxy(HttpServletRequest.class, (name, arguments) -> switch (name) {
            case "getMethod" -> requested;
            case "startAsync" -> async();
            default -> throw new UnsupportedOperationException(name);
        });
    }

    private AsyncContext async() {
        return proxy(AsyncContext.class, (name, arguments) -> {
            switch (name) {
                case "setTimeout" -> timeout = (Long) arguments[0];
                case "complete" -> completed++;
                case "addListener" -> {}
                default -> throw new UnsupportedOperationException(name);
            }
            return null;
        });
    }

    private HttpServletResponse response() {
        return proxy(HttpServletResponse.class, (name, arguments) -> {
            switch (name) {
                case "setHeader" -> headers.put((String) arguments[0], (String) arguments[1]);
                case "setContentType" -> headers.put("Content-Type", (String) arguments[0]);
                case "sendError" -> status = (Integer) arguments[0];
                case "getOutputStream" -> {
                    return new Nowhere();
                }
                default -> throw new UnsupportedOperationException(name);
            }
            return null;
        });
    }

    private static <T> T proxy(Class<T> type, Call call) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(),
                new Class<?>[] {type},
                (self, method, arguments) -> call.answer(method.getName(), arguments)));
    }

    private interface Call {
        Object answer(String name, Object[] arguments);
    }

    private static final class Nowhere extends ServletOutputStream {
        @Override
        public boolean isReady() {
            return true;
        }

        @Override
        public void setWriteListener(WriteListener listener) {
            // Never possible here.
        }

        @Override
        public void write(int b) {
            // Nobody reads it.
        }
    }
}
