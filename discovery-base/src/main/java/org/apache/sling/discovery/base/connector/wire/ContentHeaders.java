// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.connector.wire;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.sling.discovery.base.connector.wire.InvalidMessage.Reason;

/** What the headers of a message say about its body. */
final class ContentHeaders {
    /** Further character sets of the JDK depend on its modules. */
    private static final Set<Charset> KNOWN = Set.of(
            StandardCharsets.UTF_8,
            StandardCharsets.US_ASCII,
            StandardCharsets.ISO_8859_1,
            StandardCharsets.UTF_16,
            StandardCharsets.UTF_16BE,
            StandardCharsets.UTF_16LE);

    private static final Pattern CHARSET =
            Pattern.compile("\\s*charset\\s*=\\s*(?:\"([^\"]*)\"|([^\"\\s]*))\\s*", Pattern.CASE_INSENSITIVE);

    private static final Pattern GZIP_ACCEPTED =
            Pattern.compile("\\s*(?:x-)?gzip\\s*(?:;\\s*q\\s*=\\s*(0(?:\\.0{0,3})?|[01](?:\\.\\d{0,3})?)\\s*)?");

    private static final int LONGEST = 1_000;

    private ContentHeaders() {}

    /** Returns the character set that {@code Content-Type} names, or UTF-8. */
    static Charset charset(Optional<String> contentType) throws InvalidMessage {
        Charset found = null;
        String[] parts = value("Content-Type", contentType).split(";", -1);
        for (int i = 1; i < parts.length; i++) {
            Matcher charset = CHARSET.matcher(parts[i]);
            if (charset.matches()) {
                Charset named = charset(charset.group(1) != null ? charset.group(1) : charset.group(2));
                if (found != null && !named.equals(found)) {
                    throw new InvalidMessage(Reason.ENCODING, "Content-Type names two character sets");
                }
                found = named;
            } else if (parts[i].strip().toLowerCase(Locale.ROOT).startsWith("charset")) {
                throw new InvalidMessage(
                        Reason.ENCODING, "Content-Type has the parameter " + Excerpt.quoted(parts[i].strip()));
            }
        }
        return found == null ? StandardCharsets.UTF_8 : found;
    }

    private static Charset charset(String name) throws InvalidMessage {
        try {
            Charset charset = Charset.forName(name);
            if (KNOWN.contains(charset)) {
                return charset;
            }
        } catch (IllegalArgumentException e) {
            // Refused below.
        }
        throw new InvalidMessage(
                Reason.ENCODING,
                "Content-Type names the character set " + Excerpt.quoted(name)
                        + "; UTF-8, US-ASCII, ISO-8859-1 and UTF-16 are known");
    }

    /** Says whether {@code Content-Encoding} names gzip. */
    static boolean isGzip(Optional<String> contentEncoding) throws InvalidMessage {
        String coding = value("Content-Encoding", contentEncoding).strip().toLowerCase(Locale.ROOT);
        return switch (coding) {
            case "", "identity" -> false;
            case "gzip", "x-gzip" -> true;
            default -> throw new InvalidMessage(
                    Reason.ENCODING, "Content-Encoding is " + Excerpt.quoted(coding) + "; gzip and identity are known");
        };
    }

    /** Says whether {@code Accept-Encoding} names gzip. */
    static boolean acceptsGzip(Optional<String> acceptEncoding) {
        String header = acceptEncoding.orElse("");
        if (header.length() > LONGEST) {
            return false;
        }
        for (String part : header.toLowerCase(Locale.ROOT).split(",")) {
            Matcher gzip = GZIP_ACCEPTED.matcher(part);
            if (gzip.matches()) {
                String weight = gzip.group(1);
                return weight == null || weight.chars().anyMatch(digit -> digit >= '1' && digit <= '9');
            }
        }
        return false;
    }

    private static String value(String name, Optional<String> header) throws InvalidMessage {
        String value = header.orElse("");
        if (value.length() > LONGEST) {
            throw new InvalidMessage(Reason.TOO_LARGE, name + " has more than " + LONGEST + " characters");
        }
        return value;
    }
}
