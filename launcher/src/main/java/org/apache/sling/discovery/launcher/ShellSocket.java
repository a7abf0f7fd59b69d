// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.launcher;

import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

/**
 * Where the shell of a container is found: a socket in the file system, in a folder that only its owner can enter. It has no
 * port, so nothing outside of this machine and no other user of it can connect.
 *
 * <p>The client sends a command, empty for an interactive session, and then its standard input. The container sends frames of a
 * type, a length and data.
 */
final class ShellSocket {

    /** The data is for the standard output. */
    static final int OUTPUT = 1;

    /** The data is for the standard error. */
    static final int ERROR = 2;

    /** The length is the exit code; there is no data. */
    static final int EXIT = 3;

    private static final String FOLDER = "shell";
    private static final String FILE = "socket";

    private ShellSocket() {}

    /** Returns the address below the working directory of a container, for its process: a relative path is never too long. */
    static UnixDomainSocketAddress prepare() throws IOException {
        Path folder = Path.of(FOLDER);
        if (!Files.isDirectory(folder)) {
            Files.createDirectory(
                    folder, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        }
        Files.deleteIfExists(folder.resolve(FILE));
        return UnixDomainSocketAddress.of(folder.resolve(FILE));
    }

    /** Returns the path for a client that works elsewhere. */
    static Path in(Path directory) {
        return directory.resolve(FOLDER).resolve(FILE);
    }
}
