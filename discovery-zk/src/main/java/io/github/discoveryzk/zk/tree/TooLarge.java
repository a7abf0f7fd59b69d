// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.zk.tree;

/** A record is larger than the store accepts. The message is a sentence. */
public final class TooLarge extends Exception {
    private static final long serialVersionUID = 1L;

    public TooLarge(String sentence) {
        super(sentence, null, false, false);
    }
}
