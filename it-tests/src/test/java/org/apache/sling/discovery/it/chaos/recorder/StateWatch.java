// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.it.chaos.recorder;

import org.apache.sling.discovery.commons.report.Reporter;
import org.osgi.util.tracker.ServiceTracker;

/** Writes the start of discovery in this process, and each of its states after that. For one thread. */
final class StateWatch {

    private final ServiceTracker<?, Reporter> reporters;
    private final RecordingFile file;
    private final String settings;
    private Object last;

    /**
     * Makes a watch.
     *
     * @param reporters the reporters of the container
     * @param file the file to write
     * @param settings the settings of the process, to be repeated in the recording
     */
    StateWatch(ServiceTracker<?, Reporter> reporters, RecordingFile file, String settings) {
        this.reporters = reporters;
        this.file = file;
        this.settings = settings;
    }

    /** Checks once. */
    void look() {
        Reporter reporter = reporters.getService();
        if (reporter == null) {
            return;
        }
        if (last == null) {
            file.line("active", System.nanoTime(), settings.replace(',', '\t'));
            if (!SkewedClock.wasRead()) {
                file.line("failure", System.nanoTime(), "discovery reads another clock than the one of this process");
            }
        }
        Object state = reporter.report().state();
        if (!state.equals(last)) {
            last = state;
            file.line("state", System.nanoTime(), state);
        }
    }
}
