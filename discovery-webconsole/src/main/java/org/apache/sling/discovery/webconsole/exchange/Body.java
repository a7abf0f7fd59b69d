// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.webconsole.exchange;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;

/**
 * The complete content of a response.
 *
 * @param tag the entity tag with its quotation marks; empty if the content must not be compared
 */
public record Body(String contentType, byte[] content, Optional<String> tag) {
    /** Below this length the compressed form is hardly shorter. */
    private static final int SHORT = 1_000;

    /** Sends the content if the client does not know it already, compressed if the client accepts it. */
    public void send(Request request, Response response) throws IOException {
        response.setHeader("Vary", "Accept-Encoding");
        boolean sendCompressed = content.length >= SHORT && acceptsCompression(request.header("Accept-Encoding"));
        Optional<String> sent = tag.map(each -> sendCompressed ? tagOfCompressed(each) : each);
        sent.ifPresent(each -> response.setHeader("ETag", each));
        if (sent.isPresent() && isKnown(request.header("If-None-Match"), sent.get())) {
            response.setStatus(304);
            return;
        }
        if (sendCompressed) {
            response.setHeader("Content-Encoding", "gzip");
        }
        byte[] bytes = sendCompressed ? compress(content) : content;
        if (request.method().equals("HEAD")) {
            response.sendHeaders(contentType, bytes.length);
        } else {
            response.send(contentType, bytes);
        }
    }

    /** A strong tag promises the same bytes, so the compressed form needs another one. */
    private static String tagOfCompressed(String tag) {
        return tag.startsWith("W/") ? tag : tag.substring(0, tag.length() - 1) + "-gzip\"";
    }

    /** Answers with 304 if the client knows the content with a tag, and returns whether it does. */
    public static boolean answerKnown(Request request, Response response, String tag) {
        if (!isKnown(request.header("If-None-Match"), tag)) {
            return false;
        }
        response.setHeader("ETag", tag);
        response.setHeader("Vary", "Accept-Encoding");
        response.setStatus(304);
        return true;
    }

    /** Returns whether a list of tags contains a tag; weak and strong tags are not told apart. */
    static boolean isKnown(String tags, String tag) {
        return tags != null
                && Stream.of(tags.split(","))
                        .map(String::strip)
                        .anyMatch(known -> known.equals("*") || opaqueTag(known).equals(opaqueTag(tag)));
    }

    private static String opaqueTag(String tag) {
        return tag.startsWith("W/") ? tag.substring(2) : tag;
    }

    static boolean acceptsCompression(String encodings) {
        if (encodings == null) {
            return false;
        }
        boolean any = false;
        for (String each : encodings.toLowerCase(Locale.ROOT).split(",")) {
            String[] parts = each.split(";");
            boolean wanted = Arrays.stream(parts, 1, parts.length).noneMatch(Body::isZero);
            if (parts[0].strip().equals("gzip")) {
                return wanted;
            }
            any |= parts[0].strip().equals("*") && wanted;
        }
        return any;
    }

    private static boolean isZero(String parameter) {
        return parameter.replace(" ", "").matches("q=0(?:\\.0*)?");
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
