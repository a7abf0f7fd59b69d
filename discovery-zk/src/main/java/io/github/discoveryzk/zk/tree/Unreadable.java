// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.zk.tree;

/** Bytes in the store are not a record that this version can read, for the reason in the message. */
public final class Unreadable extends Exception {
    private static final long serialVersionUID = 1L;
    private static final int SHOWN_CHARACTERS = 500;

    /** Creates one with the reason, which may contain what another client wrote: it is shortened, and has no control characters. */
    public Unreadable(String why) {
        super(Names.shown(why, SHOWN_CHARACTERS), null, false, false);
    }
}
