// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.it.chaos;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.sling.discovery.it.chaos.Recording.Listener;
import org.apache.sling.discovery.it.chaos.Recording.Received;
import org.apache.sling.discovery.it.chaos.Recording.Seat;
import org.apache.sling.discovery.it.chaos.Recording.View;

/**
 * L5: no listener receives a view before the listeners of all members of both it and the previous view have returned from
 * CHANGING.
 *
 * <p>A member is identified by its process. That is sufficient: an instance that rejoins in the same process announces itself
 * only after its listeners have returned, so the law holds for it too. A process that was killed before its listener had
 * returned has not acknowledged, so it is not a member of the next view. A listener whose removal has returned, or has waited
 * for its maximum time, has stopped acting.
 */
final class SettledLaw implements Law {

    @Override
    public String name() {
        return "L5 Settled";
    }

    @Override
    public List<String> objections(Recording recording) {
        List<String> objections = new ArrayList<>();
        Map<Long, Set<String>> processes = processes(recording);
        Map<Long, View> chain = recording.chain();
        Map<String, List<List<Received>>> calls = new HashMap<>();
        for (Listener listener : recording.listeners()) {
            calls.computeIfAbsent(listener.process(), name -> new ArrayList<>()).add(recording.receivedBy(listener));
        }
        Map<Long, Received> earliest = new HashMap<>();
        recording.received().stream()
                .filter(Received::settles)
                .forEach(call -> earliest.putIfAbsent(call.view(), call));
        for (Received call : earliest.values()) {
            View view = chain.get(call.view());
            Set<String> both = new HashSet<>(processes.getOrDefault(call.view(), Set.of()));
            both.retainAll(processes.getOrDefault(view == null ? 0 : view.previous(), Set.of()));
            for (String process : both) {
                calls.getOrDefault(process, List.of()).forEach(listener -> acting(call, listener, recording)
                        .ifPresent(
                                acted -> objections.add(call + " while " + acted + " had not returned from CHANGING")));
            }
        }
        return objections;
    }

    private static Map<Long, Set<String>> processes(Recording recording) {
        Map<Long, Set<String>> processes = new HashMap<>();
        for (Received call : recording.received()) {
            call.order().stream().map(Seat::process).forEach(process -> processes
                    .computeIfAbsent(call.view(), number -> new HashSet<>())
                    .add(process));
        }
        return processes;
    }

    /** Returns the call that made a listener act on an earlier view at the time of another call. */
    private static Optional<Received> acting(Received hearing, List<Received> calls, Recording recording) {
        if (recording.removed().stream()
                .anyMatch(removed ->
                        removed.listener().equals(calls.get(0).by()) && removed.released() < hearing.entered())) {
            return Optional.empty();
        }
        Received acting = null;
        for (Received call : calls) {
            if (call.entered() >= hearing.entered()) {
                break;
            }
            if (!call.type().equals(Received.CHANGING)) {
                acting = call.view() < hearing.view() ? call : null;
            } else if (call.returned() < hearing.entered()) {
                acting = null;
            }
        }
        return Optional.ofNullable(acting);
    }
}
