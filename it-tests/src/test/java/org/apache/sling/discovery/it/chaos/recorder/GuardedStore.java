// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.it.chaos.recorder;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * A store that several processes share and that refuses a write with a token lower than one that it has seen. It is a file with
 * that token and the number of writes, and a log of accepted writes. For one thread of each process.
 */
final class GuardedStore implements AutoCloseable {

    /** The outcome of a write. */
    enum Result {
        /** The write was made. */
        ACCEPTED,
        /** Its token is stale. */
        REFUSED,
        /** Another process was writing; nothing was checked. */
        BUSY
    }

    private static final int HEAD = 2 * Long.BYTES;

    private final FileChannel head;
    private final RecordingFile log;

    GuardedStore(Path folder) throws IOException {
        head = FileChannel.open(
                folder.resolve("store.head"),
                StandardOpenOption.CREATE,
                StandardOpenOption.READ,
                StandardOpenOption.WRITE);
        log = new RecordingFile(folder.resolve("store.log"));
    }

    @SuppressWarnings("try")
    Result write(String process, long token) throws IOException {
        try (FileLock lock = head.tryLock()) {
            if (lock == null) {
                return Result.BUSY;
            }
            ByteBuffer content = ByteBuffer.allocate(HEAD);
            boolean fresh = head.read(content, 0) < HEAD;
            long highest = fresh ? 0 : content.getLong(0);
            long sequence = fresh ? 1 : content.getLong(Long.BYTES) + 1;
            if (token < highest) {
                return Result.REFUSED;
            }
            head.write(
                    ByteBuffer.allocate(HEAD).putLong(token).putLong(sequence).flip(), 0);
            log.line(sequence, System.nanoTime(), process, token);
            return Result.ACCEPTED;
        }
    }

    @Override
    public void close() throws IOException {
        head.close();
        log.close();
    }
}
