// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.webconsole.jakarta;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.servlet.http.HttpServletRequest;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.zip.GZIPInputStream;
import org.apache.sling.discovery.webconsole.security.ContentPolicy;
import org.apache.sling.discovery.webconsole.testing.Stub;
import org.junit.jupiter.api.Test;

class PageFilterTest {
    private final SentResponse answer = new SentResponse(
            "setHeader",
            "getWriter",
            "getOutputStream",
            "isCommitted",
            "flushBuffer",
            "reset",
            "getContentType",
            "setContentType",
            "setContentLength",
            "getCharacterEncoding");

    @Test
    void aPageIsSentWithThePolicyThatBelongsToIt() throws Exception {
        String page = "<script>alert(1)</script><div id=\"discovery-topology\"></div>";
        new PageFilter().doFilter(authenticated(true), answer.response(), (request, response) -> {
            response.getWriter().write(page);
            response.flushBuffer();
            assertThat(answer.bytes.toString()).as("sent before it is complete").isEmpty();
        });
        assertThat(answer.bytes).hasToString(page);
        assertThat(answer.headers)
                .containsEntry("Content-Security-Policy", ContentPolicy.of(page))
                .containsEntry("X-Content-Type-Options", "nosniff")
                .containsEntry("Referrer-Policy", "no-referrer")
                .containsEntry("Cache-Control", "no-store");
    }

    @Test
    void aLongPageIsCompressed() throws Exception {
        String page = "<p>a page</p>".repeat(1_000);
        new PageFilter().doFilter(authenticated(true), answer.response(), (request, response) -> response.getWriter()
                .write(page));
        assertThat(answer.headers).containsEntry("Content-Encoding", "gzip").containsEntry("Vary", "Accept-Encoding");
        try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(answer.bytes.toByteArray()))) {
            assertThat(in.readAllBytes()).asString(StandardCharsets.UTF_8).isEqualTo(page);
        }
    }

    @Test
    void aResourceGoesItsWay() throws Exception {
        new PageFilter()
                .doFilter(authenticated(true), answer.response(), (request, response) -> response.getOutputStream()
                        .write("body{}".getBytes(StandardCharsets.UTF_8)));
        assertThat(answer.bytes).hasToString("body{}");
        assertThat(answer.headers).containsEntry("Content-Security-Policy", ContentPolicy.of(""));
    }

    @Test
    void whatIsResetIsNotSent() throws Exception {
        new PageFilter().doFilter(authenticated(true), answer.response(), (request, response) -> {
            response.getWriter().write("half a page");
            response.reset();
            response.getWriter().write("an error");
        });
        assertThat(answer.bytes).hasToString("an error");
        assertThat(answer.headers).containsKeys("Content-Security-Policy", "X-Content-Type-Options");
    }

    @Test
    void whatIsSentAlreadyIsLeftAlone() throws Exception {
        new PageFilter().doFilter(authenticated(true), answer.response(), (request, response) -> {
            response.getWriter().write("of an error that was sent in the meantime");
            answer.committed = true;
        });
        assertThat(answer.bytes.toString()).isEmpty();
    }

    @Test
    void aServletOutsideTheConsoleIsLeftAlone() throws Exception {
        new PageFilter().doFilter(authenticated(false), answer.response(), (request, response) -> {
            response.getWriter().write("a page");
            assertThat(answer.text).hasToString("a page");
        });
        assertThat(answer.headers).isEmpty();
    }

    private static HttpServletRequest authenticated(boolean authenticated) {
        Stub stub = (name, arguments) -> switch (name) {
            case "getMethod" -> "GET";
            case "getHeader" -> arguments[0].equals("Accept-Encoding") ? "gzip" : null;
            default -> authenticated && arguments[0].equals("org.apache.felix.webconsole.User") ? "a user" : null;
        };
        return stub.of(HttpServletRequest.class, Set.of("getAttribute", "getHeader", "getMethod"));
    }
}
