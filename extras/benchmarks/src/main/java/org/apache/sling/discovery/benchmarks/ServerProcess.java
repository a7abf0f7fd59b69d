// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.benchmarks;

import java.io.IOException;
import org.apache.zookeeper.server.quorum.QuorumPeerMain;

/** The main class of a ZooKeeper server. It ends when its standard input does, so that no server is left behind. */
@ThreadsAndClocks
final class ServerProcess {

    private ServerProcess() {}

    public static void main(String[] arguments) {
        Thread watch = new Thread(ServerProcess::endWithInput, "input");
        watch.setDaemon(true);
        watch.start();
        QuorumPeerMain.main(arguments);
    }

    private static void endWithInput() {
        try {
            while (System.in.read() >= 0) {
                // Nothing is ever written.
            }
        } catch (IOException e) {
            // The same as the end.
        }
        Runtime.getRuntime().halt(0);
    }
}
