// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.webconsole.markup;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TopologyLinkTest {

    @ParameterizedTest
    @CsvSource({
        "http://h:8080, /system/console/topology, http://h:8080/system/console/topology",
        "http://h:8080/, /system/console/topology, http://h:8080/system/console/topology",
        "https://h:8080/context/, /context/admin/desk/topology, https://h:8080/context/admin/desk/topology",
        "http://h/other/, /system/console/topology, http://h/other/system/console/topology",
        "http://[::1]:1/?a#b, /system/console/topology, http://[::1]:1/system/console/topology",
    })
    void leadsToThePageBelowTheEndpoint(String endpoint, String overview, String address) {
        assertThat(TopologyLink.of(endpoint, overview).address()).isEqualTo(address);
    }
}
