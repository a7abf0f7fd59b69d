// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.webconsole.query;

/** A question that cannot be understood. The message names what is wrong with it, for whoever asked. */
public final class InvalidParameter extends Exception {
    private static final long serialVersionUID = 1L;

    private final String parameter;
    private final String value;
    private final String example;

    /**
     * @param parameter what is wrong
     * @param value what was given
     * @param problem why that is wrong, the end of a sentence without the full stop
     * @param example what would be right
     */
    public InvalidParameter(String parameter, String value, String problem, String example) {
        super("The parameter " + parameter + " is wrong: " + problem + ". An example of a right one: " + example);
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
