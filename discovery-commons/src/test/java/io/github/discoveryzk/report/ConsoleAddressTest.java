// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Optional;
import org.apache.sling.discovery.InstanceDescription;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ConsoleAddressTest {

    private static Optional<String> of(String endpoints) {
        return ConsoleAddress.of(Map.of(InstanceDescription.PROPERTY_ENDPOINTS, endpoints));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                ",,",
                "/relative",
                "node-1:8080",
                "ftp://node-1/",
                "javascript:alert(1)",
                "http:opaque",
                "http:///nowhere",
                "http://user:password@node-1/",
                "http://node-1/<script>",
                "\"><script>"
            })
    void whatIsNoAddressIsNone(String endpoints) {
        assertThat(of(endpoints)).isEmpty();
    }

    @Test
    void theFirstAddressCounts() {
        assertThat(of("HTTP://node-1:8080/")).contains("HTTP://node-1:8080/");
        assertThat(of("unix:/x, http://[::1]:8080/ctx/ ,https://other/")).contains("http://[::1]:8080/ctx/");
        assertThat(ConsoleAddress.of(Map.of())).isEmpty();
    }
}
