// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.it.chaos;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.apache.sling.discovery.it.chaos.Recording.Received;
import org.apache.sling.discovery.it.chaos.Recording.Rest;
import org.apache.sling.discovery.it.chaos.Recording.Seat;
import org.apache.sling.discovery.it.chaos.Recording.Started;
import org.apache.sling.discovery.it.chaos.Recording.Window;

/** The times until each member was settled for good after each disturbance. */
final class Settlings {

    private Settlings() {}

    /** Returns the settling times, for each window that has ended and each member of its last view. */
    static List<Settling> of(Recording recording) {
        List<Settling> all = new ArrayList<>();
        recording.windows().stream()
                .filter(window -> window.settled() != Recording.NEVER)
                .forEach(window -> all.addAll(of(window, recording)));
        return all;
    }

    private static List<Settling> of(Window window, Recording recording) {
        long calm = calm(window, recording);
        Map<String, Received> settled = new HashMap<>();
        Received newest = null;
        for (Received call : recording.received()) {
            if (call.by().isMain() && call.settles() && call.entered() <= window.settled()) {
                settled.put(call.by().process(), call);
                newest = newest == null || call.view() >= newest.view() ? call : newest;
            }
        }
        List<Seat> members = newest == null ? List.of() : newest.order();
        return members.stream()
                .map(seat -> settled.get(seat.process()))
                .filter(Objects::nonNull)
                .map(call -> new Settling(
                        window,
                        call.by().process(),
                        Math.max(0, call.entered() - calm),
                        recording.standstill(calm, call.entered())))
                .toList();
    }

    /** Returns when the last fault had ended, all processes had been started, and none was in quarantine any more. */
    private static long calm(Window window, Recording recording) {
        return Stream.of(
                        Stream.of(window.ended()),
                        recording.starts().stream().map(Started::at),
                        recording.rests().stream().map(Rest::to))
                .flatMap(times -> times)
                .filter(time -> window.begin() <= time && time <= window.settled())
                .max(Long::compare)
                .orElse(window.ended());
    }

    /**
     * The settling time of a process.
     *
     * @param window the disturbance
     * @param process the settled process
     * @param nanos the time since everything was calm
     * @param standstill for how many nanoseconds of them processes did not run although the test had not paused them
     */
    record Settling(Window window, String process, long nanos, long standstill) {}
}
