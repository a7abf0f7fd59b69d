// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.zk.tree;

/** Bytes in the store are not a record that this version can read, for the reason in the message. */
public final class Unreadable extends Exception {
    private static final long serialVersionUID = 1L;

    public Unreadable(String why) {
        super(why, null, false, false);
    }
}
