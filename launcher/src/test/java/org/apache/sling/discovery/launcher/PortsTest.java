// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.ServerSocket;
import org.junit.jupiter.api.Test;

class PortsTest {

    @Test
    void aPortIsFreeUntilAProcessListens() throws IOException {
        int port = Ports.free();
        assertThat(Ports.isFree(port)).isTrue();

        try (ServerSocket listener = new ServerSocket()) {
            listener.bind(Ports.address(port));
            assertThat(Ports.isFree(port)).isFalse();
        }
    }
}
