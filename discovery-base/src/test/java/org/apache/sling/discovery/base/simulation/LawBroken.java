// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.simulation;

/** A law does not hold in a simulated history. */
final class LawBroken extends AssertionError {

    private static final long serialVersionUID = 1L;

    LawBroken(String law, String how) {
        super(law + ": " + how);
    }
}
