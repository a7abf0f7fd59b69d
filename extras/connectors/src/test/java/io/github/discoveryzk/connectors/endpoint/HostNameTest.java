// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.connectors.endpoint;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HostNameTest {

    @Test
    void theNameLeadsBackToTheAddress() throws Exception {
        String name = ConnectorEndpoint.nameOf("127.0.0.1");
        assertThat(InetAddress.getAllByName(name)).anyMatch(InetAddress::isLoopbackAddress);
    }

    @ParameterizedTest
    @ValueSource(strings = {"localhost", "", "evil.example", "1.2.3.4.5.6", ":::", "[::1"})
    void whatIsNoAddressIsNotLookedUp(String text) {
        assertThat(ConnectorEndpoint.nameOf(text)).isEqualTo(text);
    }
}
