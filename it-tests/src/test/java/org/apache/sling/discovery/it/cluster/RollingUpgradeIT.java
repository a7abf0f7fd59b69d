// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.it.cluster;

import static org.apache.sling.discovery.it.cluster.Containers.awaitThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.sling.discovery.TopologyEvent;
import org.apache.sling.discovery.commons.report.TopologyReport.State;
import org.apache.sling.discovery.commons.spi.SettlingPolicy;
import org.apache.sling.discovery.launcher.EmbeddedZooKeeper;
import org.apache.sling.discovery.zk.StoreVersion;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.ZooKeeper;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Instances are replaced one by one by another version whose records the version before cannot read, and back again. */
class RollingUpgradeIT {

    private static final String CLUSTER = "/sling/discovery/clusters/default";
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final List<String> IDS = List.of("a", "b", "c");

    private final Map<String, PlainInstance> running = new LinkedHashMap<>();

    @TempDir
    private Path folder;

    private EmbeddedZooKeeper server;
    private ZooKeeper client;

    @BeforeEach
    void startServer() throws Exception {
        server = EmbeddedZooKeeper.start(folder);
        client = new ZooKeeper(server.connectString(), 10_000, event -> {});
    }

    @AfterEach
    void stop() throws Exception {
        running.values().forEach(PlainInstance::close);
        client.close();
        server.close();
    }

    @Test
    void goesUpAndDownWithoutLosingAMember() throws Exception {
        IDS.forEach(id -> start(id, StoreVersion.OLDER));
        awaitAll(1);
        replaceOneByOne(StoreVersion.BETWEEN, 1, 2);
        replaceOneByOne(StoreVersion.NEWER, 2, 2);
        replaceOneByOne(StoreVersion.BETWEEN, 2, 2);
        replaceOneByOne(StoreVersion.OLDER, 1, 1);
    }

    @Test
    void aVersionThatSharesNoFormatIsRefusedAndDisturbsNoMember() throws Exception {
        List.of("a", "b").forEach(id -> start(id, StoreVersion.OLDER));
        awaitAll(1);
        List<TopologyEvent> before = List.copyOf(running.get("a").events());

        PlainInstance newer = start("c", StoreVersion.NEWER);
        awaitThat("it is refused", () -> newer.report().state() == State.REFUSED);
        assertThat(newer.report().sentence()).contains("format 2", "format 1", "upgrade");
        awaitThat("the members report it", () -> running.get("a").report().problems().stream()
                .anyMatch(problem -> problem.contains("format 2")));
        assertThat(running.get("a").events()).isEqualTo(before);
        assertThat(newer.events()).isEmpty();

        running.remove("a").close();
        running.remove("b").close();
        awaitAll(2);
    }

    /**
     * Replaces each instance by one of another version.
     *
     * @param during the format of the view until the last one has been replaced
     * @param after the format of the view after that
     */
    private void replaceOneByOne(StoreVersion version, int during, int after) throws Exception {
        for (int i = 0; i < IDS.size(); i++) {
            String id = IDS.get(i);
            running.remove(id).close();
            start(id, version);
            awaitAll(i < IDS.size() - 1 ? during : after);
        }
    }

    private PlainInstance start(String id, StoreVersion version) {
        PlainInstance instance = new PlainInstance(id, version.store(server.connectString()), SettlingPolicy.DEFAULT);
        running.put(id, instance);
        instance.start();
        return instance;
    }

    private void awaitAll(int format) throws Exception {
        awaitThat(
                "all are in one view",
                () -> running.values().stream()
                                .allMatch(each -> each.order().size() == running.size() && each.hasReceivedItsView())
                        && running.values().stream()
                                        .map(PlainInstance::viewNumber)
                                        .distinct()
                                        .count()
                                == 1);
        awaitThat("all records have format " + format, () -> formats().stream().allMatch(each -> each == format));
    }

    /** Returns the formats of the records of all members. */
    private List<Integer> formats() {
        List<Integer> formats = new ArrayList<>();
        try {
            for (String name : client.getChildren(CLUSTER + "/members", false)) {
                byte[] data = client.getData(CLUSTER + "/members/" + name, false, null);
                formats.add(JSON.readTree(data).path("format").intValue());
            }
        } catch (KeeperException.NoNodeException e) {
            // A member has left in between: checked again.
            return List.of(0);
        } catch (KeeperException | InterruptedException | IOException e) {
            throw new IllegalStateException(e);
        }
        return formats;
    }
}
