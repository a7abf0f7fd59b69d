// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.sample;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Optional;

/**
 * A text in a file that only the latest leader can change. The store remembers the greatest token it has seen and refuses any
 * lower one, so the write of an earlier leader does no harm, however late it arrives.
 *
 * <p>Comparing and writing are one atomic step: this makes it safe, and is the part to copy. A database does it with
 * {@code UPDATE … WHERE token <= ?}, an object store with a conditional put.
 *
 * <p>May be used by any number of threads and processes of a machine at the same time.
 */
final class FencedStore {

    /** A file lock belongs to the whole process and does not exclude its threads from each other. */
    private static final Object THREADS = new Object();

    private final Path file;
    private final Path lock;

    FencedStore(Path file) {
        this.file = file.toAbsolutePath();
        this.lock = this.file.resolveSibling(this.file.getFileName() + ".lock");
    }

    /**
     * Replaces the text.
     *
     * @param token the token of the leadership under which this is written
     * @param text the new text
     * @throws StaleTokenException when a later leader has written before; then nothing was changed
     * @throws IOException when the file cannot be read or written
     */
    void write(long token, String text) throws IOException {
        synchronized (THREADS) {
            try (FileChannel channel = FileChannel.open(lock, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
                channel.lock(); // Until the channel is closed.
                long greatest = read().map(Entry::token).orElse(Long.MIN_VALUE);
                if (token < greatest) {
                    throw new StaleTokenException(token, greatest);
                }
                replace(token + "\n" + text);
            }
        }
    }

    /** A reader sees the old text or the new one, never half of it, even if the process dies here. */
    private void replace(String content) throws IOException {
        Path next = file.resolveSibling(file.getFileName() + ".next");
        Files.writeString(next, content);
        Files.move(next, file, StandardCopyOption.ATOMIC_MOVE);
    }

    /** Returns the last entry, empty when there is none. */
    Optional<Entry> read() throws IOException {
        if (Files.notExists(file)) {
            return Optional.empty();
        }
        String content = Files.readString(file, StandardCharsets.UTF_8);
        int end = content.indexOf('\n');
        try {
            return Optional.of(new Entry(Long.parseLong(content.substring(0, end)), content.substring(end + 1)));
        } catch (NumberFormatException | IndexOutOfBoundsException e) {
            throw new IOException(file + " does not begin with a token: not written by this store; move it away", e);
        }
    }

    /** An entry of the store.
     *
     * @param token the token of the leadership under which it was written
     * @param text the text
     */
    record Entry(long token, String text) {}
}
