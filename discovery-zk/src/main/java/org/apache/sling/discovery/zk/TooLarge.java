// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.zk;

/** Says that a record is larger than the store takes, in a sentence. */
final class TooLarge extends Exception {
    private static final long serialVersionUID = 1L;

    TooLarge(String sentence) {
        super(sentence, null, false, false);
    }
}
