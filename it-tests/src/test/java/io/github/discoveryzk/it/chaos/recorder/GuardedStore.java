// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.it.chaos.recorder;

import io.github.discoveryzk.it.chaos.recorder.Entry.Accepted;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;

/**
 * A store that several processes share and that refuses a write with a token lower than one that it has seen. It is a file with
 * that token and the number of writes, and a log of accepted writes. For one thread of each process.
 */
final class GuardedStore implements AutoCloseable {

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

    /** Says whether the token is recent enough and the write was made; nothing when another process is writing. */
    @SuppressWarnings("try")
    Optional<Boolean> write(String process, long token) throws IOException {
        try (FileLock lock = head.tryLock()) {
            if (lock == null) {
                return Optional.empty();
            }
            ByteBuffer content = ByteBuffer.allocate(HEAD);
            boolean fresh = head.read(content, 0) < HEAD;
            long highest = fresh ? 0 : content.getLong(0);
            long sequence = fresh ? 1 : content.getLong(Long.BYTES) + 1;
            if (token < highest) {
                return Optional.of(false);
            }
            head.write(
                    ByteBuffer.allocate(HEAD).putLong(token).putLong(sequence).flip(), 0);
            log.add(new Accepted(sequence, System.nanoTime(), process, token));
            return Optional.of(true);
        }
    }

    @Override
    public void close() throws IOException {
        head.close();
        log.close();
    }
}
