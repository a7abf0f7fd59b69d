// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.webconsole.http;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;

/**
 * The reply to a request.
 *
 * @param status the HTTP status
 * @param headers the headers by name
 * @param content the content; empty if there is none
 * @param framed whether it is a page, for which the console writes the frame with the same writer
 */
public record Reply(int status, Map<String, String> headers, byte[] content, boolean framed) {
    static final String HTML = "text/html;charset=utf-8";

    /** Fewer bytes fit into one packet anyway. */
    private static final int WORTHWHILE = 1_400;

    public Reply {
        headers = Map.copyOf(headers);
    }

    /** Returns a reply without content. */
    static Reply of(int status) {
        return new Reply(status, Map.of(), new byte[0], false);
    }

    static Reply of(int status, String contentType, byte[] content) {
        return new Reply(status, Map.of("Content-Type", contentType), content, false);
    }

    static Reply of(int status, String contentType, String text) {
        return of(status, contentType, text.getBytes(StandardCharsets.UTF_8));
    }

    /** Returns a page. */
    static Reply framed(int status, String page) {
        return new Reply(status, Map.of("Content-Type", HTML), page.getBytes(StandardCharsets.UTF_8), true);
    }

    /**
     * Returns a reply that the client may keep, or only that it has not changed.
     *
     * @param tag identifies the content, in characters that a tag may have
     */
    static Reply tagged(Request request, String tag, Supplier<Reply> reply) {
        // A weak tag, because elapsed times are not part of it.
        String weak = "W/\"" + tag + "\"";
        boolean known = Stream.of(request.header("If-None-Match").split(","))
                .map(each -> each.strip().replaceFirst("^W/", ""))
                .anyMatch(each -> each.equals("*") || each.equals(weak.substring(2)));
        return (known ? of(304) : reply.get()).with("ETag", weak);
    }

    Reply with(String name, String value) {
        Map<String, String> all = new TreeMap<>(headers);
        all.put(name, value);
        return new Reply(status, all, content, framed);
    }

    /** Returns these headers, and those of others that are absent. */
    Reply withDefaults(Map<String, String> others) {
        Map<String, String> all = new TreeMap<>(others);
        all.putAll(headers);
        return new Reply(status, all, content, framed);
    }

    /** Returns the reply as it is sent: compressed if the client wants that, and for HEAD without the content. The console adds to a framed one, so its length is not known. */
    Reply sentTo(Request request) {
        Reply sent = compressed(request);
        Reply reply = framed || !headers.containsKey("Content-Type")
                ? sent
                : sent.with("Content-Length", String.valueOf(sent.content.length));
        return request.method().equals("HEAD") ? new Reply(status, reply.headers, new byte[0], framed) : reply;
    }

    private Reply compressed(Request request) {
        if (framed
                || content.length < WORTHWHILE
                || !request.header("Accept-Encoding").contains("gzip")) {
            return this;
        }
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(bytes)) {
            gzip.write(content);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        String varies = Stream.of(headers.get("Vary"), "Accept-Encoding")
                .filter(Objects::nonNull)
                .collect(Collectors.joining(", "));
        return new Reply(status, headers, bytes.toByteArray(), false)
                .with("Content-Encoding", "gzip")
                .with("Vary", varies);
    }
}
