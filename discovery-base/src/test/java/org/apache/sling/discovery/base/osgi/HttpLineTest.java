// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.osgi;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HttpLineTest {

    private static final String WHITEBOARD = ".runtime.HttpServiceRuntime";

    @ParameterizedTest
    @CsvSource({
        "'',                  jakarta javax servlet http, NONE",
        "servlet,             jakarta servlet,            JAKARTA_WHITEBOARD",
        "servlet http alias,  jakarta javax servlet http, JAKARTA_WHITEBOARD",
        "servlet http alias,  javax http,                 JAVAX_WHITEBOARD",
        "servlet http alias,  javax servlet http,         JAVAX_WHITEBOARD",
        "servlet http alias,  jakarta javax http,         JAVAX_WHITEBOARD",
        "http alias,          jakarta javax servlet http, JAVAX_WHITEBOARD",
        "alias,               jakarta javax servlet http, HTTP_SERVICE",
        "alias,               jakarta servlet,            NONE",
        "alias,               http,                       NONE",
        "servlet,             javax http,                 NONE",
        "servlet http alias,  '',                         NONE"
    })
    void theFirstLineThatCanBeLoadedIsChosen(String services, String packages, HttpLine line) {
        List<String> types = Arrays.stream(services.split(" "))
                .map(each -> each.equals("alias")
                        ? "org.osgi.service.http.HttpService"
                        : "org.osgi.service." + each + WHITEBOARD)
                .toList();
        List<String> known = List.of(packages.split(" "));
        assertThat(HttpLine.choose(types, name -> known.stream()
                        .anyMatch(each -> name.startsWith(each + ".servlet.http.")
                                || name.startsWith("org.osgi.service." + each + "."))))
                .isEqualTo(line);
    }
}
