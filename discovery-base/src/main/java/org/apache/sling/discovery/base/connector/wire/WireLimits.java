// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.connector.wire;

import java.util.List;

/**
 * The limits of what is read from a peer. All are at least 1.
 *
 * @param bodyBytes the length of a body, before and after gzip
 * @param ratio how many times longer a body may become when it is inflated. It counts from 64 KiB of inflated bytes on
 * @param depth the levels of announcements, the outermost being the first; at most 100, because they are read recursively
 * @param announcements the announcements of a message, nested ones included
 * @param instances the instances of a message, those of nested announcements included
 * @param instanceProperties the properties of one instance
 * @param properties the properties of all instances of a message
 * @param nameCharacters the length of a key or of the name of a property
 * @param valueCharacters the length of a text, such as the value of a property
 */
public record WireLimits(
        int bodyBytes,
        int ratio,
        int depth,
        int announcements,
        int instances,
        int instanceProperties,
        int properties,
        int nameCharacters,
        int valueCharacters) {

    /** Enough for some thousand instances with the properties that are usual. Sling limits no text, so a body may have a single one. */
    public static final WireLimits DEFAULT =
            new WireLimits(8 << 20, 50, 32, 1_000, 10_000, 1_000, 200_000, 1_000, 8 << 20);

    private static final int GREATEST_DEPTH = 100;

    /** What encryption adds to a text that it makes longer by a third. */
    private static final int ENCRYPTION_OVERHEAD = 200;

    /**
     * Checks the limits.
     *
     * @throws IllegalArgumentException when one of them is not positive, or the depth is over 100
     */
    public WireLimits {
        List<Integer> all = List.of(
                bodyBytes,
                ratio,
                depth,
                announcements,
                instances,
                instanceProperties,
                properties,
                nameCharacters,
                valueCharacters);
        if (all.stream().anyMatch(limit -> limit < 1) || depth > GREATEST_DEPTH) {
            throw new IllegalArgumentException("unusable limits: " + all);
        }
    }

    /** Returns the limits of texts whose encrypted form is within these. */
    public WireLimits beforeEncryption() {
        return new WireLimits(
                Math.max(1, bodyBytes / 4 * 3 - ENCRYPTION_OVERHEAD),
                ratio,
                depth,
                announcements,
                instances,
                instanceProperties,
                properties,
                nameCharacters,
                valueCharacters);
    }
}
