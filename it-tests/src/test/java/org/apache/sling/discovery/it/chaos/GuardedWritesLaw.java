// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.it.chaos;

import java.util.ArrayList;
import java.util.List;
import org.apache.sling.discovery.it.chaos.Leaderships.Span;
import org.apache.sling.discovery.it.chaos.Recording.Accepted;

/** The purpose of the token: the store accepts no write of an earlier leadership, and refuses none of the current leader. */
final class GuardedWritesLaw implements Law {

    @Override
    public String name() {
        return "L7 Guarded writes";
    }

    @Override
    public List<String> objections(Recording recording) {
        List<String> objections = new ArrayList<>();
        Accepted last = null;
        for (Accepted write : recording.store()) {
            if (last != null && write.token() < last.token()) {
                objections.add(write + " after " + last);
            }
            last = write;
        }
        List<Span> leaderships = Leaderships.certain(recording.yes());
        recording.writes().stream().filter(write -> !write.accepted()).forEach(write -> leaderships.stream()
                .filter(span -> span.process().equals(write.process())
                        && span.token() == write.token()
                        && span.covers(write.before(), write.after()))
                .forEach(span -> objections.add(write + " although " + span)));
        return objections;
    }
}
