// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.it.chaos;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.sling.discovery.it.chaos.Recording.Listener;
import org.apache.sling.discovery.it.chaos.Recording.Received;

/** L1: the order of the events of a listener, one call at a time, none after its removal; PROPERTIES_CHANGED keeps the structure. */
final class GrammarLaw implements Law {

    private static final Map<String, Set<String>> AFTER = Map.of(
            "",
            Set.of(Received.INIT),
            Received.INIT,
            Set.of(Received.CHANGING, Received.PROPERTIES),
            Received.PROPERTIES,
            Set.of(Received.CHANGING, Received.PROPERTIES),
            Received.CHANGING,
            Set.of(Received.CHANGED),
            Received.CHANGED,
            Set.of(Received.CHANGING, Received.PROPERTIES));

    @Override
    public String name() {
        return "L1 Grammar";
    }

    @Override
    public List<String> objections(Recording recording) {
        List<String> objections = new ArrayList<>();
        for (Listener listener : recording.listeners()) {
            List<Received> calls = recording.receivedBy(listener);
            Received last = null;
            for (Received call : calls) {
                sequence(last, call, objections);
                last = call;
            }
            recording.removed().stream()
                    .filter(removed -> removed.listener().equals(listener))
                    .forEach(removed -> calls.stream()
                            .filter(call -> call.entered() > removed.at())
                            .forEach(call -> objections.add(call + " after its removal at " + removed.at())));
            added(listener, calls, recording, objections);
        }
        return objections;
    }

    /** Checks that an object that is registered again is not called before it has returned from its earlier call. */
    private static void added(Listener listener, List<Received> calls, Recording recording, List<String> objections) {
        Received first = calls.get(0);
        recording.received().stream()
                .filter(call -> call.by().subscription() < listener.subscription()
                        && call.by().isSameObject(listener))
                .filter(call -> call.entered() <= first.entered() && first.entered() < call.returned())
                .forEach(call -> objections.add(first + " before the same object had returned from " + call));
    }

    private static void sequence(Received last, Received call, List<String> objections) {
        String before = last == null ? "" : last.type();
        if (!AFTER.getOrDefault(before, Set.of()).contains(call.type())) {
            objections.add(call + " after " + (last == null ? "nothing" : last));
        }
        if (last != null && call.entered() < last.returned()) {
            objections.add(call + " before it had returned from " + last.type() + " at " + last.returned());
        }
        if (call.type().equals(Received.PROPERTIES) && !call.sameStructure()) {
            objections.add(call + " with other clusters, members or leaders");
        }
        if (!call.sameOld()) {
            objections.add(call + " with an old view that was not the one it had received last");
        }
    }
}
