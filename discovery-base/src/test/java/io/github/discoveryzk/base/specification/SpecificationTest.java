// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.base.specification;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.discoveryzk.testing.Effort;
import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * Checks the specification in {@code docs/spec} in its scopes: all laws hold in each state, and without a rule the law breaks
 * that the rule is for. {@code -Ddiscovery.specification.scope=hang} checks the scopes with that text in their names.
 */
class SpecificationTest {

    private static final String ONLY = System.getProperty("discovery.specification.scope", "");

    @Test
    void lawsHoldInEachScopeAndBreakWithoutTheirRule() throws IOException {
        Map<String, String> expected = Scope.all().stream()
                .filter(scope -> ONLY.isEmpty()
                        ? scope.eachBuild() || Effort.isThorough()
                        : scope.name().contains(ONLY))
                .collect(Collectors.toMap(Scope::name, Scope::expected));
        Map<String, String> found = Scope.all().parallelStream()
                .filter(scope -> expected.containsKey(scope.name()))
                .collect(Collectors.toConcurrentMap(Scope::name, SpecificationTest::check));
        assertThat(new TreeMap<>(found)).isNotEmpty().isEqualTo(new TreeMap<>(expected));
    }

    private static String check(Scope scope) {
        ModelChecker.Result result = ModelChecker.check(scope);
        System.out.println("scope " + scope.name() + ": "
                + result.broken()
                        .map(law ->
                                "without the rule, " + law + " breaks in a behaviour of " + result.length() + " states")
                        .orElse(result.states().orElse("?") + " distinct states, all laws hold"));
        return result.found();
    }
}
