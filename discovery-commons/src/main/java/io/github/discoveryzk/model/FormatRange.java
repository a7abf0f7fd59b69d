// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.model;

import java.util.Optional;

/**
 * The record formats that a version of this product reads and writes. Every member shows its range where all versions can
 * read it, whatever format its record has, so that several formats can live in one cluster while it is upgraded.
 *
 * @param oldest the oldest format, at least 1
 * @param newest the newest format
 */
public record FormatRange(int oldest, int newest) {

    /** The formats of this version. */
    public static final FormatRange CURRENT = new FormatRange(1, 1);

    public FormatRange {
        if (oldest < 1 || newest < oldest) {
            throw new IllegalArgumentException("formats from " + oldest + " to " + newest);
        }
    }

    /** Returns the formats that are in both ranges; empty when there are none. */
    public Optional<FormatRange> and(FormatRange other) {
        int from = Math.max(oldest, other.oldest);
        int to = Math.min(newest, other.newest);
        return from > to ? Optional.empty() : Optional.of(new FormatRange(from, to));
    }

    public boolean contains(int format) {
        return format >= oldest && format <= newest;
    }

    @Override
    public String toString() {
        return oldest == newest ? "format " + oldest : "formats " + oldest + " to " + newest;
    }
}
