// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.zk.security.guard;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.discoveryzk.zk.client.Session;
import io.github.discoveryzk.zk.security.Access;
import io.github.discoveryzk.zk.testing.OddClient;
import io.github.discoveryzk.zk.testing.OneServer;
import java.util.List;
import org.apache.zookeeper.AsyncCallback.StatCallback;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.data.ACL;
import org.junit.jupiter.api.Test;

@SuppressWarnings("try") // The interrupt of a close ends the test.
class AccessCheckTest extends OneServer {
    private static final String LEAF = CLUSTER + "/history/note";

    @Test
    void aChildThatComesBeforeItsParentIsClosedIsRepairedToo() throws Exception {
        witness("a").join();
        server.create(LEAF);
        OddClient client = new OddClient(server.address()) {
            @Override
            public void setACL(String path, List<ACL> acl, int version, StatCallback reply, Object context) {
                if (path.equals(LEAF)) {
                    create(LEAF + "/x", null, Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT, (rc, p, c, n) -> {}, null);
                }
                super.setACL(path, acl, version, reply, context);
            }
        };
        try {
            Access access = Access.of(List.of("world:anyone:cdrwa", "ip:127.0.0.1:cdrwa"), List.of());
            Session session = new Session(client, access.entries(), Runnable::run, (source, reply) -> {}, lost -> {});
            new AccessCheck(session, config().paths(), access, true, true).run().get();
            assertThat(server.acl(LEAF + "/x")).hasSize(2);
        } finally {
            client.close();
        }
    }
}
