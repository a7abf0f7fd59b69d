// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.it.cluster;

import static io.github.discoveryzk.it.outside.Limit.awaitThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.discoveryzk.report.State;
import io.github.discoveryzk.spi.SettlingPolicy;
import io.github.discoveryzk.testing.server.TestServer;
import io.github.discoveryzk.zk.StoreVersion;
import io.github.discoveryzk.zk.ZooKeeperStoreConfig;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Instances are replaced one by one by another version whose records the version before cannot read, and back again. */
class RollingUpgradeIT {

    private static final String MEMBERS = "/sling/discovery/clusters/default/members";
    private static final int SESSION_MILLIS = 4_000;
    /** A member that is refused waits for the members that it cannot read as long as for others that do not acknowledge. */
    private static final SettlingPolicy POLICY =
            new SettlingPolicy(SESSION_MILLIS, 0, 1_000, SettlingPolicy.SuspendedPolicy.LEASE);

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final List<String> IDS = List.of("a", "b", "c");

    private TestServer server;
    private Instances instances;

    @BeforeEach
    void startServer(@TempDir Path folder) throws Exception {
        server = new TestServer(folder);
        instances = new Instances(id -> instance(id, StoreVersion.OLDER));
    }

    @AfterEach
    void stop() {
        instances.close();
        server.close();
    }

    private PlainInstance instance(String id, StoreVersion version) {
        ZooKeeperStoreConfig config = ZooKeeperStoreConfig.of(server.address()).withSessionTimeout(SESSION_MILLIS);
        return new PlainInstance(id, version.store(config), POLICY);
    }

    @Test
    void goesUpAndDownWithoutLosingAMember() throws Exception {
        instances.startAll(IDS.toArray(String[]::new));
        awaitFormat(1);
        replaceOneByOne(StoreVersion.BETWEEN, 1, 2);
        replaceOneByOne(StoreVersion.NEWER, 2, 2);
        replaceOneByOne(StoreVersion.BETWEEN, 2, 2);
        replaceOneByOne(StoreVersion.OLDER, 1, 1);
    }

    @Test
    void aVersionThatSharesNoFormatIsRefusedAndDisturbsNoMember() throws Exception {
        instances.startAll("a", "b");
        Map<PlainInstance, Integer> before = instances.marks();
        PlainInstance newer = instances.add(instance("c", StoreVersion.NEWER));
        awaitThat("it is refused", () -> newer.report().state() == State.REFUSED);
        assertThat(newer.report().sentence()).contains("format 2", "format 1", "upgrade");
        instances.awaitProblem("a", "format 2");
        Instances.assertSince(before);
        assertThat(newer.events()).isEmpty();
        instances.stop("a");
        instances.stop("b");
        awaitFormat(2);
    }

    /**
     * Replaces each instance by one of another version.
     *
     * @param during the format of the view until the last one has been replaced
     * @param after the format of the view after that
     */
    private void replaceOneByOne(StoreVersion version, int during, int after) {
        for (String id : IDS) {
            instances.stop(id);
            instances.add(instance(id, version));
            awaitFormat(id.equals("c") ? after : during);
        }
    }

    private void awaitFormat(int format) {
        instances.awaitSettled();
        awaitThat("all records have format " + format, () -> {
            for (String name : server.children(MEMBERS)) {
                if (JSON.readTree(server.data(MEMBERS + "/" + name))
                                .path("format")
                                .intValue()
                        != format) {
                    return false;
                }
            }
            return true;
        });
    }
}
