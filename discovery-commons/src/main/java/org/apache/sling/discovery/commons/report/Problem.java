// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.commons.report;

import java.util.List;
import java.util.stream.Stream;

/**
 * Something that an operator must look at.
 *
 * @param concern what it is about
 * @param sentence what, where, and what to do, for display
 */
public record Problem(Concern concern, String sentence) {

    /** Returns problems with one concern. */
    public static Stream<Problem> of(Concern concern, List<String> sentences) {
        return sentences.stream().map(sentence -> new Problem(concern, sentence));
    }
}
