// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.zk.server.ensemble;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;

/**
 * The claim of a container on an entry of this machine. It lasts from the choice to the end of the server, also while no port is
 * bound: containers that start at the same moment would choose the same entry. The operating system ends it with the process.
 */
record Claim(FileChannel lock) implements AutoCloseable {

    /** Claims an entry; empty if another container has it. */
    static Optional<Claim> of(Entry entry) throws IOException {
        FileChannel lock = FileChannel.open(file(entry), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        try {
            if (lock.tryLock() != null) {
                return Optional.of(new Claim(lock));
            }
        } catch (OverlappingFileLockException e) {
            // A container of this process has it.
        }
        lock.close();
        return Optional.empty();
    }

    /** Returns whether no container has claimed an entry. */
    static boolean isFree(Entry entry) {
        try (Claim claim = of(entry).orElse(null)) {
            return claim != null;
        } catch (IOException e) {
            return false;
        }
    }

    private static Path file(Entry entry) {
        String name = System.getProperty("user.name") + "-" + entry.address();
        return Path.of(
                System.getProperty("java.io.tmpdir"),
                "discovery-zk-server-" + name.replaceAll("[^A-Za-z0-9.-]", "_") + ".lock");
    }

    @Override
    public void close() {
        try {
            lock.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
