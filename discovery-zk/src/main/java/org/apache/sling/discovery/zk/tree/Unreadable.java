// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.zk.tree;

/** Says that bytes in the store are not a record this version can read, and why. */
public final class Unreadable extends Exception {
    private static final long serialVersionUID = 1L;

    public Unreadable(String why) {
        super(why, null, false, false);
    }
}
