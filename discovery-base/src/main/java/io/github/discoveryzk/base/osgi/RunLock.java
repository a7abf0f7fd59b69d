// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.base.osgi;

import io.github.discoveryzk.base.environment.Machine;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A file in the private storage of this bundle. Each run writes its runtime id into it and keeps it locked until its process
 * ends. A run that gets the lock and finds the id of another run knows that the process of that run has ended, provided that
 * nothing was copied: it must be the same file on the same machine, within the same boot. A container that was cloned, or moved
 * to another machine, has no proof and must wait until the session of the other one ends.
 *
 * <p>The lock alone does not prove it: the system drops it when anything in the process closes the file, such as a backup. Therefore the file
 * also has the id and the start time of the process, and no such process may live. A run that cannot see that process, because it is in
 * another namespace of process ids, has no proof either.
 */
final class RunLock {

    private static final Logger LOG = LoggerFactory.getLogger(RunLock.class);
    private static final int LIMIT = 4_096;
    private static final int LINES = 3;
    private static final String UNKNOWN = "unknown";

    private final FileChannel channel;
    private final Optional<String> predecessor;

    private final boolean held;

    private RunLock(FileChannel channel, boolean held, Optional<String> predecessor) {
        this.channel = channel;
        this.held = held;
        this.predecessor = predecessor;
    }

    /** Locks the file. Without a usable file, or while another process holds it, there is no predecessor. */
    static RunLock acquire(Path file, String runtimeId) {
        long pid = ProcessHandle.current().pid();
        return acquire(file, runtimeId, Machine.THIS.id(), Machine.THIS.process(pid));
    }

    /**
     * Locks the file.
     *
     * @param system identifies the running system and the namespace of its process ids
     * @param process this process as {@link Machine} names it
     */
    static RunLock acquire(Path file, String runtimeId, Optional<String> system, Optional<String> process) {
        FileChannel channel = null;
        try {
            channel = FileChannel.open(
                    file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
            FileLock lock = channel.tryLock();
            Optional<String> key = key(file, system);
            if (lock != null && key.isPresent()) {
                Optional<String> before = readPredecessor(channel, key.get());
                write(channel, key.get() + "\n" + runtimeId + "\n" + process.orElse(UNKNOWN) + "\n");
                return new RunLock(channel, true, before);
            }
        } catch (IOException | OverlappingFileLockException e) {
            LOG.debug("The end of the predecessor cannot be proven with {}", file, e);
        }
        return new RunLock(channel, false, Optional.empty());
    }

    /** Returns the runtime id of the predecessor, if it is proven to have ended without {@link #release}. */
    Optional<String> predecessor() {
        return predecessor;
    }

    /** Clears the file: this run has left the cluster cleanly. */
    void release() {
        try {
            if (held && channel.isOpen()) {
                write(channel, "");
            }
        } catch (IOException e) {
            LOG.debug("The next run will assume that this one has not left the cluster", e);
        }
        close();
    }

    /** Unlocks the file as the end of the process does. */
    void close() {
        try {
            if (channel != null) {
                channel.close();
            }
        } catch (IOException e) {
            LOG.debug("The file of this run is closed when its process ends", e);
        }
    }

    /**
     * Identifies the file on the running system: a copy of it is another file, and so is the same file after a restart of the
     * machine.
     */
    private static Optional<String> key(Path file, Optional<String> system) throws IOException {
        Object fileKey = Files.readAttributes(file, BasicFileAttributes.class).fileKey();
        return system.filter(id -> fileKey != null).map(id -> id + " " + fileKey);
    }

    private static Optional<String> readPredecessor(FileChannel channel, String key) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocate(LIMIT);
        while (buffer.hasRemaining() && channel.read(buffer, buffer.position()) > 0) {
            // Continues reading.
        }
        String[] lines = new String(buffer.array(), 0, buffer.position(), StandardCharsets.UTF_8).split("\n");
        return lines.length == LINES && lines[0].equals(key) && !lines[1].isBlank() && Machine.THIS.hasEnded(lines[2])
                ? Optional.of(lines[1])
                : Optional.empty();
    }

    private static void write(FileChannel channel, String text) throws IOException {
        channel.truncate(0);
        channel.write(ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)), 0);
        channel.force(true);
    }
}
