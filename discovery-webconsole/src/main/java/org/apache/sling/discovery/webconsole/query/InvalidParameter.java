// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.webconsole.query;

/** A parameter has an invalid value. The message tells the user why, and gives a valid example. */
public final class InvalidParameter extends Exception {
    private static final long serialVersionUID = 1L;

    private final String parameter;
    private final String value;
    private final String example;

    /**
     * @param parameter the name of the parameter
     * @param value the invalid value
     * @param problem why the value is invalid: the end of a sentence, without the full stop
     * @param example a valid value
     */
    public InvalidParameter(String parameter, String value, String problem, String example) {
        super("The parameter " + parameter + " is invalid: " + problem + ". A valid example: " + example);
        this.parameter = parameter;
        this.value = value;
        this.example = example;
    }

    public String parameter() {
        return parameter;
    }

    public String value() {
        return value;
    }

    public String example() {
        return example;
    }
}
