// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.it.chaos;

import java.util.List;

/** Judges a whole run after it has ended. Without state. */
final class LawChecker {

    private static final List<Law> LAWS = List.of(
            new GrammarLaw(),
            new OrderLaw(),
            new LeaderLaw(),
            new AgreementLaw(),
            new SettledLaw(),
            new OneCurrentLeaderLaw(),
            new TokenLaw(),
            new NoFabricatedViewLaw(),
            new NoNeedlessEventLaw(),
            new LivenessLaw(),
            new IdentityLaw(),
            new GuardedWritesLaw(),
            new RecorderLaw());

    private LawChecker() {}

    /** Returns all violations of all laws. */
    static List<Violation> check(Recording recording) {
        return LAWS.stream()
                .flatMap(law -> law.objections(recording).stream().map(text -> new Violation(law.name(), text)))
                .toList();
    }

    /** A law that did not hold, and the evidence. */
    record Violation(String law, String evidence) {
        @Override
        public String toString() {
            return law + ": " + evidence;
        }
    }
}
