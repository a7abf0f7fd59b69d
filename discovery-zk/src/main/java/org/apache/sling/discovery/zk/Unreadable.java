// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.zk;

/** Says that bytes in the store are not a record this version can read, and why. */
final class Unreadable extends Exception {
    private static final long serialVersionUID = 1L;

    Unreadable(String why) {
        super(why, null, false, false);
    }
}
