// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.zk;

import java.nio.file.Path;
import org.apache.sling.discovery.testing.server.TestServer;
import org.apache.sling.discovery.zk.testing.Witness;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A server, and instances with the default configuration at it. */
abstract class OneServer {
    static final String ROOT = "/sling/discovery";
    static final String CLUSTER = ROOT + "/clusters/default";

    TestServer server;

    @BeforeEach
    final void start(@TempDir Path data) throws Exception {
        server = new TestServer(data);
    }

    @AfterEach
    final void stop() {
        server.close();
    }

    final Witness witness(String id) {
        return new Witness(id, new ZooKeeperStore(config()));
    }

    final ZooKeeperStoreConfig config() {
        return ZooKeeperStoreConfig.of(server.address());
    }
}
