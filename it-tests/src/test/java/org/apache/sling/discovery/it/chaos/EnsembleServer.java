// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.it.chaos;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import javax.security.sasl.SaslException;
import org.apache.zookeeper.server.persistence.FileTxnSnapLog;
import org.apache.zookeeper.server.quorum.QuorumPeer;
import org.apache.zookeeper.server.quorum.QuorumPeerMain;

/** The main class of a server of an ensemble. It ends with its parent process, however that ends. */
public final class EnsembleServer {

    private EnsembleServer() {}

    /**
     * Runs a server until it is stopped.
     *
     * @param arguments the configuration file
     */
    public static void main(String[] arguments) {
        InputStream parent = System.in;
        Thread watch = new Thread(() -> exitAtEndOf(parent), "parent-watch");
        watch.setDaemon(true);
        watch.start();
        try {
            new OnSlowDisk().run(arguments);
        } catch (Exception e) {
            e.printStackTrace();
        }
        // Threads of a failed server may live on.
        Runtime.getRuntime().halt(1);
    }

    /** A server whose log can be made slow. */
    private static final class OnSlowDisk extends QuorumPeerMain {

        void run(String[] arguments) throws Exception {
            initializeAndRun(arguments);
        }

        @Override
        protected QuorumPeer getQuorumPeer() throws SaslException {
            return new QuorumPeer() {
                @Override
                public void setTxnFactory(FileTxnSnapLog factory) {
                    super.setTxnFactory(SlowDisk.of(factory));
                }
            };
        }
    }

    private static void exitAtEndOf(InputStream parent) {
        try {
            parent.transferTo(OutputStream.nullOutputStream());
        } catch (IOException e) {
            e.printStackTrace();
        }
        Runtime.getRuntime().halt(0);
    }
}
