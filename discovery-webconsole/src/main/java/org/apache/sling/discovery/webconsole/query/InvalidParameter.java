// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.webconsole.query;

import java.util.List;
import java.util.Map;

/** A parameter has an invalid value. The message tells the user why, and gives a valid example. */
public final class InvalidParameter extends Exception {
    private static final long serialVersionUID = 1L;

    /**
     * @param parameter the name of the parameter
     * @param problem why its value is invalid: the end of a sentence, without the full stop
     * @param example a valid value
     */
    public InvalidParameter(String parameter, String problem, String example) {
        super("The parameter " + parameter + " is invalid: " + problem + ". A valid example: " + example);
    }

    /**
     * Parses a number.
     *
     * @throws InvalidParameter if the value is not a number from the minimum to the maximum
     */
    static long number(String parameter, String value, long min, long max) throws InvalidParameter {
        try {
            long number = Long.parseLong(value);
            if (number >= min && number <= max) {
                return number;
            }
        } catch (NumberFormatException e) {
            // Reported below.
        }
        throw new InvalidParameter(parameter, "it is not a number from " + min + " to " + max, "42");
    }

    /**
     * Rejects parameters that nothing reads.
     *
     * @param known the names of the others
     */
    public static void rejectOthers(Map<String, String> parameters, List<String> known, String example)
            throws InvalidParameter {
        for (String name : parameters.keySet()) {
            if (!known.contains(name)) {
                throw new InvalidParameter(name, "it is unknown here", example);
            }
        }
    }
}
