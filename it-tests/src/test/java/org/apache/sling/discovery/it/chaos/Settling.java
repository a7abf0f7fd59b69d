// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.it.chaos;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.apache.sling.discovery.it.chaos.Recording.Received;
import org.apache.sling.discovery.it.chaos.Recording.Rest;
import org.apache.sling.discovery.it.chaos.Recording.Started;
import org.apache.sling.discovery.it.chaos.Recording.Window;

/**
 * The time until a member was settled for good after a disturbance.
 *
 * @param window the disturbance
 * @param process the settled process
 * @param nanos the time since everything was calm
 * @param standstill for how many nanoseconds of them processes did not run although the test had not paused them
 */
record Settling(Window window, String process, long nanos, long standstill) {

    /** Returns the settling times, for each window that has ended and each member of its last view. */
    static List<Settling> of(Recording recording) {
        return recording.windows.stream()
                .filter(window -> window.settled() != Recording.NEVER)
                .flatMap(window -> of(window, recording))
                .toList();
    }

    private static Stream<Settling> of(Window window, Recording recording) {
        long calm = calm(window, recording);
        Map<String, Received> settled = new HashMap<>();
        Received newest = null;
        for (Received call : recording.received) {
            if (call.by().isMain() && call.call().settles() && call.entered() <= window.settled()) {
                settled.put(call.by().process(), call);
                newest = newest == null || call.view() >= newest.view() ? call : newest;
            }
        }
        List<String> members = newest == null ? List.of() : newest.processes();
        return members.stream()
                .map(settled::get)
                .filter(Objects::nonNull)
                .map(call -> new Settling(
                        window,
                        call.by().process(),
                        Math.max(0, call.entered() - calm),
                        recording.standstill(calm, call.entered())));
    }

    /** Returns when the last fault had ended, all processes had been started, and none was in quarantine any more. */
    private static long calm(Window window, Recording recording) {
        return Stream.of(
                        Stream.of(window.ended()),
                        recording.starts.stream().map(Started::at),
                        recording.rests.stream().map(Rest::to))
                .flatMap(times -> times)
                .filter(time -> window.begin() <= time && time <= window.settled())
                .max(Long::compare)
                .orElse(window.ended());
    }
}
