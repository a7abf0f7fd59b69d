// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.webconsole.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class CsrfTokenTest {
    private final CsrfToken token = new CsrfToken();

    @Test
    void aTokenIsAcceptedFromItsUser() {
        assertThat(token.isValid("a", token.create("a"))).isTrue();
    }

    @Test
    void everythingElseIsNot() {
        String right = token.create("a");
        assertThat(token.isValid("b", right)).as("another user").isFalse();
        assertThat(token.isValid("a", new CsrfToken().create("a")))
                .as("another start")
                .isFalse();
        assertThat(token.isValid("a", right.substring(1))).as("a part").isFalse();
        assertThat(token.isValid("a", right + "x")).as("more").isFalse();
        assertThat(token.isValid("a", "")).as("empty").isFalse();
    }

    @Test
    void eachTokenLooksDifferent() {
        assertThat(token.create("a")).isNotEqualTo(token.create("a"));
    }

    @Test
    void tokensCannotBeGuessed() {
        Set<String> tokens = new HashSet<>();
        IntStream.range(0, 100).forEach(i -> tokens.add(new CsrfToken().create("a")));
        assertThat(tokens).hasSize(100).allMatch(each -> each.length() >= 43);
    }
}
