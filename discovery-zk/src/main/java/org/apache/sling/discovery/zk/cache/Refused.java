// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.zk.cache;

/** The root cannot be used, for the reason in the message. Nothing was written there. */
final class Refused extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Refused(String sentence) {
        super(sentence, null, false, false);
    }
}
