// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.connector.wire;

import java.io.IOException;
import java.util.Objects;

/**
 * A message of a peer cannot be accepted. The text names what is wrong, where, and the limit if one is exceeded. It is for logs and
 * reports of this side, not for the peer. It has printable ASCII characters only and bounded length whatever the message contains, so
 * it can be logged and shown.
 */
public final class InvalidMessage extends IOException {
    private static final long serialVersionUID = 1L;
    private static final int MAX_CHARACTERS = 500;

    private final Reason reason;

    public InvalidMessage(Reason reason, String text) {
        super(Excerpt.printable(text, MAX_CHARACTERS));
        this.reason = Objects.requireNonNull(reason, "reason");
    }

    /** Returns what kind of fault the message has. */
    public Reason reason() {
        return reason;
    }

    /** Peers can cause many of these: a stack trace would only cost. */
    @Override
    public Throwable fillInStackTrace() {
        return this;
    }

    /** The kinds of faults. */
    public enum Reason {
        /** The path of the request is not that of a connector. */
        PATH,
        /** The content coding, the character set or the bytes of the text. */
        ENCODING,
        /** A limit is exceeded. */
        TOO_LARGE,
        /** The text is not an announcement. */
        MALFORMED,
        /** The protocol version is missing or not 1. */
        VERSION,
        /** The signature is missing or wrong, or signed with a key number that is not accepted now. */
        UNTRUSTED,
        /** The content is not the one that was signed. */
        ALTERED,
        /** The content cannot be decrypted. */
        ENCRYPTION,
        /** The same signed message came before. */
        REPLAYED,
        /** There is no room for it: in memory, or among the signed messages that are remembered to find replays. */
        FULL
    }
}
