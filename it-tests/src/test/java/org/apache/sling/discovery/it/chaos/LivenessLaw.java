// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.it.chaos;

import java.util.List;

/** L10: after each disturbance all are settled again. */
final class LivenessLaw implements Law {

    @Override
    public String name() {
        return "L10 Liveness";
    }

    @Override
    public List<String> objections(Recording recording) {
        return recording.windows().stream()
                .filter(window -> window.end() == Recording.NEVER)
                .map(window -> "not all were settled again after " + window.text() + ", begun at " + window.begin())
                .toList();
    }
}
