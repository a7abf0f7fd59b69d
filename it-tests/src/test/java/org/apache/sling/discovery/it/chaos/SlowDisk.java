// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.it.chaos;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.zookeeper.server.persistence.FileTxnSnapLog;

/** The log of a server with a commit time that a file sets: nothing is acknowledged before. */
final class SlowDisk extends FileTxnSnapLog {

    /**
     * The system property with the path of the file, which contains a number of milliseconds; without a file there is no delay.
     */
    static final String CONTROL = "chaos.disk.control";

    private final Path control = Path.of(System.getProperty(CONTROL));

    private SlowDisk(File folder) throws IOException {
        super(folder, folder);
    }

    /** Returns the same log, on a disk that can be slow. */
    static SlowDisk of(FileTxnSnapLog log) {
        try {
            log.close();
            return new SlowDisk(log.getSnapDir().getParentFile());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void commit() throws IOException {
        super.commit();
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(wanted());
        for (long left = end - System.nanoTime(); left > 0; left = end - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }

    private long wanted() {
        try {
            return Files.exists(control) ? Long.parseLong(Files.readString(control)) : 0;
        } catch (IOException | NumberFormatException e) {
            // The file is being written.
            return 0;
        }
    }
}
