// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.testing.laws;

/** A law that does not hold, and the evidence. */
public final class LawBroken extends AssertionError {

    private static final long serialVersionUID = 1L;

    private final String law;

    public LawBroken(String law, String evidence) {
        super(law + ": " + evidence);
        this.law = law;
    }

    public String law() {
        return law;
    }

    @Override
    @SuppressWarnings("OverrideThrowableToString") // Its message is whole, and begins with the law.
    public String toString() {
        return getMessage();
    }
}
