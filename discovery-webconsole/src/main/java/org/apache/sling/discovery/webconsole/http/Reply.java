// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.webconsole.http;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Supplier;
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

    /** Below this length the compressed form is hardly shorter. */
    private static final int SHORT = 1_000;

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
     * @param tag identifies the content, in characters that a tag may have; empty if it must not be compared
     */
    static Reply tagged(Request request, Optional<String> tag, Supplier<Reply> reply) {
        if (tag.isEmpty()) {
            return reply.get();
        }
        // A weak tag, because the compressed form has the same one and elapsed times are not part of it.
        String weak = "W/\"" + tag.get() + "\"";
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

    /** Returns the reply as it is sent: compressed if the client accepts it, and for HEAD without the content. */
    Reply encodedFor(Request request) {
        boolean sent = !request.method().equals("HEAD");
        if (framed) {
            return sent ? this : new Reply(status, headers, new byte[0], true);
        }
        if (!headers.containsKey("Content-Type")) {
            return this;
        }
        boolean compressed = content.length >= SHORT && acceptsCompression(request.header("Accept-Encoding"));
        byte[] bytes = compressed ? compress(content) : content;
        Reply encoded = with("Vary", "Accept-Encoding").with("Content-Length", String.valueOf(bytes.length));
        encoded = compressed ? encoded.with("Content-Encoding", "gzip") : encoded;
        return new Reply(status, encoded.headers, sent ? bytes : new byte[0], false);
    }

    private static boolean acceptsCompression(String encodings) {
        return Stream.of(encodings.toLowerCase(Locale.ROOT).replace(" ", "").split(","))
                .anyMatch(each -> each.matches("gzip(?:;.*)?") && !each.matches("gzip;q=0(?:\\.0*)?"));
    }

    private static byte[] compress(byte[] plain) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(plain.length / 8);
        try (GZIPOutputStream out = new GZIPOutputStream(bytes)) {
            out.write(plain);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }
}
