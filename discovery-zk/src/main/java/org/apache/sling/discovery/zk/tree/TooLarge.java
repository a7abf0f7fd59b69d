// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.zk.tree;

/** Says that a record is larger than the store takes, in a sentence. */
public final class TooLarge extends Exception {
    private static final long serialVersionUID = 1L;

    public TooLarge(String sentence) {
        super(sentence, null, false, false);
    }
}
