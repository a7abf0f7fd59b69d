// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.connectors.wire;

import io.github.discoveryzk.connectors.wire.InvalidMessage.Reason;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.CRC32;
import java.util.zip.GZIPOutputStream;
import java.util.zip.Inflater;
import java.util.zip.InflaterInputStream;

/** The body of a request or reply: between bytes and the text that is signed. */
public final class MessageBody {
    /** What messages say about their body. */
    public static final String CONTENT_TYPE = "application/json; charset=UTF-8";

    /** Further character sets of the JDK depend on its modules. */
    private static final Set<String> CHARSETS =
            Set.of("UTF-8", "US-ASCII", "ISO-8859-1", "UTF-16", "UTF-16BE", "UTF-16LE");

    private static final Pattern CHARSET =
            Pattern.compile(";\\s*charset\\s*=\\s*\"?([^\"\\s;]*)", Pattern.CASE_INSENSITIVE);
    private static final Pattern GZIP_ACCEPTED = Pattern.compile(
            "(?:^|,)\\s*(?:x-)?gzip\\s*(?:;\\s*q\\s*=\\s*(?!0(?:\\.0*)?\\s*(?:,|$))[01.]\\S*\\s*)?(?=,|$)");

    private static final int MAX_HEADER = 1_000;

    /** The first bytes of a body: gzip, deflated, and no optional part. The rest of the header means nothing. */
    private static final ByteBuffer GZIP_HEADER = ByteBuffer.wrap(new byte[] {0x1f, (byte) 0x8b, 8, 0});

    private static final int GZIP_HEADER_BYTES = 10;
    private static final int GZIP_TRAILER_BYTES = 8;

    private final WireLimits limits;

    /** Reads within limits. */
    public MessageBody(WireLimits limits) {
        this.limits = limits;
    }

    /**
     * Reads the bytes of a body to their end, but at most one more than the limit.
     *
     * @throws InvalidMessage when there are more
     */
    public byte[] read(InputStream in) throws IOException {
        byte[] bytes = in.readNBytes(limits.bodyBytes());
        checkLength(bytes.length + (in.read() >= 0 ? 1L : 0L));
        return bytes;
    }

    /**
     * Checks the length that a message announces, before it is read.
     *
     * @param length the value of {@code Content-Length}, or -1 if there is none
     * @throws InvalidMessage when it is above the limit
     */
    public void checkLength(long length) throws InvalidMessage {
        if (length > limits.bodyBytes()) {
            throw new InvalidMessage(Reason.TOO_LARGE, "the body has more than " + limits.bodyBytes() + " bytes");
        }
    }

    /**
     * Returns the text of a body, which is what a signature is about.
     *
     * @param bytes what was transferred
     * @param contentEncoding the header {@code Content-Encoding}
     * @param contentType the header {@code Content-Type}; without a character set the text is UTF-8
     * @throws InvalidMessage when coding or character set are not known, the bytes do not follow them, or the length exceeds a limit
     */
    public String text(byte[] bytes, Optional<String> contentEncoding, Optional<String> contentType)
            throws InvalidMessage {
        checkLength(bytes.length);
        Charset charset = charset(value("Content-Type", contentType));
        return decode(isGzip(contentEncoding) ? inflate(bytes) : bytes, charset);
    }

    /** Returns the bytes of a text in UTF-8. */
    public static byte[] bytes(String text, boolean gzip) {
        byte[] plain = text.getBytes(StandardCharsets.UTF_8);
        if (!gzip) {
            return plain;
        }
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(plain.length / 4 + 64);
        try (GZIPOutputStream out = new GZIPOutputStream(bytes)) {
            out.write(plain);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    /** Says whether the sender of that header {@code Accept-Encoding} reads gzip. */
    public static boolean acceptsGzip(Optional<String> acceptEncoding) {
        String header = acceptEncoding.orElse("").toLowerCase(Locale.ROOT);
        return header.length() <= MAX_HEADER && GZIP_ACCEPTED.matcher(header).find();
    }

    /**
     * Returns the text of bytes.
     *
     * @throws InvalidMessage when they do not follow the character set
     */
    public static String decode(byte[] bytes, Charset charset) throws InvalidMessage {
        try {
            return charset.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
        } catch (CharacterCodingException e) {
            throw new InvalidMessage(Reason.ENCODING, "the text of " + bytes.length + " bytes is not " + charset);
        }
    }

    private static Charset charset(String contentType) throws InvalidMessage {
        Matcher parameter = CHARSET.matcher(contentType);
        String name = parameter.find() ? parameter.group(1) : "UTF-8";
        try {
            Charset charset = Charset.forName(name);
            if (CHARSETS.contains(charset.name())) {
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

    private static boolean isGzip(Optional<String> contentEncoding) throws InvalidMessage {
        String coding = value("Content-Encoding", contentEncoding).strip().toLowerCase(Locale.ROOT);
        return switch (coding) {
            case "", "identity" -> false;
            case "gzip", "x-gzip" -> true;
            default -> throw new InvalidMessage(
                    Reason.ENCODING, "Content-Encoding is " + Excerpt.quoted(coding) + "; gzip and identity are known");
        };
    }

    private static String value(String name, Optional<String> header) throws InvalidMessage {
        String value = header.orElse("");
        if (value.length() > MAX_HEADER) {
            throw new InvalidMessage(Reason.TOO_LARGE, name + " has more than " + MAX_HEADER + " characters");
        }
        return value;
    }

    /**
     * Inflates a single member of gzip, and ends as soon as there are more bytes than the limit. The JDK's stream of gzip calls itself
     * for each further member, so that a body of many empty ones would exhaust the stack.
     */
    private byte[] inflate(byte[] bytes) throws InvalidMessage {
        int end = bytes.length - GZIP_TRAILER_BYTES;
        if (end < GZIP_HEADER_BYTES
                || !ByteBuffer.wrap(bytes, 0, GZIP_HEADER.limit()).equals(GZIP_HEADER)) {
            throw noGzip("it has no plain header of gzip");
        }
        Inflater inflater = new Inflater(true);
        try {
            byte[] plain = read(new InflaterInputStream(
                    new ByteArrayInputStream(bytes, GZIP_HEADER_BYTES, end - GZIP_HEADER_BYTES), inflater));
            CRC32 checksum = new CRC32();
            checksum.update(plain);
            ByteBuffer trailer = ByteBuffer.wrap(bytes, end, GZIP_TRAILER_BYTES).order(ByteOrder.LITTLE_ENDIAN);
            if (trailer.getInt() != (int) checksum.getValue() || trailer.getInt() != plain.length) {
                throw noGzip("its checksum or length is wrong");
            }
            return plain;
        } catch (InvalidMessage e) {
            throw e;
        } catch (IOException e) {
            throw noGzip("it cannot be inflated");
        } finally {
            inflater.end();
        }
    }

    private static InvalidMessage noGzip(String why) {
        return new InvalidMessage(Reason.ENCODING, "the body cannot be read as gzip: " + why);
    }
}
