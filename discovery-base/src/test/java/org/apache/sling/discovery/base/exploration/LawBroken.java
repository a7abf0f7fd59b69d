// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.exploration;

/** A law does not hold. */
final class LawBroken extends RuntimeException {

    private static final long serialVersionUID = 1L;

    LawBroken(String law, String what) {
        super(law + ": " + what);
    }
}
