// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.webconsole.shell;

import org.apache.sling.discovery.webconsole.format.Escape;
import org.apache.sling.discovery.webconsole.json.JsonRenderer;

/** The output of a command that is one sentence. */
final class CommandOutcome {

    private CommandOutcome() {}

    /** Returns the result of an action. */
    static String sentence(boolean json, String sentence) {
        return json ? JsonRenderer.outcome(sentence) : Escape.line(sentence);
    }

    /** Returns the reason why there is nothing to show. */
    static String problem(boolean json, String problem) {
        return json ? JsonRenderer.error(problem) : Escape.line(problem);
    }
}
