// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.webconsole.shell;

/**
 * Prints the result of a command to the standard output, which the shells of Felix and Karaf lead to the session of the caller: a
 * returned value would not be printed where Karaf executes a single command.
 */
final class Output {
    static final String JSON = "--json";
    static final String JSON_DESCRIPTION = "prints JSON by the published schema";

    private Output() {}

    /** What a command does. */
    interface Action {
        /** Returns what to print, as text or as JSON. */
        String run() throws CommandFailure;
    }

    /** Runs an action and prints its result. With JSON, a failure is printed too. */
    static void print(boolean json, Action action) throws CommandFailure {
        try {
            System.out.println(action.run());
        } catch (CommandFailure e) {
            if (json) {
                System.out.println(e.json());
            }
            throw e;
        }
    }
}
