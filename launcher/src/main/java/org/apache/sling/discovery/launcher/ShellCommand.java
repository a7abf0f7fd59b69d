// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.launcher;

import java.io.BufferedInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The command {@code ./run shell}: a session with the shell of a container, or one command in it. */
@Command(
        name = "shell",
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
@ThreadsAndClocks
final class ShellCommand implements Callable<Integer> {
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
    private List<String> words = new ArrayList<>();

    /** Returns the exit code of the command when the session or the command has ended. */
    @Override
    public Integer call() throws LaunchException {
        Path folder = LauncherOptions.folder(directory.toAbsolutePath().normalize(), instance);
        Path socket = folder.resolve(ShellServer.SOCKET);
        try (SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(shorter(socket)))) {
            OutputStream output = SocketStreams.output(channel);
            new DataOutputStream(output).writeUTF(command());
            Thread input = new Thread(() -> send(channel, output), "shell-input");
            input.setDaemon(true);
            input.start();
            return receive(SocketStreams.input(channel));
        } catch (IOException e) {
            throw new LaunchException("there is no shell at " + socket + " ("
                    + (Files.exists(socket) ? e.getMessage() : "no such file")
                    + "): give the number of a running instance, and --dir if the launcher was started with it");
        }
    }

    /** Returns the command; empty for a session. A single word is a line of the shell, of several each stays one word. */
    private String command() {
        return words.size() == 1
                ? words.get(0)
                : words.stream().map(ShellCommand::quoted).collect(Collectors.joining(" "));
    }

    private static String quoted(String word) {
        return word.matches(PLAIN) ? word : "'" + word.replace("\\", "\\\\").replace("'", "\\'") + "'";
    }

    /** The system limits the length of such a path to about a hundred bytes. */
    private static Path shorter(Path path) {
        Path relative = Path.of("").toAbsolutePath().relativize(path);
        return relative.toString().length() < path.toString().length() ? relative : path;
    }

    private static void send(SocketChannel channel, OutputStream output) {
        try {
            System.in.transferTo(output);
            channel.shutdownOutput();
        } catch (IOException e) {
            // The session has ended.
        }
    }

    /** Prints the output, and returns the exit code that follows it. */
    private static int receive(InputStream socket) throws IOException {
        InputStream output = new BufferedInputStream(socket);
        for (int next = output.read(); next >= 0; next = output.read()) {
            if (next == ShellServer.END) {
                return output.read();
            }
            System.out.write(next);
            if (output.available() == 0) {
                System.out.flush();
            }
        }
        throw new IOException("the instance has ended");
    }
}
