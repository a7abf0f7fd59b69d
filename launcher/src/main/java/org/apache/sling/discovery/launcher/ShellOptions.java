// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.launcher;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The command line of {@code ./run shell}. Filled by the parser and read-only from then on. */
@Command(
        name = "./run shell",
        sortOptions = false,
        usageHelpAutoWidth = true,
        description = {
            "Opens the Gogo shell of a running instance, or runs one command in it. Options stand before the number.",
            ""
        },
        optionListHeading = "Options:%n",
        footer = {
            "",
            "Examples: ./run shell 1",
            "          ./run shell 1 discovery:explain",
            "The exit code is 0, 1 if the command fails or no instance answers, 2 for a wrong option."
        })
final class ShellOptions {

    private static final String PLAIN = "[A-Za-z0-9._:/-]+";

    @Option(
            names = "--dir",
            paramLabel = "DIR",
            description = "Where the launcher keeps the state (default: target/cluster).")
    private Path directory = LauncherOptions.DEFAULT_DIRECTORY;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Show this text and exit.")
    private boolean help;

    @Parameters(index = "0", paramLabel = "K", description = "The number of the instance.")
    private int instance;

    @Parameters(index = "1..*", paramLabel = "COMMAND", description = "A command with its arguments.")
    private List<String> command = new ArrayList<>();

    /** Returns the folder of the instance. */
    Path directory() {
        return LauncherOptions.folder(directory.toAbsolutePath().normalize(), instance);
    }

    /** Returns the command; empty for a session. A single word is a line of the shell, of several each stays one word. */
    String command() {
        return command.size() == 1
                ? command.get(0)
                : command.stream().map(ShellOptions::quoted).collect(Collectors.joining(" "));
    }

    private static String quoted(String word) {
        return word.matches(PLAIN) ? word : "'" + word.replace("\\", "\\\\").replace("'", "\\'") + "'";
    }
}
