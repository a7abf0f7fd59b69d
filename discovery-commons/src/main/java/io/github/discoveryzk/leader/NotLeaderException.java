// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.leader;

/** Thrown to code that acts as the leader although its {@link LeaderLease} is over: it must stop, and must not write. */
public final class NotLeaderException extends IllegalStateException {

    private static final long serialVersionUID = 1;

    /** The token of the leadership whose lease is over. */
    private final long token;

    /** Made by {@link LeaderLease#check} for the token of the lease that is over. */
    public NotLeaderException(long token) {
        super("The lease of the leadership with token " + token
                + " is over and another instance may lead by now: stop this work and write nothing more");
        this.token = token;
    }

    /** Returns the token of the leadership whose lease is over. */
    public long token() {
        return token;
    }
}
