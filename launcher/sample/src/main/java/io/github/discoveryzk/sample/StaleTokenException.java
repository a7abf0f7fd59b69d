// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.sample;

/** A store refuses the write of an earlier leader. The writer no longer leads and must stop; a retry cannot succeed. */
public final class StaleTokenException extends RuntimeException {

    private static final long serialVersionUID = 1;

    StaleTokenException(long token, long greatest) {
        super("Nothing was written: token " + token + " is stale, the store has seen token " + greatest
                + " of a later leadership");
    }
}
