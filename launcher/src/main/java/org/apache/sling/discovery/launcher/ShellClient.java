// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.launcher;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;

/** A session with the shell of a container, or one command in it. */
@ThreadsAndClocks
final class ShellClient {

    private final InputStream in;
    private final PrintStream out;
    private final PrintStream err;

    ShellClient(InputStream in, PrintStream out, PrintStream err) {
        this.in = in;
        this.out = out;
        this.err = err;
    }

    /**
     * Runs a command, or a session if the command is empty.
     *
     * @return the exit code of the command
     */
    int run(Path directory, String command) throws LaunchException {
        Path socket = ShellSocket.in(directory);
        try (SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(shorter(socket)))) {
            OutputStream output = SocketStreams.output(channel);
            new DataOutputStream(output).writeUTF(command);
            Thread input = new Thread(() -> send(channel, output), "shell-input");
            input.setDaemon(true);
            input.start();
            return receive(new DataInputStream(SocketStreams.input(channel)));
        } catch (EOFException e) {
            throw new LaunchException(directory.getFileName() + " has ended");
        } catch (IOException e) {
            throw new LaunchException("there is no shell at " + socket + " ("
                    + (Files.exists(socket) ? e.getMessage() : "no such file")
                    + "): give the number of a running instance, and --dir if the launcher was started with it");
        }
    }

    /** The system limits the length of such a path to about a hundred bytes. */
    private static Path shorter(Path path) {
        Path relative = Path.of("").toAbsolutePath().relativize(path.toAbsolutePath());
        return relative.toString().length() < path.toString().length() ? relative : path;
    }

    private void send(SocketChannel channel, OutputStream output) {
        try {
            in.transferTo(output);
            channel.shutdownOutput();
        } catch (IOException e) {
            // The session has ended.
        }
    }

    private int receive(DataInputStream frames) throws IOException {
        while (true) {
            int type = frames.readByte();
            int number = frames.readInt();
            if (type == ShellSocket.EXIT) {
                return number;
            }
            PrintStream target = type == ShellSocket.ERROR ? err : out;
            target.write(frames.readNBytes(number));
            target.flush();
        }
    }
}
