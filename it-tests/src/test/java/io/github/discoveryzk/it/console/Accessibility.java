// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.it.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/** The accessibility violations that axe-core finds in a page. */
final class Accessibility {

    private static final String AXE = script();
    private static final String RUN =
            """
            const done = arguments[arguments.length - 1];
            axe.run(arguments[0], {
                resultTypes: ['violations', 'passes'],
                rules: {'label-content-name-mismatch': {enabled: true}}
            }).then(
                result => done({
                    rules: result.passes.length,
                    violations: result.violations.map(rule => rule.id + ' (' + rule.impact + '): ' + rule.help + ': '
                        + rule.nodes.slice(0, 3).map(node => node.html + ' ' + node.any.map(each => each.message)).join('; '))
                }),
                error => done({rules: 0, violations: [String(error)]}));
            """;

    private Accessibility() {}

    /** Checks that our part of a page violates no rule, and that rules were checked. */
    static void assertNoViolations(Browser browser, String page) {
        browser.script(AXE);
        Object answer = browser.scriptWithCallback(RUN, TopologyPage.ROOT);
        assertThat(answer).isInstanceOfSatisfying(Map.class, result -> {
            assertThat((List<?>) result.get("violations"))
                    .as("what keeps people from using the page " + page)
                    .isEmpty();
            assertThat(((Number) result.get("rules")).intValue())
                    .as("rules that hold")
                    .isGreaterThan(5);
        });
    }

    private static String script() {
        try (InputStream script = Accessibility.class.getResourceAsStream("/axe.min.js")) {
            return new String(script.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
