// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.zk.server.ensemble;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Properties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ServersTest {

    @Test
    void portsFollowFromTheClientPort() {
        Servers servers = Servers.parse("a:2181, b ,c:4000:4001:4002");
        assertThat(servers.entries())
                .containsExactly(
                        new Entry(1, "a", 2181, 2888, 3888),
                        new Entry(2, "b", 2181, 2888, 3888),
                        new Entry(3, "c", 4000, 4001, 4002));
        assertThat(servers.connectString()).isEqualTo("a:2181,b:2181,c:4000");
    }

    @Test
    void threeServersOfOneMachineHaveDistinctPorts() {
        assertThat(Servers.parse("[::1]:2181,[::1]:2182,[::1]:2183")
                        .entries()
                        .get(2)
                        .configuration())
                .isEqualTo("[::1]:2890:3890;[::1]:2183");
    }

    @Test
    void itsOwnTextMeansTheSame() {
        Servers servers = Servers.parse("a,b:2182,c:1:2:3");
        assertThat(Servers.parse(servers.text())).isEqualTo(servers);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "''                       | it names 0 servers",
                "a,b                      | it names 2 servers",
                "a,b,c,d                  | it names 4 servers",
                "a:b                      | 'a:b' has neither the form",
                "a:1:2                    | 'a:1:2' has neither the form",
                "http://a                 | 'http://a' has neither the form",
                "a b                      | 'a b' has neither the form",
                "a:0                      | which are not all from 1 to 65535",
                "a:64000                  | write it as host:clientPort:quorumPort:electionPort",
                "0.0.0.0:2181             | names no machine",
                "a:2181,a:2181,b          | port 2181 of a is used twice",
                "a:2181,a:2888,b          | port 2888 of a is used twice",
            })
    void whatCannotBeUsedIsRefusedWithAReason(String text, String reason) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Servers.parse(text))
                .withMessageContaining(reason);
    }

    @Test
    void theTrapsOfZooKeeperAreClosed() {
        Properties one = Servers.parse("127.0.0.1:2181").configuration("/data");
        assertThat(one)
                .containsEntry("server.1", "127.0.0.1:2888:3888;127.0.0.1:2181")
                .containsEntry("standaloneEnabled", "false")
                .containsEntry("reconfigEnabled", "false")
                .containsEntry("autopurge.purgeInterval", "0")
                .containsEntry("admin.enableServer", "false")
                .containsEntry("db.autocreate", "false")
                .doesNotContainKeys("clientPort", "clientPortAddress");
    }
}
