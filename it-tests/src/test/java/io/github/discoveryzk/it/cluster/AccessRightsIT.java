// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.it.cluster;

import static io.github.discoveryzk.it.outside.Limit.awaitThat;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.discoveryzk.testing.server.TestServer;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooDefs.Perms;
import org.apache.zookeeper.data.ACL;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Missing access rights: an instance reports what is denied and where, and continues when it is allowed again. */
class AccessRightsIT {

    private static final String CLUSTER = "/sling/discovery/clusters/default/";
    private static final int SESSION_MILLIS = 6_000;

    private TestServer server;
    private Instances instances;

    @BeforeEach
    void startFirst(@TempDir Path folder) throws Exception {
        server = new TestServer(folder);
        instances = Instances.on(server.address(), SESSION_MILLIS).startAll("a");
    }

    @AfterEach
    void stop() {
        instances.close();
        server.close();
    }

    /** Sets the rights of all clients to a node, and keeps the right to change them. */
    private void allow(String node, int rights) throws Exception {
        // The client calls contains(null) on the list, which List.of does not support.
        List<ACL> all = Collections.singletonList(new ACL(rights | Perms.ADMIN, Ids.ANYONE_ID_UNSAFE));
        server.with(administrator -> administrator.setACL(CLUSTER + node, all, -1));
    }

    /** The newcomer cannot join, or the leader, which is a member of the old view and coordinates the change, cannot let it in. */
    @ParameterizedTest
    @CsvSource({
        "members, 1, b, rejected the request to announce",
        "members, 30, b, NOAUTH",
        "view, 1, a, rejected the request to publish",
        "acks, 1, a, rejected the request to acknowledge"
    })
    void aNewcomerJoinsWhenItIsAllowed(String node, int rights, String reporter, String sentence) throws Exception {
        Map<PlainInstance, Integer> first = instances.marks();
        allow(node, rights);
        PlainInstance newcomer = instances.start("b");
        instances.awaitProblem(reporter, sentence, CLUSTER + node);
        assertThat(newcomer.events()).isEmpty();
        if (sentence.contains("announce")) {
            Instances.assertSince(first);
        }
        allow(node, Perms.ALL);
        instances.awaitOrder("a", "b");
        instances.awaitNoProblems();
    }

    @Test
    void aLeaderThatMayNotRenewItsLease() throws Exception {
        allow("lease", Perms.READ);
        instances.awaitProblem("a", "the store rejected the request to renew", CLUSTER + "lease");
        awaitThat("the end of the lease", () -> instances.get("a").order().isEmpty());
        allow("lease", Perms.ALL);
        instances.awaitOrder("a");
        instances.awaitNoProblems();
    }
}
