// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.connectors.wire;

import io.github.discoveryzk.connectors.wire.Announcement.Weight;

/**
 * The limits of what is read from a peer. Each is checked before memory is spent beyond it.
 *
 * @param bodyBytes the length of a body, before and after gzip
 * @param depth the levels of announcements, the outermost being the first; they are read recursively
 * @param announcements the announcements of a message, nested ones included
 * @param memoryBytes the {@link Weight} of a message as objects
 */
public record WireLimits(int bodyBytes, int depth, int announcements, long memoryBytes) {

    /** Enough for some thousand instances with the properties that are usual. Sling limits no text, so a body may have a single one. */
    public static final WireLimits DEFAULT = new WireLimits(8 << 20, 32, 1_000, 48 << 20);

    /** The length of a key, of the name of a property, and of a server info. */
    static final int MAX_NAME_CHARACTERS = 1_000;

    /** What encryption adds to a text that it makes longer by a third. */
    private static final int ENCRYPTION_OVERHEAD = 200;

    /** Returns the limits of texts whose encrypted form is within these. */
    public WireLimits beforeEncryption() {
        return new WireLimits(Math.max(1, bodyBytes / 4 * 3 - ENCRYPTION_OVERHEAD), depth, announcements, memoryBytes);
    }
}
