// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.it.chaos;

import java.util.ArrayList;
import java.util.List;

/** Not a law of discovery: a run proves nothing if its recording failed or no instance ever led. */
final class RecorderLaw implements Law {

    @Override
    public String name() {
        return "Recording";
    }

    @Override
    public List<String> objections(Recording recording) {
        List<String> objections = new ArrayList<>(recording.failures());
        if (recording.received().isEmpty()
                || recording.yes().isEmpty()
                || recording.views().isEmpty()
                || recording.store().isEmpty()) {
            objections.add("there is too little to judge: "
                    + recording.received().size() + " events, "
                    + recording.yes().size() + " answers, " + recording.views().size() + " views, "
                    + recording.store().size() + " writes");
        }
        return objections;
    }
}
