// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.webconsole.text;

import org.apache.sling.discovery.webconsole.content.Escape;
import org.apache.sling.discovery.webconsole.json.JsonRenderer;
import org.apache.sling.discovery.webconsole.query.InvalidParameter;

/**
 * A command has not done what it was called for. The message is a sentence for the user, which the shell shows; the shell counts
 * the command as failed.
 */
public final class CommandFailure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String json;

    private CommandFailure(String message, String json) {
        super(Escape.line(message));
        this.json = json;
    }

    CommandFailure(String message) {
        this(message, JsonRenderer.error(message));
    }

    CommandFailure(InvalidParameter invalid) {
        this(invalid.getMessage(), JsonRenderer.error(invalid));
    }

    /** Returns the failure as a JSON document. */
    String json() {
        return json;
    }
}
