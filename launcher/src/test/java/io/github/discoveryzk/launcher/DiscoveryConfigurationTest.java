// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.launcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Dictionary;
import java.util.Hashtable;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.felix.cm.file.FilePersistenceManager;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DiscoveryConfigurationTest {

    private static final String PID = "io.github.discoveryzk.zk";

    @TempDir
    Path folder;

    @Test
    void writesWhatTheConfigurationAdminReads() throws IOException {
        write(Map.of("connectString", "a:1", "sessionTimeoutMillis", 4000));

        assertThat(folder.resolve("io/github/discoveryzk/zk.config")).exists();
        assertThat(stored())
                .isEqualTo(new Hashtable<>(
                        Map.of("service.pid", PID, "connectString", "a:1", "sessionTimeoutMillis", 4000)));
    }

    @Test
    void keepsWhatAUserHasSetAndForgetsWhatAnEarlierStartHasSaid() throws IOException {
        store(Map.of("service.pid", PID, "connectString", "a:1", "clusterName", "blue", "rootPath", "/r"));

        write(Map.of("connectString", "b:2"));

        assertThat(stored())
                .isEqualTo(new Hashtable<>(Map.of("service.pid", PID, "connectString", "b:2", "rootPath", "/r")));
    }

    @Test
    void configuresConnectorsAndKeepsTheirOtherSettings() throws IOException {
        String pid = "io.github.discoveryzk.connectors";
        new FilePersistenceManager(folder.toString())
                .store(pid, new Hashtable<>(Map.of("service.pid", pid, "connectorPingInterval", 5L)));

        DiscoveryConfiguration.write(
                folder, ContainerSettings.of(folder, 1, "a:1").withConnectors(List.of("http://a/x")));

        Dictionary<?, ?> stored = new FilePersistenceManager(folder.toString()).load(pid);
        assertThat((String[]) stored.get("topologyConnectorUrls")).containsExactly("http://a/x");
        assertThat(stored.get("connectorPingInterval")).isEqualTo(5L);
        assertThat(stored.get("service.pid")).isEqualTo(pid);
    }

    @Test
    void configuresTheInstanceOnRequest() throws IOException {
        ContainerSettings settings = ContainerSettings.of(folder, 1, "a:1");
        String pid = "io.github.discoveryzk.base";

        DiscoveryConfiguration.write(folder, settings);
        assertThat(new FilePersistenceManager(folder.toString()).exists(pid)).isFalse();
        DiscoveryConfiguration.write(folder, settings.withInstance("quietMillis", 7L));
        assertThat(new FilePersistenceManager(folder.toString()).load(pid).get("quietMillis"))
                .isEqualTo(7L);
    }

    @Test
    void configuresAServerAndForgetsIt() throws IOException {
        ContainerSettings settings = ContainerSettings.of(folder, 1, "a:1");
        String pid = "io.github.discoveryzk.zk.server";

        DiscoveryConfiguration.write(folder, settings.withServer(Map.of("servers", "a:1:2:3")));
        assertThat(new FilePersistenceManager(folder.toString()).load(pid).get("servers"))
                .isEqualTo("a:1:2:3");
        DiscoveryConfiguration.write(folder, settings);
        assertThat(new FilePersistenceManager(folder.toString()).exists(pid)).isFalse();
    }

    @Test
    void saysWhenTheStoredConfigurationCannotBeRead() throws IOException {
        Path file = folder.resolve("io/github/discoveryzk/zk.config");
        Files.createDirectories(file.getParent());
        Files.writeString(file, "connectString=[broken");

        assertThatThrownBy(() -> write(Map.of("connectString", "a:1"))).isInstanceOf(IOException.class);
    }

    private void write(Map<String, Object> values) throws IOException {
        DiscoveryConfiguration.write(
                folder,
                new ContainerSettings(folder, 1, values, Map.of(), Map.of(), List.of(), Optional.empty(), Map.of()));
    }

    private void store(Map<String, Object> values) throws IOException {
        new FilePersistenceManager(folder.toString()).store(PID, new Hashtable<>(values));
    }

    private Dictionary<?, ?> stored() throws IOException {
        return new FilePersistenceManager(folder.toString()).load(PID);
    }
}
