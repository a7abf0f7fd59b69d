// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.it.chaos;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.sling.discovery.it.chaos.Recording.Heard;
import org.apache.sling.discovery.it.chaos.Recording.Listener;
import org.apache.sling.discovery.it.chaos.Recording.Seat;
import org.apache.sling.discovery.it.chaos.Recording.View;

/**
 * L5: nobody hears of a view before the listeners of all that are members of it and of the view before have left that one
 * behind.
 *
 * <p>A member is taken by its process. That is enough: an instance that comes back in the same process announces itself only
 * when its listeners have returned, so the law holds for it, too. A process that was killed before its listener had returned
 * has not acknowledged, so it is no member of the next view. A listener whose removal has returned, or has waited for it as long as it may, acts no more.
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
        Map<String, List<List<Heard>>> calls = new HashMap<>();
        for (Listener listener : recording.listeners()) {
            calls.computeIfAbsent(listener.process(), name -> new ArrayList<>()).add(recording.heardBy(listener));
        }
        Map<Long, Heard> earliest = new HashMap<>();
        recording.heard().stream().filter(Heard::settles).forEach(call -> earliest.putIfAbsent(call.view(), call));
        for (Heard call : earliest.values()) {
            View view = chain.get(call.view());
            Set<String> both = new HashSet<>(processes.getOrDefault(call.view(), Set.of()));
            both.retainAll(processes.getOrDefault(view == null ? 0 : view.previous(), Set.of()));
            for (String process : both) {
                calls.getOrDefault(process, List.of()).forEach(listener -> acting(call, listener, recording)
                        .ifPresent(acted -> objections.add(call + " while " + acted + " had not been left behind")));
            }
        }
        return objections;
    }

    private static Map<Long, Set<String>> processes(Recording recording) {
        Map<Long, Set<String>> processes = new HashMap<>();
        for (Heard call : recording.heard()) {
            call.order().stream().map(Seat::process).forEach(process -> processes
                    .computeIfAbsent(call.view(), number -> new HashSet<>())
                    .add(process));
        }
        return processes;
    }

    /** Returns the call that made a listener act on an earlier view at the time of another call. */
    private static Optional<Heard> acting(Heard hearing, List<Heard> calls, Recording recording) {
        if (recording.removed().stream()
                .anyMatch(removed ->
                        removed.listener().equals(calls.get(0).by()) && removed.released() < hearing.entered())) {
            return Optional.empty();
        }
        Heard acting = null;
        for (Heard call : calls) {
            if (call.entered() >= hearing.entered()) {
                break;
            }
            if (!call.type().equals(Heard.CHANGING)) {
                acting = call.view() < hearing.view() ? call : null;
            } else if (call.returned() < hearing.entered()) {
                acting = null;
            }
        }
        return Optional.ofNullable(acting);
    }
}
