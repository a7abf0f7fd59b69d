// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.it.chaos;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import javax.security.sasl.SaslException;
import org.apache.zookeeper.server.persistence.FileTxnSnapLog;
import org.apache.zookeeper.server.quorum.QuorumPeer;
import org.apache.zookeeper.server.quorum.QuorumPeerMain;

/** The main class of a server of an ensemble. It ends with its parent process, however that ends. */
public final class EnsembleServer extends QuorumPeerMain {

    /**
     * The system property with the path of a file, which contains how many milliseconds each commit of the log takes; without a file
     * there is no delay.
     */
    static final String DISK_CONTROL = "chaos.disk.control";

    private EnsembleServer() {}

    /**
     * Runs a server until it is stopped.
     *
     * @param arguments the configuration file
     */
    public static void main(String[] arguments) {
        endWithParent();
        try {
            new EnsembleServer().initializeAndRun(arguments);
        } catch (Exception e) {
            e.printStackTrace();
        }
        // Threads of a failed server may live on.
        Runtime.getRuntime().halt(1);
    }

    /** Ends this process when its parent process ends or closes its input. */
    static void endWithParent() {
        Thread watch = new Thread(EnsembleServer::exitWithParent, "parent-watch");
        watch.setDaemon(true);
        watch.start();
    }

    private static void exitWithParent() {
        try {
            System.in.transferTo(OutputStream.nullOutputStream());
        } catch (IOException e) {
            e.printStackTrace();
        }
        Runtime.getRuntime().halt(0);
    }

    @Override
    protected QuorumPeer getQuorumPeer() throws SaslException {
        return new QuorumPeer() {
            @Override
            public void setTxnFactory(FileTxnSnapLog log) {
                try {
                    log.close();
                    super.setTxnFactory(new SlowDisk(log.getSnapDir().getParentFile()));
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            }
        };
    }

    /** A log that acknowledges nothing before the time is over that the file sets. */
    private static final class SlowDisk extends FileTxnSnapLog {
        private final Path control = Path.of(System.getProperty(DISK_CONTROL));

        SlowDisk(File folder) throws IOException {
            super(folder, folder);
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
}
