// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.connector.trust;

/** The two directions of a message. They are signed differently, so that one cannot be played back as the other. */
public enum Direction {
    /** From client to server. */
    REQUEST("request:"),
    /** From server to client. */
    REPLY("response:");

    private final String prefix;

    Direction(String prefix) {
        this.prefix = prefix;
    }

    String prefix() {
        return prefix;
    }
}
