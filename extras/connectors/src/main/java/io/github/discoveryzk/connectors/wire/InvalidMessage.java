// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.connectors.wire;

import java.io.IOException;

/**
 * A message of a peer is not accepted. The text names what is wrong, where, and the limit if one is exceeded. It is for logs and
 * reports of this side, not for the peer. It has printable ASCII characters only and bounded length whatever the message contains, so
 * it can be logged and shown.
 */
public final class InvalidMessage extends IOException {
    private static final long serialVersionUID = 1L;
    private static final int MAX_CHARACTERS = 500;

    private final Reason reason;

    public InvalidMessage(Reason reason, String text) {
        super(Excerpt.printable(text, MAX_CHARACTERS));
        this.reason = reason;
    }

    /** Returns why it is not accepted. */
    public Reason reason() {
        return reason;
    }

    /** Peers can cause many of these: a stack trace would only cost. */
    @Override
    public Throwable fillInStackTrace() {
        return this;
    }

    /** Why a message is not accepted. */
    public enum Reason {
        /** The path of the request is not that of a connector. */
        PATH(404),
        /** The sender may not connect. */
        FORBIDDEN(404),
        /** The method is neither PUT nor DELETE. */
        METHOD(405),
        /** The body did not arrive in time. */
        LATE(408),
        /** The content coding, the character set or the bytes of the text. */
        ENCODING(415),
        /** A limit is exceeded. */
        TOO_LARGE(413),
        /** The text is not an announcement of the sender. */
        MALFORMED(400),
        /** The protocol version is missing or not 1. */
        VERSION(400),
        /** The signature is missing or wrong, or signed with a key number that is not accepted now. */
        UNTRUSTED(404),
        /** The content is not the one that was signed. */
        ALTERED(404),
        /** The content cannot be decrypted. */
        ENCRYPTION(400),
        /** The same signed message came before. */
        REPLAYED(404),
        /** There is no room for it now, or the local cluster has no settled view. */
        UNAVAILABLE(503);

        private final int status;

        Reason(int status) {
            this.status = status;
        }

        /** Returns the HTTP status with which a server refuses such a message. A sender that is not verified learns nothing. */
        public int status() {
            return status;
        }
    }
}
