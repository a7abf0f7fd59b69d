// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.zk;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.sling.discovery.commons.spi.SettlingPolicy;
import org.apache.sling.discovery.commons.spi.SettlingPolicy.Quarantine;
import org.apache.sling.discovery.commons.spi.SettlingPolicy.SuspendedPolicy;
import org.apache.sling.discovery.zk.tree.Paths;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BackendSettingsTest {

    @Test
    void nothingConfiguredIsTheDefault() {
        BackendSettings settings = BackendSettings.of(Map.of("service.pid", "x"));
        assertThat(settings.store()).isEqualTo(ZooKeeperStoreConfig.of("127.0.0.1:2181"));
        assertThat(settings.policy()).isEqualTo(SettlingPolicy.DEFAULT);
        assertThat(settings.store().address())
                .isEqualTo("ZooKeeper 127.0.0.1:2181, root /sling/discovery, cluster default");
    }

    @Test
    void defaultsAreThoseOfTheEditor() throws Exception {
        Map<String, Object> shown = Arrays.stream(ZooKeeperBackendConfig.class.getDeclaredMethods())
                .collect(
                        Collectors.toMap(java.lang.reflect.Method::getName, java.lang.reflect.Method::getDefaultValue));
        assertThat(new TreeSet<>(shown.keySet()))
                .containsExactly(
                        "clusterName",
                        "connectString",
                        "quarantineFirstRestMillis",
                        "quarantineLongestRestMillis",
                        "quarantineLosses",
                        "quarantineWindowMillis",
                        "quietMillis",
                        "regroupMillis",
                        "rootPath",
                        "sessionTimeoutMillis",
                        "settleTimeoutMillis",
                        "suspendedPolicy");
        assertThat(BackendSettings.of(shown)).isEqualTo(BackendSettings.of(Map.of()));
    }

    @Test
    void allCanBeConfiguredAlsoAsText() {
        BackendSettings settings = BackendSettings.of(Map.of(
                "connectString", new String[] {"a:1", "b:2/base"},
                "rootPath", "/r",
                "clusterName", "blue",
                "sessionTimeoutMillis", "4000",
                "settleTimeoutMillis", 5000,
                "quietMillis", " 7 ",
                "regroupMillis", "0",
                "suspendedPolicy", "strict"));
        assertThat(settings.problems()).isEmpty();
        assertThat(settings.store().servers().serverList()).isEqualTo("a:1,b:2");
        assertThat(settings.store().paths()).isEqualTo(new Paths("/base/r", "blue"));
        assertThat(settings.store().sessionTimeoutMillis()).isEqualTo(4000);
        assertThat(settings.policy()).isEqualTo(new SettlingPolicy(5000, 7, 1000, SuspendedPolicy.STRICT));
    }

    @ParameterizedTest
    @CsvSource({
        "connectString, ''",
        "connectString, ','",
        "connectString, host:port",
        "connectString, host:99999",
        "connectString, host:2181/a//b",
        "rootPath, ''",
        "rootPath, sling",
        "rootPath, /",
        "rootPath, /a/../b",
        "rootPath, /a/",
        "rootPath, /zookeeper/x",
        "clusterName, ''",
        "clusterName, .",
        "clusterName, ..",
        "clusterName, a/b",
        "clusterName, a b",
        "sessionTimeoutMillis, ten",
        "sessionTimeoutMillis, 99",
        "sessionTimeoutMillis, 600001",
        "sessionTimeoutMillis, 99999999999",
        "settleTimeoutMillis, -1",
        "settleTimeoutMillis, 1.5",
        "quietMillis, -1",
        "regroupMillis, -1",
        "regroupMillis, 60001",
        "quarantineLosses, -1",
        "quarantineLosses, 1001",
        "quarantineLosses, few",
        "quarantineWindowMillis, 999",
        "quarantineWindowMillis, 86400001",
        "quarantineFirstRestMillis, 99",
        "quarantineFirstRestMillis, 3600001",
        "quarantineLongestRestMillis, 99",
        "quarantineLongestRestMillis, 3600001",
        "suspendedPolicy, maybe"
    })
    void wrongValueIsReportedAndReplacedByTheDefault(String key, String value) {
        BackendSettings settings = BackendSettings.of(Map.of(key, value));
        assertThat(settings.problems()).hasSize(1);
        assertThat(settings.problems().get(0))
                .contains(
                        "'" + value + "'",
                        key,
                        "org.apache.sling.discovery.zk",
                        "cannot be used: ",
                        "is used instead.");
        assertThat(settings.store()).isEqualTo(BackendSettings.of(Map.of()).store());
        assertThat(settings.policy()).isEqualTo(SettlingPolicy.DEFAULT);
    }

    @Test
    void valuesOfAnyTypeAreSurvived() {
        for (String key :
                List.of("connectString", "rootPath", "suspendedPolicy", "quietMillis", "sessionTimeoutMillis")) {
            assertThat(BackendSettings.of(Map.of(key, new Object())).problems()).hasSize(1);
            assertThat(BackendSettings.of(Map.of(key, new int[] {1})).problems())
                    .hasSize(1);
        }
    }

    @Test
    void quarantineCanBeConfigured() {
        BackendSettings settings = BackendSettings.of(Map.of(
                "quarantineLosses",
                "0",
                "quarantineWindowMillis",
                60_000L,
                "quarantineFirstRestMillis",
                200,
                "quarantineLongestRestMillis",
                400));
        assertThat(settings.problems()).isEmpty();
        assertThat(settings.policy().quarantine()).isEqualTo(new Quarantine(0, 60_000, 200, 400));
    }

    @Test
    void longestRestIsNeverBelowTheFirst() {
        BackendSettings settings =
                BackendSettings.of(Map.of("quarantineFirstRestMillis", 5_000, "quarantineLongestRestMillis", 4_000));
        assertThat(settings.policy().quarantine()).isEqualTo(new Quarantine(5, 300_000, 5_000, 5_000));
        assertThat(settings.problems())
                .singleElement()
                .asString()
                .contains("quarantineLongestRestMillis", "4000", "'5000' is used instead");
        assertThat(BackendSettings.of(Map.of("quarantineFirstRestMillis", 200_000))
                        .policy()
                        .quarantine()
                        .longestRestMillis())
                .isEqualTo(200_000);
    }

    @Test
    void settleTimeoutIsNeverBelowTheSessionTimeout() {
        BackendSettings settings =
                BackendSettings.of(Map.of("sessionTimeoutMillis", 8000, "settleTimeoutMillis", 5000));
        assertThat(settings.policy().settleTimeoutMillis()).isEqualTo(8000);
        assertThat(settings.problems()).singleElement().asString().contains("settleTimeoutMillis", "5000", "8000");
        assertThat(BackendSettings.of(Map.of("sessionTimeoutMillis", 60_000))
                        .policy()
                        .settleTimeoutMillis())
                .isEqualTo(60_000);
    }
}
