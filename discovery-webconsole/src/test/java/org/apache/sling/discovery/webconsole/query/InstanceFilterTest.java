// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.webconsole.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.sling.discovery.commons.report.TopologyReport.Cluster;
import org.apache.sling.discovery.webconsole.testing.RemoteReports;
import org.apache.sling.discovery.webconsole.testing.Reports;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class InstanceFilterTest {
    private static final Cluster CLUSTER = new Cluster(
            "c",
            true,
            List.of(
                    Reports.instance(1, false, Map.of("zone", "west", "Zone", "north", "pid", "0")),
                    Reports.instance(2, true, Map.of("zone", "East", "leader", "true", "console", "a lie"))),
            List.of());

    private static final Cluster NAMED = new Cluster(
            "c",
            true,
            List.of(
                    Reports.instance(1, false, Map.of("name", "a lie")),
                    Reports.instance(2, false, Map.of("org.apache.sling.instance.name", "alpha")),
                    Reports.instance(3, false, Map.of("sling.name", "own"))),
            List.of());

    private static final Map<String, Cluster> CLUSTERS = Map.of(
            "plain",
            CLUSTER,
            "named",
            NAMED,
            "remote",
            RemoteReports.cluster(2, 3, List.of("a", "b")),
            "changing",
            Reports.changing().clusters().get(0));

    @ParameterizedTest
    @CsvSource({
        "plain, (leader=true), 1",
        "plain, (leader=*), 12",
        "plain, (leader=ture), ''",
        "plain, (local~=TRUE), 2",
        "plain, (local=true), 2",
        "plain, (&(leader=false)(local=true)), 2",
        "plain, (position<=1), 1",
        "plain, (pid>=4712), 2",
        "plain, (pid=0), ''",
        "plain, (HOST=host-1), 1",
        "plain, (host=HOST-1), ''",
        "plain, (zone=*), 12",
        "plain, (zone=east), ''",
        "plain, (zone~=east), 2",
        "plain, (ZONE=north), 1",
        "plain, (zone=west), 1",
        "plain, (cluster=c), 12",
        "plain, (console=*), ''",
        "plain, (!(zone=west)), 2",
        "plain, (id=*000000000002), 2",
        "plain, (zone=a\\(leader=ture\\)), ''",
        "named, (name=a*), 2",
        "named, (sling.name=a*), 2",
        "named, (NAME=alpha), 2",
        "named, (name=*), 2",
        "named, (name=a lie), ''",
        "named, (org.apache.sling.instance.name=alpha), 2",
        "named, (sling.name=own), 3",
        "named, (&(leader=false)(name=a*)), 2",
        "changing, (name=author-*), 12",
        "changing, (state=AWAITED), 3",
        "changing, (wasLeader=true), 1",
        "changing, (leader=true), ''",
        "remote, (leader=true), 1",
        "remote, (clusterLocal=false), 123",
        "remote, (name=far-2-*), 123",
        "remote, (zone=eu-north-2), 2",
        "remote, (state=SETTLED), 123",
        "remote, (pid=*), ''",
        "remote, (pid<=5), ''",
        "remote, (joinedMillis<=5), ''",
        "remote, (startedMillis>=0), ''",
        "remote, (host=*), ''",
        "remote, (!(session=*)), 123",
    })
    void selectsInstances(String cluster, String filter, String positions) throws InvalidParameter {
        Cluster whole = CLUSTERS.get(cluster);
        Cluster selected = InstanceFilter.parse(filter).select(whole);
        assertThat(selected.instances().stream()
                        .map(instance -> String.valueOf(instance.position()))
                        .collect(Collectors.joining()))
                .isEqualTo(positions);
        assertThat(selected.way()).isEqualTo(whole.way());
        assertThat(selected.local()).isEqualTo(whole.local());
    }

    @ParameterizedTest
    @ValueSource(strings = {"leader=true", "(leader=true", "(", "(leader)", "(&(leader=true)", "(=)"})
    void saysWhatIsWrong(String filter) {
        assertThatExceptionOfType(InvalidParameter.class)
                .isThrownBy(() -> InstanceFilter.parse(filter))
                .withMessageContaining("parameter filter")
                .withMessageContaining(filter)
                .withMessageContaining(InstanceFilter.EXAMPLE);
    }

    @Test
    void whatIsNestedTooDeeplyIsRefused() throws InvalidParameter {
        assertThat(InstanceFilter.parse(nested(1_000)).select(CLUSTER).instances())
                .hasSize(2);
        assertThatExceptionOfType(InvalidParameter.class)
                .isThrownBy(() -> InstanceFilter.parse(nested(5_000)))
                .withMessageContaining("parameter filter")
                .withMessageContaining("longer than");
    }

    private static String nested(int depth) {
        return "(!".repeat(depth) + "(id=*)" + ")".repeat(depth);
    }
}
