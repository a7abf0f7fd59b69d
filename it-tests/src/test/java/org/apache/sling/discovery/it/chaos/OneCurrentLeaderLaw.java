// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.it.chaos;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.apache.sling.discovery.it.chaos.Leaderships.Span;

/** L6: no two instances are current leaders at one instant by their own answers. */
final class OneCurrentLeaderLaw implements Law {

    @Override
    public String name() {
        return "L6 One current leader";
    }

    @Override
    public List<String> objections(Recording recording) {
        List<String> objections = new ArrayList<>();
        List<Span> spans = new ArrayList<>(Leaderships.certain(recording.yes()));
        spans.sort(Comparator.comparingLong(Span::from));
        for (int i = 0; i < spans.size(); i++) {
            Span one = spans.get(i);
            for (int j = i + 1; j < spans.size() && spans.get(j).from() <= one.to(); j++) {
                Span other = spans.get(j);
                if (!other.process().equals(one.process()) && one.overlaps(other)) {
                    objections.add(one + " and " + other + " together for "
                            + Math.max(0, Math.min(one.to(), other.to()) - other.from()) / 1_000_000 + " ms");
                }
            }
        }
        return objections;
    }
}
