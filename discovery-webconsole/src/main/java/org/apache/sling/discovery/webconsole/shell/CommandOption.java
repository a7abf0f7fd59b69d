// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.webconsole.shell;

/**
 * An option of a command.
 *
 * @param name its name with the hyphens
 * @param value what stands after it, in words; empty if nothing does
 * @param description what it is for
 */
record CommandOption(String name, String value, String description) {
    static final CommandOption JSON = new CommandOption("--json", "", "prints JSON by the published schema");
    static final CommandOption HELP = new CommandOption("--help", "", "prints this text");

    boolean hasValue() {
        return !value.isEmpty();
    }

    String usage() {
        return hasValue() ? name + " <" + value + ">" : name;
    }
}
