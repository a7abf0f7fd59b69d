// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.webconsole.exchange;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;

/**
 * The complete content of a response.
 *
 * @param content makes the content, unless the client knows it by a weak tag
 * @param tag the entity tag with its quotation marks; empty if the content must not be compared
 */
public record Body(String contentType, Supplier<byte[]> content, Optional<String> tag) {
    /** Below this length the compressed form is hardly shorter. */
    private static final int SHORT = 1_000;

    /** Sends the content if the client does not know it already, compressed if the client accepts it. */
    public void send(Request request, Response response) throws IOException {
        response.setHeader("Vary", "Accept-Encoding");
        // A weak tag is the same for both forms.
        if (tag.isPresent() && tag.get().startsWith("W/") && answerKnown(request, response, tag.get())) {
            return;
        }
        byte[] plain = content.get();
        boolean compressed = plain.length >= SHORT && acceptsCompression(request.header("Accept-Encoding"));
        if (tag.isPresent() && answerKnown(request, response, compressed ? tagOfCompressed(tag.get()) : tag.get())) {
            return;
        }
        if (compressed) {
            response.setHeader("Content-Encoding", "gzip");
        }
        byte[] bytes = compressed ? compress(plain) : plain;
        response.setHeader("Content-Type", contentType);
        response.setHeader("Content-Length", String.valueOf(bytes.length));
        if (!request.method().equals("HEAD")) {
            response.send(bytes);
        }
    }

    /** A strong tag promises the same bytes, so the compressed form needs another one. */
    private static String tagOfCompressed(String tag) {
        return tag.startsWith("W/") ? tag : tag.substring(0, tag.length() - 1) + "-gzip\"";
    }

    /** Sets the tag, answers with 304 if the client knows the content with it, and returns whether it does. */
    private static boolean answerKnown(Request request, Response response, String tag) {
        response.setHeader("ETag", tag);
        boolean known = isKnown(request.header("If-None-Match"), tag);
        if (known) {
            response.setStatus(304);
        }
        return known;
    }

    /** Returns whether a list of tags contains a tag; weak and strong tags are not told apart. */
    private static boolean isKnown(String tags, String tag) {
        return tags != null
                && Stream.of(tags.split(","))
                        .map(String::strip)
                        .anyMatch(known -> known.equals("*") || opaqueTag(known).equals(opaqueTag(tag)));
    }

    private static String opaqueTag(String tag) {
        return tag.startsWith("W/") ? tag.substring(2) : tag;
    }

    static boolean acceptsCompression(String encodings) {
        boolean any = false;
        for (String each : encodings == null
                ? new String[0]
                : encodings.toLowerCase(Locale.ROOT).split(",")) {
            String coding = each.replace(" ", "");
            boolean wanted = !coding.matches("[^;]*;q=0(?:\\.0*)?");
            if (coding.matches("gzip(?:;.*)?")) {
                return wanted;
            }
            any |= coding.startsWith("*") && wanted;
        }
        return any;
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
