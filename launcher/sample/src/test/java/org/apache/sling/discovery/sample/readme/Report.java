// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.sample.readme;

/** A resource that accepts writes of the latest leader only. */
public class Report {
    private long highestToken;
    private String text = "";

    public synchronized void write(long token, String newText) {
        if (token < highestToken) {
            throw new IllegalStateException("stale token " + token + ", expected " + highestToken + " or higher");
        }
        highestToken = token;
        text = newText;
    }

    public synchronized String read() {
        return text;
    }
}
