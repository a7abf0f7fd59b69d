// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.connector.wire;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.apache.sling.discovery.base.connector.wire.InvalidMessage.Reason;

/** The body of a request or reply: between bytes and the text that is signed. */
public final class MessageBody {
    /** What messages say about their body. */
    public static final String CONTENT_TYPE = "application/json; charset=UTF-8";

    private final WireLimits limits;

    /** Makes one that reads within limits. */
    public MessageBody(WireLimits limits) {
        this.limits = limits;
    }

    /**
     * Reads the bytes of a body to their end, but at most one more than the limit.
     *
     * @throws InvalidMessage when there are more
     */
    public byte[] read(InputStream in) throws IOException, InvalidMessage {
        byte[] bytes = in.readNBytes(limits.bodyBytes());
        if (in.read() >= 0) {
            throw tooLong();
        }
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
            throw tooLong();
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
        if (bytes.length > limits.bodyBytes()) {
            throw tooLong();
        }
        Charset charset = ContentHeaders.charset(contentType);
        byte[] plain = ContentHeaders.isGzip(contentEncoding) ? Gzip.inflate(bytes, limits) : bytes;
        return decode(plain, charset);
    }

    /** Returns the bytes of a text in UTF-8. */
    public byte[] bytes(String text, boolean gzip) {
        byte[] plain = text.getBytes(StandardCharsets.UTF_8);
        return gzip ? Gzip.deflate(plain, limits) : plain;
    }

    /** Says whether the sender of that header {@code Accept-Encoding} reads gzip. */
    public static boolean acceptsGzip(Optional<String> acceptEncoding) {
        return ContentHeaders.acceptsGzip(acceptEncoding);
    }

    static String decode(byte[] bytes, Charset charset) throws InvalidMessage {
        try {
            return charset.newDecoder()
                    .onMalformedInput(CodingErrorAction.REPORT)
                    .onUnmappableCharacter(CodingErrorAction.REPORT)
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        } catch (CharacterCodingException e) {
            throw new InvalidMessage(Reason.ENCODING, "the text of " + bytes.length + " bytes is not " + charset);
        }
    }

    private InvalidMessage tooLong() {
        return new InvalidMessage(Reason.TOO_LARGE, "the body has more than " + limits.bodyBytes() + " bytes");
    }
}
