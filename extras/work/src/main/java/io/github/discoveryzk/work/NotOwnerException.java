// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.work;

/** Thrown to code that handles a key although its {@link Ownership} is over: it must stop, and must not write. */
public final class NotOwnerException extends IllegalStateException {

    private static final long serialVersionUID = 1;

    /** Made by {@link Ownership#check}. */
    public NotOwnerException(String set, String key, long token) {
        super("The ownership of key " + key + " of set " + set + " with token " + token
                + " is over and another instance may handle the key by now: stop this work and write nothing more");
    }
}
