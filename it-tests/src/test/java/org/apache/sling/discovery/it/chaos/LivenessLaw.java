// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.it.chaos;

import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** L10: after each disturbance all are settled again, and in time. */
final class LivenessLaw implements Law {

    @Override
    public String name() {
        return "L10 Liveness";
    }

    @Override
    public List<String> objections(Recording recording) {
        SettlingBound bound = SettlingBound.of(recording);
        return Stream.concat(
                        recording.windows().stream()
                                .filter(window -> window.end() == Recording.NEVER)
                                .map(window -> "not all were settled again after " + window.text() + ", begun at "
                                        + window.begin()),
                        Settlings.of(recording).stream()
                                .filter(settling -> settling.nanos() - settling.standstill() > bound.nanos())
                                .map(settling -> settling.process() + " was settled "
                                        + TimeUnit.NANOSECONDS.toMillis(settling.nanos()) + " ms after the end of "
                                        + settling.window().text() + ", begun at "
                                        + settling.window().begin() + ", which is more than " + bound))
                .toList();
    }
}
