// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.webconsole;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ServletLineTest {

    @ParameterizedTest
    @CsvSource({
        // required by active consoles, loadable, the line of the page
        "'',                            '',                            NONE",
        "'',                            javax.servlet jakarta.servlet, NONE",
        "javax.servlet,                 javax.servlet,                 JAVAX",
        "javax.servlet,                 javax.servlet jakarta.servlet, JAVAX",
        "jakarta.servlet,               jakarta.servlet,               JAKARTA",
        "jakarta.servlet,               javax.servlet jakarta.servlet, JAKARTA",
        "javax.servlet jakarta.servlet, javax.servlet jakarta.servlet, JAKARTA",
        "javax.servlet jakarta.servlet, javax.servlet,                 JAVAX",
        "javax.servlet,                 jakarta.servlet,               NONE",
        "jakarta.servlet,               '',                            NONE"
    })
    void thereIsOnePageOfTheLineOfTheConsole(String required, String loadable, ServletLine line) {
        Set<String> classes =
                packages(loadable).map(each -> each + ".http.HttpServlet").collect(Collectors.toSet());
        assertThat(ServletLine.choose(packages(required).collect(Collectors.toSet()), classes::contains))
                .isEqualTo(line);
    }

    private static Stream<String> packages(String names) {
        return Stream.of(names.split(" ")).filter(name -> !name.isEmpty());
    }
}
