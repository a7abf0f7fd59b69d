// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.webconsole.shell;

import java.util.Map;

/**
 * The arguments of one call.
 *
 * @param json whether the output is JSON
 * @param help whether only the help is asked for
 * @param values the values of the options, by the name of the option
 * @param operand the argument that is no option; empty if there is none
 */
record CommandArguments(boolean json, boolean help, Map<String, String> values, String operand) {
    CommandArguments {
        values = Map.copyOf(values);
    }

    /** Returns the value of an option; empty if the option is not given. */
    String value(CommandOption option) {
        return values.getOrDefault(option.name(), "");
    }
}
