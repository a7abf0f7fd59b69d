// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.connector.wire;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class IpAddressTest {

    @ParameterizedTest
    @CsvSource({
        "1.2.3.4, 1.2.3.4",
        "255.255.255.255, 255.255.255.255",
        "::, 0:0:0:0:0:0:0:0",
        "::1, 0:0:0:0:0:0:0:1",
        "1::, 1:0:0:0:0:0:0:0",
        "0:0:0:0:0:0:0:1, 0:0:0:0:0:0:0:1",
        "2001:DB8::00ff:1, 2001:db8:0:0:0:0:ff:1",
        "1:2:3:4:5:6:7::, 1:2:3:4:5:6:7:0",
        "64:ff9b::10.0.0.1, 64:ff9b:0:0:0:0:a00:1",
        "1:2:3:4:5:6:1.2.3.4, 1:2:3:4:5:6:102:304",
        "::ffff:10.0.0.1, 10.0.0.1",
        "::FFFF:a00:1, 10.0.0.1",
        "0:0:0:0:0:ffff:10.0.0.1, 10.0.0.1"
    })
    void readsAddresses(String text, String shown) {
        assertThat(IpAddress.parse(text))
                .hasValueSatisfying(address -> assertThat(address).hasToString(shown));
        assertThat(IpAddress.ofPeer(text)).isEqualTo(IpAddress.parse(text));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "1.2.3",
                "1.2.3.4.5",
                "1.2.3.256",
                "1.2.3.04",
                "0x1.2.3.4",
                "1.2.3.-4",
                " 1.2.3.4",
                "1.2.3.4 ",
                "1.2..4",
                "1",
                "16909060",
                "localhost",
                "example.com",
                ":",
                ":::",
                "1::2::3",
                "1:2:3:4:5:6:7",
                "1:2:3:4:5:6:7:8:9",
                "1:2:3:4:5:6:7:8::",
                "12345::",
                "g::",
                "::1.2.3",
                "::1.2.3.4:5",
                "1.2.3.4::",
                "[::1]",
                "::1%eth0",
                "\u0661.2.3.4",
                "1:",
                ":1",
                "1:2:3:4:5:6:7:1.2.3.4"
            })
    void refusesOtherTexts(String text) {
        assertThat(IpAddress.parse(text)).isEmpty();
    }

    @Test
    void peersMayHaveBracketsAndAZone() {
        assertThat(IpAddress.ofPeer("[::1]")).isEqualTo(IpAddress.parse("::1"));
        assertThat(IpAddress.ofPeer("fe80::1%eth0")).isEqualTo(IpAddress.parse("fe80::1"));
        assertThat(IpAddress.ofPeer("[fe80::1%2]")).isEqualTo(IpAddress.parse("fe80::1"));
        assertThat(IpAddress.ofPeer("1.2.3.4%x")).isEmpty();
        assertThat(IpAddress.ofPeer("[")).isEmpty();
    }
}
