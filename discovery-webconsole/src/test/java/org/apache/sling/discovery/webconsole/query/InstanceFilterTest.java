// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.webconsole.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.sling.discovery.commons.report.TopologyReport.Cluster;
import org.apache.sling.discovery.commons.report.TopologyReport.Instance;
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

    @ParameterizedTest
    @CsvSource({
        "(leader=true), 1",
        "(clusterLocal=false), 123",
        "(name=far-2-*), 123",
        "(zone=eu-north-2), 2",
        "(state=SETTLED), 123",
        "(pid=*), ''",
        "(pid<=5), ''",
        "(joinedMillis<=5), ''",
        "(startedMillis>=0), ''",
        "(host=*), ''",
        "(!(session=*)), 123",
    })
    void whatIsNotKnownOfInstancesOfOtherClustersMatchesNothing(String filter, String orders) throws InvalidParameter {
        Cluster cluster = RemoteReports.cluster(2, 3, List.of("a", "b"));
        Cluster selected = InstanceFilter.parse(filter).select(cluster);
        assertThat(selected.instances())
                .extracting(Instance::position)
                .containsExactlyElementsOf(orders.chars().mapToObj(c -> c - '0').toList());
        assertThat(selected.way()).isEqualTo(cluster.way());
        assertThat(selected.local()).isFalse();
    }

    @ParameterizedTest
    @CsvSource({
        "(leader=true), 1",
        "(local=true), 2",
        "(&(leader=false)(local=true)), 2",
        "(position<=1), 1",
        "(pid>=4712), 2",
        "(pid=0), ''",
        "(HOST=host-1), 1",
        "(host=HOST-1), ''",
        "(zone=*), 12",
        "(zone=east), ''",
        "(zone~=east), 2",
        "(ZONE=north), 1",
        "(zone=west), 1",
        "(cluster=c), 12",
        "(console=*), ''",
        "(!(zone=west)), 2",
        "(id=*000000000002), 2",
    })
    void selectsInstances(String filter, String orders) throws InvalidParameter {
        assertThat(InstanceFilter.parse(filter).select(CLUSTER).instances())
                .extracting(Instance::position)
                .containsExactlyElementsOf(orders.chars().mapToObj(c -> c - '0').toList());
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

    @ParameterizedTest
    @ValueSource(
            strings = {
                "(leader=ture)",
                "(&(id=*)(LOCAL= yes))",
                "(!(clusterLocal~=1))",
                "(leader>=t)",
                "(leader=t*)",
                "(leader=)"
            })
    void aWordThatIsNeitherTrueNorFalseIsRejected(String filter) {
        assertThatExceptionOfType(InvalidParameter.class)
                .isThrownBy(() -> InstanceFilter.parse(filter))
                .withMessageContaining("is either true or false, not ");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "(leader= TRUE )",
                "(leader=*)",
                "(zone=a\\(leader=ture\\))",
                "(leader.since=ture)",
                "(aleader=ture)"
            })
    void othersAreNotAffected(String filter) throws InvalidParameter {
        assertThat(InstanceFilter.parse(filter).filter()).isNotNull();
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

    @ParameterizedTest
    @CsvSource({
        "(name=a*), 2",
        "(sling.name=a*), 2",
        "(NAME=alpha), 2",
        "(name=*), 2",
        "(name=a lie), ''",
        "(org.apache.sling.instance.name=alpha), 2",
        "(sling.name=own), 3",
    })
    void findsAnInstanceByItsName(String filter, String orders) throws InvalidParameter {
        Cluster cluster = new Cluster(
                "c",
                true,
                List.of(
                        Reports.instance(1, false, Map.of("name", "a lie")),
                        Reports.instance(2, false, Map.of("org.apache.sling.instance.name", "alpha")),
                        Reports.instance(3, false, Map.of("sling.name", "own"))),
                List.of());
        assertThat(InstanceFilter.parse(filter).select(cluster).instances())
                .extracting(Instance::position)
                .containsExactlyElementsOf(orders.chars().mapToObj(c -> c - '0').toList());
    }

    @ParameterizedTest
    @CsvSource({"(name=author-*), 12", "(state=AWAITED), 3", "(wasLeader=true), 1", "(leader=true), ''"})
    void instancesOfAChangeAreSelectedByNameAndState(String filter, String positions) throws InvalidParameter {
        Cluster cluster = Reports.changing().clusters().get(0);
        assertThat(InstanceFilter.parse(filter).select(cluster).instances().stream()
                        .map(instance -> String.valueOf(instance.position()))
                        .collect(Collectors.joining()))
                .isEqualTo(positions);
    }

    @Test
    void theExampleMatches() throws InvalidParameter {
        Instance named = Reports.instance(2, false, Map.of("org.apache.sling.instance.name", "author"));
        Cluster cluster = new Cluster("c", true, List.of(Reports.instance(1, true, Map.of()), named), List.of());
        assertThat(InstanceFilter.parse(InstanceFilter.EXAMPLE).select(cluster).instances())
                .containsExactly(named);
    }
}
